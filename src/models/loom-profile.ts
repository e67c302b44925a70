// What the users of an object as a whole say about it: loom's profile view.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Kernels } from '../engine/kernels.ts';
import type { Resemblance } from '../graph/resemblance.ts';

/**
 * A profile is the sum of its users' vectors, each times its number in the object's row (Resemblance.row). Where there are
 * fewer objects than users, objects have the vectors instead, times the cosine to each object: the sum is the same.
 */
export interface Profile {
  readonly side: 'users' | 'objects';
  readonly width: number;
  readonly vectors: Float32Array; // (numUsers or numObjects, width)
  readonly weights: Float32Array; // (width, numTags)
}

const MAX_NUMBERS = 2 ** 26; // a quarter of a gigabyte

/** The vectors of users whichever side has them in the model; undefined where they would take too much room. */
export async function userVectors(
  kernels: Kernels,
  { side, width, vectors }: Pick<Profile, 'side' | 'width' | 'vectors'>,
  resemblance: Resemblance,
  { users, objects }: Pick<KnowledgeGraph, 'users' | 'objects'>,
): Promise<Float32Array | undefined> {
  if (side === 'users') return vectors;
  if (users.size * width > MAX_NUMBERS) return undefined;
  const rows = kernels.csr(objects.size, users.size, resemblance.rows());
  const [ofUsers, ofObjects] = [kernels.dense(users.size, width), kernels.dense(objects.size, width)];
  try {
    kernels.write(ofObjects, vectors);
    kernels.spmmTransposed(ofUsers, rows, ofObjects);
    return await kernels.read(ofUsers);
  } finally {
    kernels.release(rows, ofUsers, ofObjects);
  }
}

/** The profiles of all objects in the data. */
export async function profilesOf(
  kernels: Kernels,
  { side, width, vectors }: Pick<Profile, 'side' | 'width' | 'vectors'>,
  resemblance: Resemblance,
  { users, objects }: Pick<KnowledgeGraph, 'users' | 'objects'>,
): Promise<Float32Array> {
  if (width === 0) return new Float32Array(0);
  const rows = kernels.csr(objects.size, users.size, resemblance.rows());
  const [ofUsers, profiles] = [kernels.dense(users.size, width), kernels.dense(objects.size, width)];
  try {
    if (side === 'users') kernels.write(ofUsers, vectors);
    else {
      kernels.write(profiles, vectors);
      kernels.spmmTransposed(ofUsers, rows, profiles);
    }
    kernels.spmm(profiles, rows, ofUsers);
    return await kernels.read(profiles);
  } finally {
    kernels.release(rows, ofUsers, profiles);
  }
}
