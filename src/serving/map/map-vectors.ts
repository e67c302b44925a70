// Where things stand before they are laid out: a row of numbers for each tag or object, of length 1. Of models that learn
// embeddings these are they. Of others: the leading singular vectors of tags by objects; for objects those of objects by tags
// and of objects by users, side by side. In both, common things count for less, and rows have length 1 (graph/similarity.ts).

import type { Relation } from '../../data/relation.ts';
import type { Kernels } from '../../engine/kernels.ts';
import { truncatedSvd } from '../../engine/numerics/svd.ts';
import { Similarity } from '../../graph/similarity.ts';

export type MapSide = 'tags' | 'objects';

/** All that a map is made of; plain enough to go to another thread. */
export interface MapTask {
  readonly side: MapSide;
  readonly numUsers: number;
  readonly numObjects: number;
  readonly numTags: number;
  readonly interact: Pairs; // (user, object)
  readonly tagged: Pairs; // (object, tag)
  /** Of this side, where the model has them. */
  readonly embeddings?: Rows | undefined;
}

export interface Pairs {
  readonly heads: Int32Array;
  readonly tails: Int32Array;
}

export interface Rows {
  readonly width: number;
  readonly values: Float32Array; // (n, width)
}

const RANK = 32; // of each view; what is beyond is mostly noise to a map
const DAMPING = 0.25; // as for similar tags and objects (serving/recommend/similar.ts)
const SEED = 1;

/** One row for each of the side; a row of zeros where nothing is known. */
export async function vectorsOf(
  kernels: Kernels,
  { side, embeddings }: Pick<MapTask, 'side' | 'embeddings'>,
  { interact, tagged }: { interact: Relation; tagged: Relation },
): Promise<Rows> {
  if (embeddings !== undefined) return unitRows(embeddings);
  if (side === 'tags') return singularRows(kernels, tagged);
  const [byUsers, byTags] = [await singularRows(kernels, interact), await singularRows(kernels, tagged.reversed())];
  return unitRows(sideBySide(byUsers, byTags));
}

/** The tails of a relation by the heads they share. */
async function singularRows(kernels: Kernels, relation: Relation): Promise<Rows> {
  const { numHeads, numTails } = relation;
  const matrix = kernels.sparse(numTails, numHeads, new Similarity(relation, DAMPING).rows());
  const { u, s, v } = await truncatedSvd(kernels, matrix, { rank: RANK, seed: SEED });
  const values = await kernels.read(u);
  kernels.release(matrix, u, v);
  const width = s.length;
  for (let i = 0; i < values.length; i++) values[i] *= s[i % width];
  return unitRows({ width, values });
}

/** Each row to length 1: a row's length is how common a thing is, its direction what it means. Zeros stay zeros. */
function unitRows({ width, values }: Rows): Rows {
  const out = new Float32Array(values.length);
  for (let start = 0; start < values.length; start += width) {
    let squares = 0;
    for (let i = start; i < start + width; i++) squares += values[i] ** 2;
    const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
    for (let i = start; i < start + width; i++) out[i] = values[i] * scale;
  }
  return { width, values: out };
}

function sideBySide(a: Rows, b: Rows): Rows {
  const width = a.width + b.width;
  const numRows = width === 0 ? 0 : Math.max(a.values.length / (a.width || 1), b.values.length / (b.width || 1));
  const values = new Float32Array(numRows * width);
  for (let row = 0; row < numRows; row++) {
    values.set(a.values.subarray(row * a.width, (row + 1) * a.width), row * width);
    values.set(b.values.subarray(row * b.width, (row + 1) * b.width), row * width + a.width);
  }
  return { width, values };
}
