import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphFrom } from '../../src/data/knowledge-graph.ts';
import type { Kernels } from '../../src/engine/kernels.ts';
import { openKernels } from '../../src/engine/open.ts';
import { Noise } from '../../src/training/noise.ts';
import { PairFeed } from '../../src/training/pair-feed.ts';
import { checkerboard } from '../checkerboard.ts';

let kernels: Kernels;
beforeAll(async () => {
  kernels = await openKernels({ threads: 1 });
});
afterAll(() => kernels.close());

const { tagged, tags } = checkerboard();
const noise = { from: new Noise(new Float64Array(tags.size)), perPair: 3, sparesOwn: true };
const ALL = { batchSize: 64, seed: 1, noise, otherEnds: 'x' };

/** What a feed has written. */
async function written({ heads, tails, noise: drawn, otherHeads, otherTails }: PairFeed): Promise<Int32Array[]> {
  return Promise.all([heads, tails, drawn, otherHeads, otherTails].map((ids) => kernels.readInts(ids)));
}

describe('PairFeed', () => {
  it('gives every pair once in an epoch, in another order each time, whatever the batch size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 300 }), fc.nat(5), async (batchSize, seed) => {
        const feed = new PairFeed(kernels, tagged, { batchSize, seed });
        const passes: number[][] = [[], []];
        for (let step = 0, at = 0; at < 2 * tagged.size; step++) {
          feed.fill(step);
          for (const number of feed.numbers)
            if (at < 2 * tagged.size) passes[Math.floor(at++ / tagged.size)].push(number);
        }
        feed.release();
        const all = Array.from({ length: tagged.size }, (_, i) => i);
        for (const pass of passes) expect(pass.toSorted((a, b) => a - b)).toEqual(all);
        expect(passes[0]).not.toEqual(passes[1]);
      }),
      { numRuns: 15 },
    );
  });

  it('writes linked pairs, noise that their heads lack, and other ends they are not linked to', async () => {
    const feed = new PairFeed(kernels, tagged, ALL);
    feed.fill(0);
    const [heads, tails, drawn, otherHeads, otherTails] = await written(feed);
    expect(drawn).toHaveLength(3 * heads.length);
    for (const [i, head] of heads.entries()) {
      expect([head, tails[i]]).toEqual([tagged.heads[feed.numbers[i]], tagged.tails[feed.numbers[i]]]);
      for (const tag of drawn.subarray(3 * i, 3 * i + 3)) expect(tagged.has(head, tag)).toBe(false);
      expect(tagged.has(otherHeads[i], tails[i])).toBe(false);
      expect(tagged.has(head, otherTails[i])).toBe(false);
    }
    feed.release();
  });

  it('depends on the number of the step and on nothing before it', async () => {
    const [run, fresh] = [1, 2].map(() => new PairFeed(kernels, tagged, ALL));
    for (const step of [0, 9, 13]) run.fill(step);
    fresh.fill(13);
    expect(await written(run)).toEqual(await written(fresh));
    fresh.fill(12);
    expect(await written(run)).not.toEqual(await written(fresh));
    run.release();
    fresh.release();
  });

  it('gives up looking for noise where an object has every tag', async () => {
    const full = graphFrom({ interact: [], tagged: ['a', 'b'].map((tag) => ['o', tag] as const) });
    const feed = new PairFeed(kernels, full.tagged, {
      ...ALL,
      noise: { ...noise, from: new Noise(new Float64Array(2)) },
    });
    feed.fill(0);
    for (const ids of await written(feed)) for (const id of ids) expect([0, 1]).toContain(id);
    feed.release();
  });

  it('takes a fifth of the pairs where the batch size is left open, and no more pairs than there are', () => {
    const sizes = [0, 7, 1e6].map((batchSize) => {
      const feed = new PairFeed(kernels, tagged, { batchSize, seed: 1 });
      const { length } = feed.numbers;
      expect(feed.stepsPerEpoch).toBe(Math.ceil(tagged.size / length));
      feed.release();
      return length;
    });
    expect(sizes).toEqual([Math.ceil(tagged.size / 5), 7, tagged.size]);
  });

  it('gives its memory back, and refuses data without a pair', () => {
    const before = kernels.usedBytes;
    new PairFeed(kernels, tagged, ALL).release();
    expect(kernels.usedBytes).toBe(before);
    const none = graphFrom({ interact: [['u', 'o']], tagged: [] });
    expect(() => new PairFeed(kernels, none.tagged, ALL)).toThrow('got no tagged pair');
  });
});
