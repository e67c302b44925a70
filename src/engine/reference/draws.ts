// Noise tags for pairs: each from blocks of its own, so that they can be drawn in any order.

import { threefry } from '../../random.ts';
import { NOISE_TRIES } from '../kernels.ts';

export interface NoiseViews {
  readonly keep: Int32Array; // (n)
  readonly alias: Int32Array; // (n)
  readonly objects: Int32Array; // (B)
  readonly own: { readonly rowStart: Int32Array; readonly columns: Int32Array } | undefined;
  readonly key: readonly [number, number];
}

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
