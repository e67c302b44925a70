// What is known of objects, as loom sees it: profiles of their users, neighbours by these users and the tags they have in the
// mean, the words of names that count. Nothing here depends on how strong a view is to be.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { Vocabulary } from '../data/vocabulary.ts';
import { wordsOf } from '../data/words.ts';
import type { Kernels } from '../engine/kernels.ts';
import type { CsrArrays, Dense } from '../engine/matrix.ts';
import { transposed, transposedArrays } from '../engine/rows.ts';
import { leadingSubspace } from '../engine/svd.ts';
import { Resemblance } from '../graph/resemblance.ts';
import { GraphRows, type WeightedGraph } from '../graph/weighted-graph.ts';
import { type Listener, makeBreather } from '../listener.ts';
import { marksOfTagged } from '../models/loom.ts';
import { type Profile, profilesOf } from '../models/loom-profile.ts';
import { neighbourMeans } from '../models/neighbour-means.ts';
import { knownWords } from '../models/word-rows.ts';
import type { LoomSettings } from './config-loom.ts';
import type { ContentView } from './loom-content.ts';

/** What users alone tell: the same whichever pairs of objects and tags are known. */
export interface UserView {
  readonly resemblance: Resemblance;
  readonly profile: Pick<Profile, 'side' | 'width' | 'vectors'>;
  readonly profiles: Float32Array; // (numObjects, width)
}

/** What is known of some objects, before any strength is chosen. */
export interface Views {
  readonly train: KnowledgeGraph;
  readonly users: UserView;
  readonly objects: Int32Array;
  // a row for each of them
  readonly neighbours: WeightedGraph; // objects most alike
  readonly means: CsrArrays; // by tags: of these neighbours
  readonly words: CsrArrays; // by words: ones
  readonly vocabulary: Vocabulary; // of the words
  /** Where objects have features. */
  readonly content?: ContentView | undefined;
}

const MAX_NUMBERS = 2 ** 26; // in the profiles of all objects: a quarter of a gigabyte
const MIN_WIDTH = 16;

export async function viewUsers(
  kernels: Kernels,
  train: KnowledgeGraph,
  { userDamping, profileWidth, seed }: LoomSettings,
  listener: Listener,
): Promise<UserView> {
  const resemblance = new Resemblance(train.interact, userDamping);
  const width = Math.min(profileWidth, Math.max(MIN_WIDTH, Math.floor(MAX_NUMBERS / Math.max(1, train.objects.size))));
  const profile = await profileVectors(kernels, resemblance, train, { width, seed }, listener);
  return { resemblance, profile, profiles: await profilesOf(kernels, profile, resemblance, train) };
}

export async function viewObjects(
  train: KnowledgeGraph,
  users: UserView,
  objects: Int32Array,
  { neighbours: most, wordCount }: LoomSettings,
  listener: Listener,
): Promise<Views> {
  const neighbours = await nearestTagged(users.resemblance, train, { objects, most }, listener);
  const vocabulary = commonWords(train, wordCount);
  const words = wordRows(vocabulary, train, objects);
  return { train, users, objects, neighbours, means: meansOf(neighbours, train), words, vocabulary };
}

async function nearestTagged(
  resemblance: Resemblance,
  { tagged }: KnowledgeGraph,
  { objects, most }: { objects: Int32Array; most: number },
  listener: Listener,
): Promise<WeightedGraph> {
  const breathe = makeBreather(listener);
  const among = marksOfTagged(tagged);
  const rows = new GraphRows(objects.length);
  for (const [i, object] of objects.entries()) {
    if (i % 64 === 0) {
      listener.progress?.('finding neighbours', i, objects.length);
      await breathe();
    }
    const { objects: ids, cosines } = resemblance.nearest(resemblance.usersOf(object), { most, among, except: object });
    for (let n = 0; n < ids.length; n++) rows.add(ids[n], cosines[n]);
    rows.endRow();
  }
  return rows.finish();
}

function meansOf({ numNodes, rowStart, columns, weights }: WeightedGraph, { tagged }: KnowledgeGraph): CsrArrays {
  const rows = new GraphRows(numNodes);
  for (let i = 0; i < numNodes; i++) {
    const [start, end] = [rowStart[i], rowStart[i + 1]];
    const alike = { objects: columns.subarray(start, end), cosines: weights.subarray(start, end) };
    const means = [...neighbourMeans(alike, tagged)].sort(([a], [b]) => a - b);
    for (const [tag, mean] of means) rows.add(tag, mean);
    rows.endRow();
  }
  return arraysOf(rows);
}

function wordRows(words: Vocabulary, { titles }: KnowledgeGraph, objects: Int32Array): CsrArrays {
  const rows = new GraphRows(objects.length);
  for (const object of objects) {
    for (const word of knownWords(words, titles.at(object))) rows.add(word, 1);
    rows.endRow();
  }
  return arraysOf(rows);
}

function arraysOf(rows: GraphRows): CsrArrays {
  const { rowStart, columns, weights: values } = rows.finish();
  return { rowStart, columns, values };
}

async function profileVectors(
  kernels: Kernels,
  resemblance: Resemblance,
  { users, objects, interact }: KnowledgeGraph,
  { width, seed }: { width: number; seed: number },
  listener: Listener,
): Promise<UserView['profile']> {
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
