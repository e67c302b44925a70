// How the second stage is learnt: from candidates of objects some tags of which were hidden (look-back.ts), so that it never sees
// a pair the first stage knew. Half of the objects learn, the other half judges, and the other way round: that says how many trees
// there should be, whether they pay at all, and how sure to be.

import { type Listener, makeBreather } from '../../listener.ts';
import { NUM_JUDGED } from '../confidence.ts';
import { topTags } from '../scorer.ts';
import { answerOf, firstTrees, someValues, TreeLearner, type TreeRows, type Trees } from './boosted-trees.ts';
import { CANDIDATE_FEATURES, type Candidates } from './candidates.ts';
import type { Judged } from './look-back.ts';
import { WORTH } from './mixing.ts';
import type { Rehearsed } from './rehearsal.ts';
import { logScore, type SecondStage } from './second-stage.ts';
import { TreesAtOnce } from './trees-at-once.ts';

const MIN_EXAMPLES = 300; // objects with something hidden: fewer tell nothing
const MAX_TREES = 300;
const STEP = 20; // trees
const PATIENCE = 40; // trees that may not help
const WIDTH = CANDIDATE_FEATURES.length;

export interface LearntSecondStage {
  /** Undefined where it does not pay. */
  readonly stage: SecondStage | undefined;
  /** Scores of the hidden tags that were found, none of which knew the answer. */
  readonly found: Float32Array;
}

/** Of objects that hide something. `isBetterWith`: what a fit that never knew the hidden tags has to say. */
export async function learnSecondStage(
  judged: readonly Judged[],
  isBetterWith: Rehearsed['isBetterWith'],
  isWanted: boolean,
  listener: Listener,
): Promise<LearntSecondStage> {
  const first = judged.map(({ candidates }) => firstScoresOf(candidates));
  if (!isWanted || judged.length < MIN_EXAMPLES) return { stage: undefined, found: findsOf(judged, first) };
  const { numTrees, likelihoods } = await chooseNumberOfTrees(judged, listener);
  const after = recallsOf(judged, likelihoods);
  let stage: SecondStage | undefined;
  if (isBetter(after, recallsOf(judged, first))) {
    stage = await stageFrom(judged, numTrees, listener);
    // hidden tags of few objects can still be told by what hiding them did to the fit: there, a fit that never knew them has a say
    if (isBetterWith && !(await isBetterWith(stage))) stage = undefined;
  }
  return { stage, found: findsOf(judged, stage ? likelihoods : first) };
}

const SURE = 2; // standard errors

/** Whether the mean of pairs is higher by more than chance makes it. */
function isBetter(after: Float64Array, before: Float64Array): boolean {
  const gains = after.map((one, i) => one - before[i]);
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
  const variance = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / gains.length;
  return mean > Math.max(WORTH, SURE * Math.sqrt(variance / gains.length));
}

function firstScoresOf({ tags, features }: Candidates): Float32Array {
  return Float32Array.from(tags, (_, c) => features[c * WIDTH]);
}

/** What is learnt from. */
interface StageRows extends TreeRows {
  readonly start: SecondStage['start'];
}

const NUM_FIRST = 15; // candidates of an object that are all learnt from
const STRIDE = 4; // of the others that were not hidden, one in so many stands for all

function rowsOf(judged: readonly Judged[]): StageRows {
  const weightOf = ({ answers }: Judged, i: number, c: number) => {
    if (answers[c] === 1 || c < NUM_FIRST) return 1;
    return (i + c) % STRIDE > 0 ? 0 : STRIDE;
  };
  let numRows = 0;
  for (const [i, one] of judged.entries()) {
    for (let c = 0; c < one.answers.length; c++) if (weightOf(one, i, c) > 0) numRows++;
  }
  const features = new Float32Array(numRows * WIDTH);
  const [answers, weights] = [new Uint8Array(numRows), new Float64Array(numRows)];
  let row = 0;
  for (const [i, one] of judged.entries()) {
    for (let c = 0; c < one.answers.length; c++) {
      const weight = weightOf(one, i, c);
      if (weight === 0) continue;
      features.set(one.candidates.features.subarray(c * WIDTH, (c + 1) * WIDTH), row * WIDTH);
      answers[row] = one.answers[c];
      weights[row++] = weight;
    }
  }
  const logs = Float64Array.from(answers, (_, r) => logScore(features[r * WIDTH]));
  const start = logisticLine(logs, answers, weights);
  const odds = logs.map((log) => start[0] + start[1] * log);
  return { numFeatures: WIDTH, features, answers, weights, odds, start };
}

async function stageFrom(judged: readonly Judged[], numTrees: number, listener: Listener): Promise<SecondStage> {
  const rows = rowsOf(judged);
  const learner = new TreeLearner(rows);
  await learner.learn(numTrees, makeBreather(listener));
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
  return Float32Array.from({ length: WIDTH }, (_, feature) => {
    const values = someValues(features, { feature, numFeatures: WIDTH, numRows }).sort();
    return values[values.length >>> 1] ?? 0;
  });
}

/** By the log loss of rows, each judged by trees that did not learn from its object; the search ends where more stop helping. */
async function chooseNumberOfTrees(
  judged: readonly Judged[],
  listener: Listener,
): Promise<{ readonly numTrees: number; readonly likelihoods: Float32Array[] }> {
  const breathe = makeBreather(listener);
  const halves = [0, 1].map((half) => rowsOf(judged.filter((one) => one.half === half)));
  const learners = halves.map((rows) => new TreeLearner(rows));
  const odds = halves.map(({ features, answers }, half) => {
    const { start } = halves[1 - half];
    return Float64Array.from(answers, (_, row) => start[0] + start[1] * logScore(features[row * WIDTH]));
  });
  const lossOfAll = () => lossOf(halves[0], odds[0]) + lossOf(halves[1], odds[1]);
  let best = { numTrees: 0, loss: lossOfAll() };
  for (let numTrees = STEP; numTrees <= Math.min(MAX_TREES, best.numTrees + PATIENCE); numTrees += STEP) {
    listener.progress?.('learning the second look', numTrees, MAX_TREES);
    for (const learner of learners) await learner.learn(STEP, breathe);
    for (const [half, rows] of halves.entries()) {
      await breathe();
      addAnswers(odds[half], learners[1 - half].trees, rows.features, [numTrees - STEP, numTrees]);
    }
    const loss = lossOfAll();
    if (loss < best.loss) best = { numTrees, loss };
  }
  const trees = learners.map((learner) => new TreesAtOnce(firstTrees(learner.trees, best.numTrees), WIDTH));
  const likelihoods: Float32Array[] = [];
  for (const { candidates, half } of judged) {
    await breathe();
    likelihoods.push(likelihoodsBy(trees[1 - half], halves[1 - half].start, candidates));
  }
  return { numTrees: best.numTrees, likelihoods };
}

function likelihoodsBy(trees: TreesAtOnce, start: Float64Array, { tags, features }: Candidates): Float32Array {
  const added = new Float64Array(tags.length);
  trees.answers(features, added);
  return Float32Array.from(tags, (_, c) => {
    return 1 / (1 + Math.exp(-(start[0] + start[1] * logScore(features[c * WIDTH]) + added[c])));
  });
}

/** Adds what some trees say of rows to their odds. */
function addAnswers(odds: Float64Array, trees: Trees, features: Float32Array, some: readonly [number, number]): void {
  for (let row = 0; row < odds.length; row++) odds[row] += answerOf(trees, features, row * WIDTH, some);
}

function lossOf({ answers, weights }: TreeRows, odds: Float64Array): number {
  let sum = 0;
  for (let row = 0; row < odds.length; row++) {
    sum += weights[row] * Math.log1p(Math.exp(answers[row] === 1 ? -odds[row] : odds[row]));
  }
  return sum;
}

/** Recall@3 of the hidden tags by object. */
function recallsOf(judged: readonly Judged[], scores: readonly Float32Array[]): Float64Array {
  return Float64Array.from(judged, ({ example, answers }, i) => {
    return topTags(scores[i], [], 3).filter((c) => answers[c] === 1).length / example.hidden.length;
  });
}

function findsOf(judged: readonly Judged[], scores: readonly Float32Array[]): Float32Array {
  const found = judged.flatMap(({ answers }, i) =>
    topTags(scores[i], [], NUM_JUDGED)
      .filter((c) => answers[c] === 1)
      .map((c) => scores[i][c]),
  );
  return Float32Array.from(found);
}
