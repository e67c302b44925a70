// Losses with their gradients: softmax cross-entropy over rows, noise-contrastive estimation with the draws of its noise.

import { threefry } from '../../random.ts';
import { NOISE_TRIES } from '../kernels.ts';
import { sigmoid, softplus } from './elementwise.ts';
import type { DenseView } from './products.ts';

export function softmaxCrossEntropy(
  losses: DenseView,
  dLogits: DenseView,
  logits: DenseView,
  targets: Int32Array,
): void {
  for (let r = 0; r < logits.rows; r++) {
    const row = logits.data.subarray(r * logits.stride, r * logits.stride + logits.cols);
    let largest = Number.NEGATIVE_INFINITY;
    for (const value of row) largest = Math.max(largest, value);
    let total = 0;
    for (const value of row) total += Math.exp(value - largest);
    losses.data[r] = Math.log(total) - (row[targets[r]] - largest);
    for (let c = 0; c < row.length; c++) {
      dLogits.data[r * dLogits.stride + c] = Math.exp(row[c] - largest) / total - (c === targets[r] ? 1 : 0);
    }
  }
}

interface NceViews {
  readonly losses: DenseView;
  readonly dObjectEmbeddings: DenseView;
  readonly dTagEmbeddings: DenseView;
  readonly coefficients: DenseView;
  readonly objectEmbeddings: DenseView;
  readonly tagEmbeddings: DenseView;
  readonly objects: Int32Array;
  readonly tags: Int32Array;
  readonly noise: Int32Array;
  readonly offsets: DenseView;
}

export function nce(v: NceViews, scale: number): void {
  const { objectEmbeddings: zo, tagEmbeddings: zt, coefficients } = v;
  const numNoise = coefficients.cols - 1;
  for (let b = 0; b < v.objects.length; b++) {
    const from = v.objects[b] * zo.stride;
    let loss = 0;
    for (let k = 0; k <= numNoise; k++) {
      const tag = k === 0 ? v.tags[b] : v.noise[b * numNoise + k - 1]; // the first is the observed one
      const at = tag * zt.stride;
      let logit = v.offsets.data[tag];
      for (let c = 0; c < zo.cols; c++) logit += zo.data[from + c] * zt.data[at + c];
      loss += k === 0 ? softplus(-logit) : softplus(logit);
      const coefficient = scale * (k === 0 ? sigmoid(logit) - 1 : sigmoid(logit));
      coefficients.data[b * coefficients.stride + k] = coefficient;
      for (let c = 0; c < zo.cols; c++) {
        v.dObjectEmbeddings.data[from + c] += coefficient * zt.data[at + c];
        v.dTagEmbeddings.data[at + c] += coefficient * zo.data[from + c];
      }
    }
    v.losses.data[b] = loss;
  }
}

export interface NoiseViews {
  readonly keep: Int32Array; // (n)
  readonly alias: Int32Array; // (n)
  readonly objects: Int32Array; // (B)
  readonly own: { readonly rowStart: Int32Array; readonly columns: Int32Array } | undefined;
  readonly key: readonly [number, number];
}

/** Noise tags for pairs: each from blocks of its own, so that they can be drawn in any order. */
export function drawNoise(out: Int32Array, { keep, alias, objects, own, key }: NoiseViews): void {
  const perPair = out.length / objects.length;
  const block = new Uint32Array(2);
  for (let i = 0; i < out.length; i++) {
    const object = objects[Math.floor(i / perPair)];
    const row = own?.columns.subarray(own.rowStart[object], own.rowStart[object + 1]);
    for (let attempt = 0; attempt < NOISE_TRIES; attempt++) {
      threefry(block, key[0], key[1], i, attempt);
      const tag = block[0] % keep.length;
      out[i] = block[1] <= keep[tag] >>> 0 ? tag : alias[tag];
      if (!row?.includes(out[i])) break;
    }
  }
}
