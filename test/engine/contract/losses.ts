// The two losses and their gradients: softmax cross-entropy and noise-contrastive estimation.

import { expect, it } from 'vitest';
import type { NceInputs, NceOutputs } from '../../../src/engine/kernels.ts';
import { threefry } from '../../../src/random.ts';
import { PRODUCT, plus, total } from './expected.ts';
import { FUNCTIONS } from './functions.ts';
import { SIZES } from './sizes.ts';
import type { RunShapes, RunTrial } from './trial.ts';

export function describeLosses(trial: RunTrial, everyShape: RunShapes): void {
  it('softmaxCrossEntropy and its gradient, for even and for very uneven logits', async () => {
    for (const spread of [1, 30, 300]) {
      await everyShape(async (t, n, m) => {
        if (m === 0) return; // there is no target
        const logits = t.numbers(n * m).map((value) => value * spread);
        const targets = t.whole(n, m);
        const [losses, dLogits] = [t.output(1, n), t.output(n, m)];
        t.kernels.softmaxCrossEntropy(losses, dLogits, t.input(n, m, logits), t.ints(targets));
        const expected = Array.from({ length: n }, (_, r) => softmax(logits.subarray(r * m, r * m + m), targets[r]));
        await t.near(losses, PRODUCT, (r) => [expected[r].loss, 1 + spread]);
        await t.near(dLogits, PRODUCT, (_, r, c) => [expected[r].gradient[c], 1 + spread / 10]);
      });
    }
  });

  it('drawNoise gives tag i by the blocks (i, try) of the key, keeping off the tags an object has', async () => {
    for (const [numPairs, perPair, numTags] of [
      [1, 1, 1],
      [7, 3, 5],
      [200, 15, 40],
    ]) {
      await trial(async (t) => {
        const numObjects = 4;
        const keep = t.whole(numTags, 2 ** 31).map((value, tag) => (tag === 0 ? -1 : value * 2));
        const alias = t.whole(numTags, numTags);
        const objects = t.whole(numPairs, numObjects);
        // object r has every tag that r + 1 divides: the first one all of them
        const rows = Array.from({ length: numObjects }, (_, r) =>
          Array.from(keep.keys()).filter((tag) => tag % (r + 1) === 0),
        );
        const rowStart = rows.map((_, r) => rows.slice(0, r).flat().length);
        const own = { rowStart: t.ints([...rowStart, rows.flat().length]), columns: t.ints(rows.flat()) };
        const table = { keep: t.ints(keep), alias: t.ints(alias) };
        const key = [0xdeadbeef, 7] as const;
        const out = t.kernels.ints(numPairs * perPair);
        for (const sparing of [{}, { own }]) {
          t.kernels.drawNoise(out, { table, objects: t.ints(objects), key, ...sparing });
          const drawn = await t.kernels.readInts(out);
          const block = new Uint32Array(2);
          for (let i = 0; i < drawn.length; i++) {
            const avoided = 'own' in sparing ? rows[objects[Math.floor(i / perPair)]] : [];
            let tag = -1;
            for (let attempt = 0; attempt < 21 && (tag < 0 || avoided.includes(tag)); attempt++) {
              threefry(block, key[0], key[1], i, attempt);
              tag = block[0] % numTags;
              if (block[1] > keep[tag] >>> 0) tag = alias[tag];
            }
            if (drawn[i] !== tag) expect(drawn[i], `draw ${i}`).toBe(tag);
          }
        }
        t.kernels.release(out);
      });
    }
  });

  it('nce and its gradients, with repeated objects and tags, for 1 to 17 noise tags', async () => {
    const shapes = Array.from({ length: 17 }, (_, i) => [SIZES[i % 8], i + 1, SIZES[1 + (i % 7)], 1]);
    // many pairs on few rows; logits far out of the range of exp
    for (const [numPairs, numNoise, d, size] of [...shapes, [500, 5, 33, 1], [40, 3, 17, 12]]) {
      await trial(async (t) => {
        const [numObjects, numTags, scale] = [7, 5, 0.25];
        const [objects, tags, noise] = [numObjects, numTags, numTags].map((n, i) =>
          t.whole(i < 2 ? numPairs : numPairs * numNoise, n),
        );
        const [zo, zt] = [numObjects, numTags].map((n) => t.numbers(n * d).map((value) => value * size));
        const inputs: NceInputs = {
          objectEmbeddings: t.input(numObjects, d, zo),
          tagEmbeddings: t.input(numTags, d, zt),
          objects: t.ints(objects),
          tags: t.ints(tags),
          noise: t.ints(noise),
          offsets: t.input(1, numTags),
        };
        const out: NceOutputs = {
          losses: t.output(1, numPairs),
          dObjectEmbeddings: t.output(numObjects, d, t.numbers(numObjects * d)),
          dTagEmbeddings: t.output(numTags, d, t.numbers(numTags * d)),
          coefficients: t.output(numPairs, numNoise + 1),
        };
        t.kernels.nce(out, inputs, scale);

        // each gradient with, behind it, the sum of the sizes of its terms
        const [dzo, dzt] = [zo, zt].map((z) => [new Float64Array(z.length), new Float64Array(z.length)]);
        const losses = Array.from({ length: numPairs }, (_, b) => {
          let loss: readonly [number, number] = [0, 0];
          for (let k = 0; k <= numNoise; k++) {
            const object = objects[b] * d;
            const [tag, sign] = k === 0 ? [tags[b], -1] : [noise[b * numNoise + k - 1], 1];
            const dot = total(d, (c) => zo[object + c] * zt[tag * d + c]);
            const logit = plus(dot, t.values(inputs.offsets)[tag]);
            loss = [loss[0] + FUNCTIONS.softplus(sign * logit[0]), loss[1] + 1 + logit[1]];
            const coefficient = scale * sign * FUNCTIONS.sigmoid(sign * logit[0]);
            for (let c = 0; c < d; c++) {
              dzo[0][object + c] += coefficient * zt[tag * d + c];
              dzo[1][object + c] += scale * Math.abs(zt[tag * d + c]) * (1 + logit[1]);
              dzt[0][tag * d + c] += coefficient * zo[object + c];
              dzt[1][tag * d + c] += scale * Math.abs(zo[object + c]) * (1 + logit[1]);
            }
          }
          return loss;
        });
        await t.near(out.losses, PRODUCT, (b) => losses[b]);
        for (const [dz, [sum, terms]] of [[out.dObjectEmbeddings, dzo] as const, [out.dTagEmbeddings, dzt] as const]) {
          await t.near(dz, PRODUCT, (i) => plus([sum[i], terms[i]], t.values(dz)[i]));
        }
      });
    }
  });
}

function softmax(logits: Float32Array, target: number): { loss: number; gradient: Float64Array } {
  const largest = Math.max(...logits);
  const powers = Float64Array.from(logits, (value) => Math.exp(value - largest));
  const sum = powers.reduce((a, b) => a + b);
  const gradient = powers.map((power, c) => power / sum - (c === target ? 1 : 0));
  return { loss: Math.log(sum) - (logits[target] - largest), gradient };
}
