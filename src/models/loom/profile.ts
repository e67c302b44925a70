// loom's view of an object's users as a whole: its profile, the leading singular vectors of objects by users. Of more objects than
// are learnt from, those of the sample tell the vectors, each as often as it counts.

import { type Csr, numRowsOf, selectedRows, transposedCsr } from '../../csr.ts';
import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { Kernels } from '../../engine/kernels.ts';
import type { Dense } from '../../engine/matrix.ts';
import { transposed } from '../../engine/numerics/dense.ts';
import { leadingSubspace } from '../../engine/numerics/svd.ts';
import { warnOfCapped } from '../../graph/capped-middles.ts';
import type { RowSample } from '../../graph/row-sample.ts';
import { Similarity } from '../../graph/similarity.ts';
import type { Listener } from '../../listener.ts';
import { timesRows } from '../ridge/weighted-rows.ts';
import { numUsersOf } from './candidates.ts';
import type { Profile } from './loom.ts';
import type { LoomSettings } from './settings.ts';

/** What users alone tell: the same whichever pairs of objects and tags are known. */
export interface UserView {
  /** Undefined where an engine counted who used what, and the pairs are not here (counted-profiles.ts). */
  readonly similarity?: Similarity | undefined;
  readonly profile: Profile;
  readonly profiles: Float32Array; // (numObjects, width)
  readonly numUsers: Int32Array; // by object
}

const MAX_NUMBERS = 2 ** 26; // in the profiles of all objects, or the vectors of all users: a quarter of a gigabyte
const MIN_WIDTH = 16;

/** `sample`: what is learnt from, if not all objects. */
export async function viewUsers(
  kernels: Kernels,
  train: KnowledgeGraph,
  { userDamping, profileWidth, seed }: LoomSettings,
  listener: Listener,
  sample?: RowSample,
): Promise<UserView> {
  warnOfCapped(train.interact, { middle: 'user', node: 'object' }, listener);
  const similarity = new Similarity(train.interact, userDamping);
  const all = similarity.rows();
  const options = { numUsers: train.users.size, width: widthOf(train.objects.size, profileWidth), seed };
  const profile =
    sample?.weights === undefined
      ? await profileVectors(kernels, all, options, listener)
      : await sampledVectors(kernels, selectedRows(all, sample.objects), sample.weights, options, listener);
  const profiles = await profilesOf(kernels, profile, similarity, train);
  return { similarity, numUsers: numUsersOf(train), ...withoutConstants(profile, profiles) };
}

/** So many numbers describe the users of an object that all of them fit. */
export function widthOf(numObjects: number, profileWidth: number): number {
  return Math.min(profileWidth, Math.max(MIN_WIDTH, Math.floor(MAX_NUMBERS / Math.max(1, numObjects))));
}

const ROUNDING = 1e-5; // of a number's size

/** Without columns that are the same for all objects, as with a single user who used everything: they tell nothing. */
export function withoutConstants(profile: Profile, profiles: Float32Array): Pick<UserView, 'profile' | 'profiles'> {
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

interface VectorOptions {
  readonly numUsers: number;
  readonly width: number;
  readonly seed: number;
}

/** `arrays`: objects by users. */
async function profileVectors(
  kernels: Kernels,
  arrays: Csr,
  { numUsers, width, seed }: VectorOptions,
  listener: Listener,
): Promise<Profile & { readonly side: 'users' | 'objects' }> {
  const numObjects = numRowsOf(arrays);
  const side = numUsers <= numObjects ? 'users' : 'objects';
  const rank = arrays.columns.length === 0 ? 0 : Math.min(width, numUsers, numObjects);
  if (rank === 0) return { side, width: 0, vectors: new Float32Array(0) };
  listener.progress?.('profiling', 0, 1);
  const rows = kernels.sparse(numObjects, numUsers, arrays);
  const columns = kernels.sparse(numUsers, numObjects, transposedCsr(arrays, numUsers));
  const basis = await leadingSubspace(kernels, side === 'users' ? rows : columns, { rank, seed, iterations: 3 });
  const [ofUsers, gram] = [kernels.dense(numUsers, rank), kernels.dense(rank, rank)];
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

/** The vectors of users, from some objects that count as often as their weights say. */
export async function sampledVectors(
  kernels: Kernels,
  rows: Csr,
  weights: ArrayLike<number>,
  options: VectorOptions,
  listener: Listener,
): Promise<Profile> {
  const weighted = timesRows(rows, Float64Array.from(weights, Math.sqrt));
  const { side, width, vectors } = await profileVectors(kernels, weighted, options, listener);
  if (side === 'users') return { side, width, vectors };
  return { side: 'users', width, vectors: await throughObjects(kernels, weighted, options.numUsers, width, vectors) };
}

/** Rᵀ x, R being objects by users. */
async function throughObjects(
  kernels: Kernels,
  arrays: Csr,
  numUsers: number,
  width: number,
  vectors: Float32Array,
): Promise<Float32Array> {
  if (width === 0) return new Float32Array(0);
  const rows = kernels.sparse(numRowsOf(arrays), numUsers, arrays);
  const [ofUsers, ofObjects] = [kernels.dense(numUsers, width), kernels.dense(numRowsOf(arrays), width)];
  try {
    kernels.write(ofObjects, vectors);
    kernels.spmmTransposed(ofUsers, rows, ofObjects);
    return await kernels.read(ofUsers);
  } finally {
    kernels.release(rows, ofUsers, ofObjects);
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
  { users }: Pick<KnowledgeGraph, 'users'>,
): Promise<Float32Array | undefined> {
  if (side === 'users') return vectors;
  if (side === 'profiles' || users.size * width > MAX_NUMBERS) return undefined;
  return throughObjects(kernels, similarity.rows(), users.size, width, vectors);
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
