// HeteLearn (Jiang, Liu, Fu, Wu and Zhang, "Recommendation in heterogeneous information networks based on generalized
// random walk model and Bayesian personalized ranking", WSDM 2018): a random walk with restart on the graph of users,
// objects and tags, where the weights of the kinds of edges are learnt. A tag's score for an object is the probability to
// find the walk there that sets out from the object: p = α · e_object + (1 − α) · Wᵀ p, W the walk's transitions.
//
// α is the probability to set out again. (Read as the probability to go on, 0.8 was worse on validation pairs of all data
// sets: long walks forget where they came from.) The walk can only go from an object to a user or a tag, and back. The
// weights of the edges back cancel, so one number is left to learn: how much rather the walk takes an edge to a tag than
// one to a user. It is the one with the best Recall@3 on pairs held out of the training pairs, of a few.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Relation } from '../data/relation.ts';
import { split } from '../data/split.ts';
import type { Kernels } from '../engine/kernels.ts';
import type { Dense, Sparse } from '../engine/matrix.ts';
import type { Listener } from '../listener.ts';
import { linearScale, SEED, type SettingList, type SettingsOf } from '../settings.ts';
import type { SparseScores } from './forms/sparse-scores.ts';
import { modelKind } from './model-kind.ts';
import { BLOCK_TAGS, KEPT_TAGS, propagateTags } from './propagate.ts';

export const HETELEARN_SETTINGS = {
  restart: {
    default: 0.8,
    min: 1e-3,
    max: 0.999,
    tune: linearScale(0.05, 0.95),
    help: 'α: probability that the walk sets out again',
  },
  rounds: {
    default: 3,
    min: 1,
    max: 1000,
    whole: true,
    tune: linearScale(2, 6),
    help: 'walks have up to 2 · rounds − 1 steps',
  },
  heldOut: { default: 0.1, min: 1e-3, max: 0.9, help: 'share of the pairs on which the weight of tags is chosen' },
  keep: KEPT_TAGS,
  seed: SEED,
} as const satisfies SettingList;

export type HeteLearnSettings = SettingsOf<typeof HETELEARN_SETTINGS>;
type WalkSettings = Pick<HeteLearnSettings, 'restart' | 'rounds' | 'keep'>;

export const HETELEARN = modelKind(
  'random walks over users, objects and tags',
  HETELEARN_SETTINGS,
  async ({ kernels, train, settings, listener }) => ({
    fitted: await fitHeteLearn(kernels, train, settings, listener),
  }),
);

const TAG_WEIGHTS = [0.3, 1, 3, 10, 30]; // tried

export async function fitHeteLearn(
  kernels: Kernels,
  train: KnowledgeGraph,
  settings: HeteLearnSettings,
  listener: Listener = {},
): Promise<SparseScores> {
  const tagWeight = await learnTagWeight(kernels, train, settings, listener);
  return walkToTags(kernels, train, { ...settings, tagWeight }, listener);
}

/** Of an edge from an object to a tag, where one to a user has 1. */
export async function learnTagWeight(
  kernels: Kernels,
  train: KnowledgeGraph,
  settings: HeteLearnSettings,
  listener: Listener = {},
): Promise<number> {
  if (train.tagged.size < 2) return 1;
  const parts = split(train, { trainFraction: 1 - settings.heldOut, seed: settings.seed });
  let best = { tagWeight: 1, recall: -1 };
  for (const tagWeight of TAG_WEIGHTS) {
    const scores = await walkToTags(kernels, parts.train, { ...settings, tagWeight, keep: 3 }, listener);
    const recall = recallOf(scores, parts.test);
    if (recall > best.recall) best = { tagWeight, recall };
  }
  return best.tagWeight;
}

/** Mean share of an object's held-out tags that are among those kept. */
function recallOf({ rowStart, columns }: SparseScores, heldOut: Relation): number {
  let [total, numObjects] = [0, 0];
  for (let object = 0; object < heldOut.numHeads; object++) {
    if (heldOut.rowLength(object) === 0) continue;
    const found = columns.subarray(rowStart[object], rowStart[object + 1]).filter((tag) => heldOut.has(object, tag));
    total += found.length / heldOut.rowLength(object);
    numObjects++;
  }
  return total / numObjects;
}

/**
 * All walks at once, from their end: the probability s(v) to get from v to a tag is (1 − α) Σ W(v, w) s(w), and α more at
 * the tag itself. Users and tags are passed on the way from objects to objects.
 */
export async function walkToTags(
  kernels: Kernels,
  train: KnowledgeGraph,
  { tagWeight, restart, rounds, keep }: WalkSettings & { readonly tagWeight: number },
  listener: Listener = {},
): Promise<SparseScores> {
  const { interact, tagged } = train;
  const [usersOf, objectsOf] = [interact.reversed(), tagged.reversed()]; // of an object, of a tag
  const goOn = 1 - restart;
  const totalOf = (object: number) => tagWeight * tagged.rowLength(object) + usersOf.rowLength(object);
  const toTag = (object: number) => (goOn * tagWeight) / totalOf(object);
  const transitions = [
    transitionMatrix(kernels, usersOf, (object) => goOn / totalOf(object)),
    transitionMatrix(kernels, interact, (user) => goOn / interact.rowLength(user)),
    transitionMatrix(kernels, tagged, toTag),
    transitionMatrix(kernels, objectsOf, (tag) => goOn / objectsOf.rowLength(tag)),
  ];
  const [objectToUser, userToObject, objectToTag, tagToObject] = transitions;
  const [atUsers, atTags] = [train.users.size, train.tags.size].map((size) => kernels.dense(size, BLOCK_TAGS));
  const step = (next: Dense, current: Dense) => {
    kernels.spmm(atUsers, userToObject, current);
    kernels.spmm(next, objectToUser, atUsers, true);
    kernels.spmm(atTags, tagToObject, current);
    kernels.spmm(next, objectToTag, atTags, true);
  };
  const injected = Float32Array.from({ length: tagged.numHeads }, (_, object) =>
    tagged.rowLength(object) === 0 ? 0 : restart * toTag(object),
  );
  try {
    return await propagateTags(kernels, train, { injected, step, rounds, keep }, listener);
  } finally {
    kernels.release(atUsers, atTags, ...transitions);
  }
}

/** From heads to tails; all edges of a head have one probability. */
function transitionMatrix(kernels: Kernels, relation: Relation, probabilityOf: (head: number) => number): Sparse {
  const { numHeads, numTails, rowStart, heads, tails } = relation;
  const values = new Float32Array(heads.length);
  for (let i = 0; i < heads.length; i++) values[i] = probabilityOf(heads[i]);
  return kernels.sparse(numHeads, numTails, { rowStart, columns: tails, values });
}
