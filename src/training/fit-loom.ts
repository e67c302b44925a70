// loom, from a knowledge graph to what it leaves. The views of every tagged object become one row of features, a ridge
// regression is solved over them, and of its weights the strongest are kept.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { Vocabulary } from '../data/vocabulary.ts';
import { wordsOf } from '../data/words.ts';
import type { Kernels } from '../engine/kernels.ts';
import type { CsrArrays, Dense } from '../engine/matrix.ts';
import { leadingSubspace } from '../engine/svd.ts';
import { InputError } from '../errors.ts';
import { Resemblance } from '../graph/resemblance.ts';
import { GraphRows, type WeightedGraph } from '../graph/weighted-graph.ts';
import { type Listener, makeBreather } from '../listener.ts';
import type { Outcome } from '../models/confidence.ts';
import { knownWords, type Loom, marksOfTagged, neighbourMeans, type Profile, profilesOf } from '../models/loom.ts';
import type { LoomSettings } from './config-loom.ts';
import { loomOutcomes } from './loom-outcomes.ts';
import { tagCounts } from './noise.ts';
import { type RidgeProblem, solveRidge, transposedArrays } from './ridge.ts';
import { strongestWeights } from './strongest-weights.ts';

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

/** Solves for the weights and keeps the strongest; outcomes if they are asked for. */
export async function weave(
  kernels: Kernels,
  views: Views,
  settings: LoomSettings,
  { judges = false, listener }: { readonly judges?: boolean; readonly listener: Listener },
): Promise<{ loom: Loom; outcomes: Outcome[] }> {
  const { train, objects } = views;
  const problem = ridgeProblem(views, settings);
  refuseTooLarge(problem);
  const ridge = await solveRidge(kernels, problem, listener);
  try {
    const { weights, rest } = await strongestWeights(ridge, problem, {
      numSparse: 2 * train.tags.size + views.words.size,
      perTarget: settings.weightsPerTag,
      listener,
    });
    const { width } = views.profile;
    const numTags = train.tags.size;
    const loom: Loom = {
      form: 'loom',
      damping: settings.userDamping,
      numNeighbours: settings.neighbours,
      neighbours: views.neighbours,
      words: views.words,
      weights: scaledRows(weights, featureScales(views, settings)),
      profile: {
        ...views.profile,
        weights: rest.subarray(0, width * numTags).map((weight) => weight * Math.sqrt(settings.profileStrength)),
      },
      base: rest.subarray(width * numTags, (width + 1) * numTags).slice(),
    };
    const { seed } = settings;
    return { loom, outcomes: judges ? await loomOutcomes(ridge, loom, train, objects, { seed, listener }) : [] };
  } finally {
    ridge.release();
  }
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
  const { weights: values, ...rest } = rows.finish();
  return { rowStart: rest.rowStart, columns: rest.columns, values };
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
  const columns = new Float32Array(x.length); // (rank, numRows)
  for (let r = 0; r < numRows; r++) for (let k = 0; k < rank; k++) columns[k * numRows + r] = x[r * rank + k];
  const right = kernels.dense(rank, numRows);
  kernels.write(right, columns);
  kernels.solveTriangular(right, gram, false); // L⁻¹ Xᵀ
  const solved = await kernels.read(right);
  kernels.release(right);
  const out = new Float32Array(x.length);
  for (let r = 0; r < numRows; r++) for (let k = 0; k < rank; k++) out[r * rank + k] = solved[k * numRows + r];
  return out;
}

/** Columns: own tags, neighbours' tags, words, the profile, a constant; rows: the tagged objects. */
function ridgeProblem(views: Views, settings: LoomSettings): RidgeProblem {
  const { train, means, words, profile, profiles, objects } = views;
  const { tagged, tags } = train;
  const { width } = profile;
  const scales = featureScales(views, settings);
  const numSparse = scales.length;
  const profileScale = Math.sqrt(settings.profileStrength);
  const rows = new GraphRows(objects.length);
  for (const object of objects) {
    for (const tag of tagged.row(object)) rows.add(tag, scales[tag]);
    for (let e = means.rowStart[object]; e < means.rowStart[object + 1]; e++) {
      const feature = tags.size + means.columns[e];
      rows.add(feature, means.values[e] * scales[feature]);
    }
    for (const word of knownWords(words, train.titles.at(object))) {
      rows.add(2 * tags.size + word, scales[2 * tags.size + word]);
    }
    for (let k = 0; k < width; k++) rows.add(numSparse + k, profiles[object * width + k] * profileScale);
    rows.add(numSparse + width, 1);
    rows.endRow();
  }
  const { rowStart, columns, weights: values } = rows.finish();
  return {
    numRows: objects.length,
    numFeatures: numSparse + width + 1,
    features: { rowStart, columns, values },
    numTargets: tags.size,
    targetScales: scales.subarray(0, tags.size),
  };
}

const MAX_SIZE = 30_000; // of the matrix to invert: the engine's memory ends at 4 GB

function refuseTooLarge({ numRows, numFeatures }: RidgeProblem): void {
  if (Math.min(numRows, numFeatures) <= MAX_SIZE) return;
  const got = `${numRows} tagged objects and ${numFeatures} features`;
  const cure =
    'Merge or drop rare tags (--merge-tags), pass --set wordCount=0, or take another model, such as itemknn.';
  throw new InputError({ got, expected: `at most ${MAX_SIZE} of one of them, for loom`, cure });
}

export function taggedObjects({ objects, tagged }: KnowledgeGraph): Int32Array {
  return Int32Array.from({ length: objects.size }, (_, object) => object).filter((one) => tagged.rowLength(one) > 0);
}

/** By which own tags, neighbours' tags and words are multiplied so that their penalty is 1. */
function featureScales({ train, words }: Views, settings: LoomSettings): Float32Array {
  const counts = tagCounts(train);
  const scales = new Float32Array(2 * counts.length + words.size);
  for (let tag = 0; tag < counts.length; tag++) {
    scales[tag] = 1 / Math.sqrt(settings.ownPenalty + settings.countPenalty * counts[tag]);
  }
  scales.fill(Math.sqrt(settings.neighbourStrength), counts.length, 2 * counts.length);
  scales.fill(Math.sqrt(settings.wordStrength), 2 * counts.length);
  return scales;
}

/** The words in the names of enough tagged objects; none where 0 is asked for. */
function commonWords(train: KnowledgeGraph, least: number): Vocabulary {
  const counts = new Map<string, number>();
  for (const object of least === 0 ? [] : taggedObjects(train)) {
    for (const word of wordsOf(train.titles.at(object))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return Vocabulary.from([...counts].filter(([, count]) => count >= least).map(([word]) => word));
}

function scaledRows(graph: WeightedGraph, scales: Float32Array): WeightedGraph {
  const weights = graph.weights.slice();
  for (let row = 0; row < graph.numNodes; row++) {
    for (let e = graph.rowStart[row]; e < graph.rowStart[row + 1]; e++) weights[e] *= scales[row];
  }
  return { ...graph, weights };
}
