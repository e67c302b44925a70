// loom's view of an object's users as a whole: its profile, the leading singular vectors of objects by users.

import { transposedCsr } from '../../csr.ts';
import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { Kernels } from '../../engine/kernels.ts';
import type { Dense } from '../../engine/matrix.ts';
import { transposed } from '../../engine/numerics/dense.ts';
import { leadingSubspace } from '../../engine/numerics/svd.ts';
import { warnOfCapped } from '../../graph/capped-middles.ts';
import { Similarity } from '../../graph/similarity.ts';
import type { Listener } from '../../listener.ts';
import type { Profile } from './loom.ts';
import type { LoomSettings } from './settings.ts';

/** What users alone tell: the same whichever pairs of objects and tags are known. */
export interface UserView {
  readonly similarity: Similarity;
  readonly profile: Profile;
  readonly profiles: Float32Array; // (numObjects, width)
}

const MAX_NUMBERS = 2 ** 26; // in the profiles of all objects, or the vectors of all users: a quarter of a gigabyte
const MIN_WIDTH = 16;

export async function viewUsers(
  kernels: Kernels,
  train: KnowledgeGraph,
  { userDamping, profileWidth, seed }: LoomSettings,
  listener: Listener,
): Promise<UserView> {
  warnOfCapped(train.interact, { middle: 'user', node: 'object' }, listener);
  const similarity = new Similarity(train.interact, userDamping);
  const width = Math.min(profileWidth, Math.max(MIN_WIDTH, Math.floor(MAX_NUMBERS / Math.max(1, train.objects.size))));
  const profile = await profileVectors(kernels, similarity, train, { width, seed }, listener);
  const profiles = await profilesOf(kernels, profile, similarity, train);
  return { similarity, ...withoutConstants(profile, profiles) };
}

const ROUNDING = 1e-5; // of a number's size

/** Without columns that are the same for all objects, as with a single user who used everything: they tell nothing. */
function withoutConstants(profile: Profile, profiles: Float32Array): Pick<UserView, 'profile' | 'profiles'> {
  const { width, vectors } = profile;
  const kept = Array.from({ length: width }, (_, k) => k).filter((k) => !isConstant(profiles, k, width));
  if (kept.length === width) return { profile, profiles };
  const columnsOf = (rows: Float32Array) =>
    Float32Array.from({ length: (rows.length / width) * kept.length }, (_, i) => {
      return rows[Math.floor(i / kept.length) * width + kept[i % kept.length]];
    });
  return { profile: { ...profile, width: kept.length, vectors: columnsOf(vectors) }, profiles: columnsOf(profiles) };
}

function isConstant(rows: Float32Array, column: number, width: number): boolean {
  const first = rows[column];
  for (let at = column; at < rows.length; at += width) {
    if (Math.abs(rows[at] - first) > ROUNDING * Math.abs(first)) return false;
  }
  return true;
}

async function profileVectors(
  kernels: Kernels,
  similarity: Similarity,
  { users, objects, interact }: KnowledgeGraph,
  { width, seed }: { width: number; seed: number },
  listener: Listener,
): Promise<UserView['profile']> {
  const side = users.size <= objects.size ? 'users' : 'objects';
  const rank = interact.size === 0 ? 0 : Math.min(width, users.size, objects.size);
  if (rank === 0) return { side, width: 0, vectors: new Float32Array(0) };
  listener.progress?.('profiling', 0, 1);
  const arrays = similarity.rows();
  const rows = kernels.sparse(objects.size, users.size, arrays);
  const columns = kernels.sparse(users.size, objects.size, transposedCsr(arrays, users.size));
  const basis = await leadingSubspace(kernels, side === 'users' ? rows : columns, { rank, seed, iterations: 3 });
  const [ofUsers, gram] = [kernels.dense(users.size, rank), kernels.dense(rank, rank)];
  try {
    if (side === 'users') return { side, width: rank, vectors: await kernels.read(basis) };
    // S = R Rᵀ, Q the basis: (S Q) L⁻ᵀ with L Lᵀ = Qᵀ S Q has the products of S within the space of Q
    kernels.spmm(ofUsers, columns, basis);
    kernels.gemm(gram, ofUsers, ofUsers, { transposeA: true });
    const vectors = await kernels.read(basis);
    return { side, width: rank, vectors: await turned(kernels, vectors, gram, rank) };
  } finally {
    kernels.release(rows, columns, basis, ofUsers, gram);
  }
}

const RIDGE = 1e-4; // of the largest on the diagonal: the space may have fewer dimensions than asked for

/** X L⁻ᵀ, L Lᵀ being the Gram matrix. */
async function turned(kernels: Kernels, x: Float32Array, gram: Dense, rank: number): Promise<Float32Array> {
  const numbers = await kernels.read(gram);
  let largest = 0;
  for (let k = 0; k < rank; k++) largest = Math.max(largest, numbers[k * rank + k]);
  for (let k = 0; k < rank; k++) numbers[k * rank + k] += RIDGE * largest;
  kernels.write(gram, numbers);
  await kernels.cholesky(gram);
  const numRows = x.length / rank;
  const right = kernels.dense(rank, numRows);
  try {
    kernels.write(right, transposed(x, numRows));
    await kernels.solveTriangular(right, gram, false); // L⁻¹ Xᵀ
    return transposed(await kernels.read(right), rank);
  } finally {
    kernels.release(right);
  }
}

/** The vectors of users whichever side has them in the model; undefined where they would take too much room. */
export async function userVectors(
  kernels: Kernels,
  { side, width, vectors }: Profile,
  similarity: Similarity,
  { users, objects }: Pick<KnowledgeGraph, 'users' | 'objects'>,
): Promise<Float32Array | undefined> {
  if (side === 'users') return vectors;
  if (users.size * width > MAX_NUMBERS) return undefined;
  const rows = kernels.sparse(objects.size, users.size, similarity.rows());
  const [ofUsers, ofObjects] = [kernels.dense(users.size, width), kernels.dense(objects.size, width)];
  try {
    kernels.write(ofObjects, vectors);
    kernels.spmmTransposed(ofUsers, rows, ofObjects);
    return await kernels.read(ofUsers);
  } finally {
    kernels.release(rows, ofUsers, ofObjects);
  }
}

/** The profiles of all objects in the data, (numObjects, width). */
export async function profilesOf(
  kernels: Kernels,
  profile: Profile,
  similarity: Similarity,
  graph: Pick<KnowledgeGraph, 'users' | 'objects'>,
): Promise<Float32Array> {
  const profiles = profilesIn(kernels, profile, similarity, graph);
  if (profiles === undefined) return new Float32Array(0);
  try {
    return await kernels.read(profiles);
  } finally {
    kernels.release(profiles);
  }
}

/** The same where the engine has them; undefined where they are empty. */
export function profilesIn(
  kernels: Kernels,
  { side, width, vectors }: Profile,
  similarity: Similarity,
  { users, objects }: Pick<KnowledgeGraph, 'users' | 'objects'>,
): Dense | undefined {
  if (width === 0) return undefined;
  const rows = kernels.sparse(objects.size, users.size, similarity.rows());
  const [ofUsers, profiles] = [kernels.dense(users.size, width), kernels.dense(objects.size, width)];
  try {
    if (side === 'users') kernels.write(ofUsers, vectors);
    else {
      kernels.write(profiles, vectors);
      kernels.spmmTransposed(ofUsers, rows, profiles);
    }
    kernels.spmm(profiles, rows, ofUsers);
    return profiles;
  } finally {
    kernels.release(rows, ofUsers);
  }
}
