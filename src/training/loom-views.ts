// What is known of all objects, as loom sees it: neighbours by their users and the tags they have in the mean, the words of
// names that count, profiles of users. Nothing here depends on how strong a view is to be.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { Vocabulary } from '../data/vocabulary.ts';
import { wordsOf } from '../data/words.ts';
import type { Kernels } from '../engine/kernels.ts';
import type { CsrArrays, Dense } from '../engine/matrix.ts';
import { leadingSubspace } from '../engine/svd.ts';
import { transposed, transposedArrays } from '../engine/transpose.ts';
import { Resemblance } from '../graph/resemblance.ts';
import { GraphRows, type WeightedGraph } from '../graph/weighted-graph.ts';
import { type Listener, makeBreather } from '../listener.ts';
import { marksOfTagged, neighbourMeans, type Profile, profilesOf } from '../models/loom.ts';
import type { LoomSettings } from './config-loom.ts';

/** What is known of all objects, before any strength is chosen. */
export interface Views {
  readonly train: KnowledgeGraph;
  readonly neighbours: WeightedGraph; // over objects
  readonly means: CsrArrays; // objects by tags
  readonly words: Vocabulary;
  readonly profile: Pick<Profile, 'side' | 'width' | 'vectors'>;
  readonly profiles: Float32Array; // (numObjects, width)
  /** Tagged objects to learn from, ascending. */
  readonly objects: Int32Array;
}

export async function viewObjects(
  kernels: Kernels,
  train: KnowledgeGraph,
  settings: LoomSettings,
  listener: Listener,
): Promise<Views> {
  const { userDamping, neighbours: most, profileWidth, seed } = settings;
  const resemblance = new Resemblance(train.interact, userDamping);
  const neighbours = await nearestTagged(resemblance, train, most, listener);
  const profile = await profileVectors(kernels, resemblance, train, { width: profileWidth, seed }, listener);
  const profiles = await profilesOf(kernels, profile, resemblance, train);
  const words = commonWords(train, settings.wordCount);
  const means = allMeans(neighbours, train);
  return { train, neighbours, means, words, profile, profiles, objects: taggedObjects(train) };
}

async function nearestTagged(
  resemblance: Resemblance,
  { objects, tagged }: KnowledgeGraph,
  most: number,
  listener: Listener,
): Promise<WeightedGraph> {
  const breathe = makeBreather(listener);
  const among = marksOfTagged(tagged);
  const rows = new GraphRows(objects.size);
  for (let object = 0; object < objects.size; object++) {
    if (object % 64 === 0) {
      listener.progress?.('finding neighbours', object, objects.size);
      await breathe();
    }
    const { objects: ids, cosines } = resemblance.nearest(resemblance.usersOf(object), { most, among, except: object });
    for (let i = 0; i < ids.length; i++) rows.add(ids[i], cosines[i]);
    rows.endRow();
  }
  return rows.finish();
}

function allMeans({ rowStart, columns, weights }: WeightedGraph, { objects, tagged }: KnowledgeGraph): CsrArrays {
  const rows = new GraphRows(objects.size);
  for (let object = 0; object < objects.size; object++) {
    const [start, end] = [rowStart[object], rowStart[object + 1]];
    const alike = { objects: columns.subarray(start, end), cosines: weights.subarray(start, end) };
    const means = [...neighbourMeans(alike, tagged)].sort(([a], [b]) => a - b);
    for (const [tag, mean] of means) rows.add(tag, mean);
    rows.endRow();
  }
  const { rowStart: starts, columns: tags, weights: values } = rows.finish();
  return { rowStart: starts, columns: tags, values };
}

async function profileVectors(
  kernels: Kernels,
  resemblance: Resemblance,
  { users, objects, interact }: KnowledgeGraph,
  { width, seed }: { width: number; seed: number },
  listener: Listener,
): Promise<Views['profile']> {
  const side = users.size <= objects.size ? 'users' : 'objects';
  const rank = interact.size === 0 ? 0 : Math.min(width, users.size, objects.size);
  if (rank === 0) return { side, width: 0, vectors: new Float32Array(0) };
  listener.progress?.('profiling', 0, 1);
  const arrays = resemblance.rows();
  const rows = kernels.csr(objects.size, users.size, arrays);
  const columns = kernels.csr(users.size, objects.size, transposedArrays(arrays, users.size));
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
  kernels.cholesky(gram);
  const numRows = x.length / rank;
  const right = kernels.dense(rank, numRows);
  try {
    kernels.write(right, transposed(x, numRows));
    kernels.solveTriangular(right, gram, false); // L⁻¹ Xᵀ
    return transposed(await kernels.read(right), rank);
  } finally {
    kernels.release(right);
  }
}

export function taggedObjects({ objects, tagged }: KnowledgeGraph): Int32Array {
  return Int32Array.from({ length: objects.size }, (_, object) => object).filter((one) => tagged.rowLength(one) > 0);
}

/** The words in the names of enough tagged objects; none where 0 is asked for. */
export function commonWords(train: KnowledgeGraph, least: number): Vocabulary {
  const counts = new Map<string, number>();
  for (const object of least === 0 ? [] : taggedObjects(train)) {
    for (const word of wordsOf(train.titles.at(object))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return Vocabulary.from([...counts].filter(([, count]) => count >= least).map(([word]) => word));
}
