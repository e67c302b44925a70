// What a model that learns in epochs leaves: a vector for each object and tag, and a base score for each tag.
// score(o, t) = z_o · z_t + base_t. Distances fit, too: − ‖x − y‖² ranks as 2 x · y − ‖y‖².

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { Kernels } from '../../engine/kernels.ts';
import type { Embeddings } from '../../training/trainer.ts';
import type { Scorer } from '../scorer.ts';
import { matrix, type TensorEntry, type TensorReader, vector } from '../tensors.ts';

const BLOCK_BYTES = 1 << 26; // of scores at a time

/** Scores blocks of objects by one product of matrices on the engine; the tags stay there. */
export function embeddingScorer(kernels: Kernels, { width, objects, tags, base }: Embeddings): Scorer {
  const numTags = base.length;
  const maxRows = Math.max(1, Math.floor(BLOCK_BYTES / (4 * Math.max(1, numTags))));
  const tagMatrix = kernels.dense(numTags, width);
  const bias = kernels.dense(1, numTags);
  kernels.write(tagMatrix, tags);
  kernels.write(bias, base);

  const scoreBlock = async (ids: Int32Array, scores: Float32Array) => {
    const rows = new Float32Array(ids.length * width);
    for (let i = 0; i < ids.length; i++) rows.set(objects.subarray(ids[i] * width, (ids[i] + 1) * width), i * width);
    const [a, out] = [kernels.dense(ids.length, width), kernels.dense(ids.length, numTags)];
    try {
      kernels.write(a, rows);
      kernels.gemm(out, a, tagMatrix, { transposeB: true });
      kernels.addBias(out, out, bias);
      scores.set(await kernels.read(out));
    } finally {
      kernels.release(a, out);
    }
  };
  return {
    floor: Number.NEGATIVE_INFINITY,
    isLogarithmic: true,
    async score(ids, scores) {
      for (let first = 0; first < ids.length; first += maxRows) {
        const block = ids.subarray(first, first + maxRows);
        await scoreBlock(block, scores.subarray(first * numTags, (first + block.length) * numTags));
      }
    },
    release: () => kernels.release(tagMatrix, bias),
  };
}

export function embeddingsToTensors({ width, objects, tags, base }: Embeddings): TensorEntry[] {
  return [
    ['embeddings.objects', matrix(objects, width)],
    ['embeddings.tags', matrix(tags, width)],
    ['embeddings.base', vector(base)],
  ];
}

export function embeddingsFromTensors(tensors: TensorReader, { objects, tags }: KnowledgeGraph): Embeddings {
  const base = tensors.array('embeddings.base', Float32Array, tags.size);
  const { width, values: rows } = tensors.rows('embeddings.tags', tags.size);
  const vectors = tensors.array('embeddings.objects', Float32Array, objects.size * width);
  return { form: 'embeddings', width, objects: vectors, tags: rows, base };
}
