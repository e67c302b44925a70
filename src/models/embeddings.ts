// What a trained embedding model leaves: a vector for each object and tag and a base score for each tag.
// score(o, t) = z_o · z_t + base_t.

import type { Kernels } from '../engine/kernels.ts';
import type { ScoreTags } from './model.ts';

export interface Embeddings {
  readonly width: number;
  readonly objects: Float32Array; // (numObjects, width)
  readonly tags: Float32Array; // (numTags, width)
  readonly base: Float32Array; // (numTags)
}

/** Scores a block of objects by one product of matrices on the engine. */
export function embeddingScores(kernels: Kernels, { width, objects, tags, base }: Embeddings): ScoreTags {
  const numTags = base.length;
  return async (ids, scores) => {
    const rows = Float32Array.from(
      { length: ids.length * width },
      (_, i) => objects[ids[Math.floor(i / width)] * width + (i % width)],
    );
    const [a, b, bias, out] = [
      kernels.dense(ids.length, width),
      kernels.dense(numTags, width),
      kernels.dense(1, numTags),
      kernels.dense(ids.length, numTags),
    ];
    try {
      kernels.write(a, rows);
      kernels.write(b, tags);
      kernels.write(bias, base);
      kernels.gemm(out, a, b, { transposeB: true });
      kernels.addBias(out, out, bias);
      scores.set(await kernels.read(out));
    } finally {
      kernels.release(a, b, bias, out);
    }
  };
}
