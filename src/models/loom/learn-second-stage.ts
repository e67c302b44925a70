// How the second stage is learnt: from candidates of objects some tags of which were hidden (hindsight.ts), so that it never sees
// a pair the first stage knew. A fold of objects hides its tags together: if each hid them alone, a hidden tag would have one
// carrier less than it has for all others, and that would tell it. Half of the folds learn, the other half judges, and the other
// way round: that says how many trees there should be, whether they pay at all, and how sure to be.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import { type Listener, makeBreather } from '../../listener.ts';
import { type Find, NUM_JUDGED } from '../confidence.ts';
import { topTags } from '../scorer.ts';
import { answerOf, TreeLearner, type TreeRows } from './boosted-trees.ts';
import { CANDIDATE_FEATURES, type Candidates, CandidateTable } from './candidates.ts';
import { BLOCK, type Example, type Hindsight } from './hindsight.ts';
import { shareOf } from './loom.ts';
import { mixed, WORTH } from './mixing.ts';
import type { Rehearsed } from './rehearsal.ts';
import { logScore, type SecondStage } from './second-stage.ts';
import type { Views } from './views.ts';

const MAX_EXAMPLES = 5000; // objects with something hidden, in all rounds
const MAX_WITHOUT = 1250; // objects with nothing hidden: they stand for all such, where how sure to be is judged
const MIN_EXAMPLES = 300; // fewer tell nothing
const MAX_TREES = 300;
const STEP = 20; // trees
const PATIENCE = 40; // trees that may not help
const WIDTH = CANDIDATE_FEATURES.length;
const MIN_FOLDS = 6;

/** An object with some tags hidden, and its candidates. */
interface Judged {
  readonly example: Example;
  /** How many objects it stands for. */
  readonly weight: number;
  /** Of the folds: 0 or 1. */
  readonly half: number;
  readonly candidates: Candidates;
}

export interface LearntSecondStage {
  /** Undefined where it does not pay. */
  readonly stage: SecondStage | undefined;
  /** What was found of hidden tags, by scores that did not know the answer, in so many objects. */
  readonly found: readonly Find[];
  readonly numObjects: number;
}

export async function learnSecondStage(
  hindsight: Hindsight,
  views: Views,
  { mixing, isBetterWith }: Pick<Rehearsed, 'mixing'> & Partial<Pick<Rehearsed, 'isBetterWith'>>,
  isWanted: boolean,
  listener: Listener,
): Promise<LearntSecondStage> {
  const judged = await judgeExamples(hindsight, views, mixing, listener);
  const numHidden = judged.filter(({ example }) => example.hidden.length > 0).length;
  const first = judged.map(({ candidates }) => firstScoresOf(candidates));
  const numObjects = judged.reduce((sum, { weight }) => sum + weight, 0);
  if (!isWanted || numHidden < MIN_EXAMPLES) return { stage: undefined, found: findsOf(judged, first), numObjects };
  const breathe = makeBreather(listener);
  const { numTrees, likelihoods } = await chooseNumberOfTrees(judged, breathe);
  const after = recallsOf(judged, likelihoods);
  let stage: SecondStage | undefined;
  if (isBetter(after, recallsOf(judged, first))) {
    stage = await stageFrom(judged, numTrees, breathe);
    // hidden tags of few objects can still be told by what hiding them did to the fit: there, a fit that never knew them has a say
    if (isBetterWith && !(await isBetterWith(stage))) stage = undefined;
  }
  return { stage, found: findsOf(judged, stage ? likelihoods : first), numObjects };
}

const SURE = 2; // standard errors

/** Whether the mean of pairs is higher by more than chance makes it. */
function isBetter(after: Float64Array, before: Float64Array): boolean {
  const gains = after.map((one, i) => one - before[i]);
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
  const variance = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / gains.length;
  return mean > Math.max(WORTH, SURE * Math.sqrt(variance / gains.length));
}

async function judgeExamples(
  hindsight: Hindsight,
  views: Views,
  mixing: readonly number[],
  listener: Listener,
): Promise<Judged[]> {
  const { train } = views;
  const { numUsers } = views.users;
  const judged: Judged[] = [];
  for (const round of hindsight.rounds) {
    const left = MAX_EXAMPLES - judged.filter(({ example }) => example.hidden.length > 0).length;
    const { examples, weightOfNone } = someOf(round, left);
    const numFolds = 2 * Math.ceil(Math.max(MIN_FOLDS, examples.length / BLOCK) / 2);
    for (let fold = 0; fold < numFolds; fold++) {
      const some = examples.filter((_, i) => i % numFolds === fold);
      const table = new CandidateTable(withoutHidden(train, some));
      for await (const { example, tagged, untagged } of hindsight.scores(some, 'some', listener)) {
        const { object, row, known } = example;
        const scores = mixed([tagged, untagged], shareOf(mixing, known.length));
        const first = { known, numUsers: numUsers[object], scores, bareScores: untagged };
        const candidates = table.ofRow(views, row, first);
        judged.push({ example, weight: example.hidden.length > 0 ? 1 : weightOfNone, half: fold % 2, candidates });
      }
    }
  }
  return judged;
}

/** Of a round, so many objects that about `most` of them hide something; of the others among them only some, which count for all. */
function someOf(
  round: readonly Example[],
  most: number,
): { readonly examples: readonly Example[]; readonly weightOfNone: number } {
  const hides = ({ hidden }: Example) => hidden.length > 0;
  const known = round.filter((example) => example.known.length > 0);
  const first = known.slice(0, Math.ceil((known.length * Math.max(0, most)) / Math.max(1, known.filter(hides).length)));
  const without = first.filter((example) => !hides(example));
  const kept = new Set(without.slice(0, MAX_WITHOUT));
  return {
    examples: first.filter((example) => hides(example) || kept.has(example)),
    weightOfNone: without.length / Math.max(1, kept.size),
  };
}

function withoutHidden(train: KnowledgeGraph, examples: readonly Example[]): KnowledgeGraph {
  const { tagged } = train;
  const marks = new Uint8Array(tagged.size).fill(1);
  for (const { object, hidden } of examples) {
    for (let e = tagged.rowStart[object]; e < tagged.rowStart[object + 1]; e++) {
      if (hidden.includes(tagged.tails[e])) marks[e] = 0;
    }
  }
  return { ...train, tagged: tagged.select(marks) };
}

function firstScoresOf({ tags, features }: Candidates): Float32Array {
  return Float32Array.from(tags, (_, c) => features[c * WIDTH]);
}

/** What is learnt from, of the objects that have something hidden. */
interface StageRows extends TreeRows {
  readonly start: SecondStage['start'];
}

const NUM_FIRST = 15; // candidates of an object that are all learnt from
const STRIDE = 4; // of the others that were not hidden, one in so many stands for all

function rowsOf(judged: readonly Judged[]): StageRows {
  const some = judged.filter(({ example }) => example.hidden.length > 0);
  const places = some.flatMap(({ example, candidates }, i) =>
    Array.from(candidates.tags, (tag, c) => {
      const isRight = example.hidden.includes(tag);
      const isOneOfMany = !isRight && c >= NUM_FIRST;
      return isOneOfMany && (i + c) % STRIDE > 0 ? [] : [{ candidates, c, isRight, weight: isOneOfMany ? STRIDE : 1 }];
    }).flat(),
  );
  const features = new Float32Array(places.length * WIDTH);
  for (const [row, { candidates, c }] of places.entries()) {
    features.set(candidates.features.subarray(c * WIDTH, (c + 1) * WIDTH), row * WIDTH);
  }
  const answers = Uint8Array.from(places, ({ isRight }) => (isRight ? 1 : 0));
  const weights = Float64Array.from(places, ({ weight }) => weight);
  const logs = Float64Array.from(answers, (_, r) => logScore(features[r * WIDTH]));
  const start = logisticLine(logs, answers, weights);
  const odds = logs.map((log) => start[0] + start[1] * log);
  return { numFeatures: WIDTH, features, answers, weights, odds, start };
}

async function stageFrom(
  judged: readonly Judged[],
  numTrees: number,
  breathe: () => Promise<void> | undefined,
): Promise<SecondStage> {
  const rows = rowsOf(judged);
  const learner = new TreeLearner(rows);
  await learner.learn(numTrees, breathe);
  return { start: rows.start, trees: learner.trees, middle: mediansOf(rows.features, rows.answers.length) };
}

const NEWTON_STEPS = 20;

/** Intercept and slope of a logistic regression on one number. */
function logisticLine(xs: Float64Array, answers: Uint8Array, weights: Float64Array): Float64Array {
  const line = Float64Array.of(0, 1);
  for (let step = 0; step < NEWTON_STEPS; step++) {
    let [g0, g1, h00, h01, h11] = [0, 0, 1e-6, 0, 1e-6];
    for (let i = 0; i < xs.length; i++) {
      const likely = 1 / (1 + Math.exp(-(line[0] + line[1] * xs[i])));
      const [slope, bend] = [weights[i] * (answers[i] - likely), weights[i] * likely * (1 - likely)];
      g0 += slope;
      g1 += slope * xs[i];
      h00 += bend;
      h01 += bend * xs[i];
      h11 += bend * xs[i] * xs[i];
    }
    const determinant = h00 * h11 - h01 * h01;
    line[0] += (h11 * g0 - h01 * g1) / determinant;
    line[1] += (h00 * g1 - h01 * g0) / determinant;
  }
  return line;
}

function mediansOf(features: Float32Array, numRows: number): Float32Array {
  return Float32Array.from({ length: WIDTH }, (_, f) => {
    const values = Float32Array.from({ length: numRows }, (_, row) => features[row * WIDTH + f]).sort();
    return values[numRows >>> 1] ?? 0;
  });
}

/** By the log loss, each object judged by trees that did not learn from it; the search ends where more of them stop helping. */
async function chooseNumberOfTrees(
  judged: readonly Judged[],
  breathe: () => Promise<void> | undefined,
): Promise<{ readonly numTrees: number; readonly likelihoods: Float32Array[] }> {
  const halves = [0, 1].map((half) => rowsOf(judged.filter((one) => one.half === half)));
  const learners = halves.map((rows) => new TreeLearner(rows));
  const odds = judged.map(({ candidates, half }) => {
    const { start } = halves[1 - half];
    return Float64Array.from(firstScoresOf(candidates), (score) => start[0] + start[1] * logScore(score));
  });
  let best = { numTrees: 0, loss: lossOf(judged, odds), likelihoods: odds.map(toLikelihoods) };
  for (let numTrees = STEP; numTrees <= Math.min(MAX_TREES, best.numTrees + PATIENCE); numTrees += STEP) {
    for (const learner of learners) await learner.learn(STEP, breathe);
    const trees = learners.map((learner) => learner.trees);
    for (const [i, { candidates, half }] of judged.entries()) {
      for (let c = 0; c < candidates.tags.length; c++) {
        odds[i][c] += answerOf(trees[1 - half], candidates.features, c * WIDTH, [numTrees - STEP, numTrees]);
      }
    }
    const loss = lossOf(judged, odds);
    if (loss < best.loss) best = { numTrees, loss, likelihoods: odds.map(toLikelihoods) };
  }
  return best;
}

function toLikelihoods(odds: Float64Array): Float32Array {
  return Float32Array.from(odds, (one) => 1 / (1 + Math.exp(-one)));
}

function lossOf(judged: readonly Judged[], odds: readonly Float64Array[]): number {
  let sum = 0;
  for (const [i, { example, candidates }] of judged.entries()) {
    if (example.hidden.length === 0) continue;
    for (const [c, tag] of candidates.tags.entries()) {
      sum += Math.log1p(Math.exp(example.hidden.includes(tag) ? -odds[i][c] : odds[i][c]));
    }
  }
  return sum;
}

/** Recall@3 of the hidden tags by object, where there are any. */
function recallsOf(judged: readonly Judged[], scores: readonly Float32Array[]): Float64Array {
  const recalls = judged.flatMap(({ example, candidates }, i) => {
    if (example.hidden.length === 0) return [];
    const best = topTags(scores[i], [], 3).map((c) => candidates.tags[c]);
    return best.filter((tag) => example.hidden.includes(tag)).length / example.hidden.length;
  });
  return Float64Array.from(recalls);
}

function findsOf(judged: readonly Judged[], scores: readonly Float32Array[]): Find[] {
  return judged.flatMap(({ example, candidates, weight }, i) =>
    topTags(scores[i], [], NUM_JUDGED)
      .filter((c) => example.hidden.includes(candidates.tags[c]))
      .map((c) => ({ score: scores[i][c], weight })),
  );
}
