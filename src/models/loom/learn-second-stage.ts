// How the second stage is learnt: from candidates of objects some tags of which were hidden (hindsight.ts), so that it never sees
// a pair the first stage knew. What tags keep company is counted without the hidden pairs of a whole fold of objects: counted
// without one pair at a time, a count would tell that very pair by being one less. Half of the folds learn, the other half
// judges, and the other way round: that says how many trees there should be, whether they pay at all, and how sure to be.

import { entryOf } from '../../csr.ts';
import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import { type Listener, makeBreather } from '../../listener.ts';
import { NUM_JUDGED, type Outcome } from '../confidence.ts';
import { topTags } from '../scorer.ts';
import { answerOf, learnTrees, numTreesOf, type TreeRows } from './boosted-trees.ts';
import { CANDIDATE_FEATURES, type Candidates, CandidateTable, numUsersOf } from './candidates.ts';
import type { Example, Hindsight } from './hindsight.ts';
import { shareOf } from './loom.ts';
import { WORTH } from './mixing.ts';
import { logScore, type SecondStage } from './second-stage.ts';
import type { Views } from './views.ts';

const MAX_EXAMPLES = 5000; // objects
const MIN_EXAMPLES = 300; // fewer tell nothing
const NUM_FOLDS = 6; // even: half of them learn, and half judge
const NUM_TREES = 200;
const STEP = 20; // trees
const WIDTH = CANDIDATE_FEATURES.length;

/** By the place of an example: its half, of folds that share their counts. */
function halfOf(place: number): number {
  return place % 2;
}

/** An object with some tags hidden, and its candidates. */
interface Judged {
  readonly example: Example;
  readonly candidates: Candidates;
}

export interface LearntSecondStage {
  /** Undefined where it does not pay. */
  readonly stage: SecondStage | undefined;
  /** What became of suggestions to objects with tags, by scores that did not know the answer. */
  readonly outcomes: Outcome[];
  /** Recall@3 of hidden tags by the first stage alone, and after the second. */
  readonly recalls: readonly [number, number];
}

export async function learnSecondStage(
  hindsight: Hindsight,
  views: Views,
  mixing: readonly number[],
  isWanted: boolean,
  listener: Listener,
): Promise<LearntSecondStage> {
  const judged = await judgeExamples(hindsight, views, mixing, listener);
  const numHidden = judged.filter(({ example }) => example.hidden.length > 0).length;
  const first = judged.map(({ candidates }) => firstScoresOf(candidates));
  const before = recallOf(judged, first);
  if (!isWanted || numHidden < MIN_EXAMPLES) {
    return { stage: undefined, outcomes: outcomesFrom(judged, first), recalls: [before, before] };
  }
  const breathe = makeBreather(listener);
  const halves = [0, 1].map((half) => judged.filter((_, i) => halfOf(i) === half));
  const stages: SecondStage[] = [];
  for (const half of halves) stages.push(await stageFrom(half, NUM_TREES, breathe));
  const { numTrees, likelihoods } = bestNumberOfTrees(judged, stages);
  const after = recallOf(judged, likelihoods);
  const pays = after > before + WORTH;
  return {
    stage: pays ? await stageFrom(judged, numTrees, breathe) : undefined,
    outcomes: outcomesFrom(judged, pays ? likelihoods : first),
    recalls: [before, pays ? after : before],
  };
}

async function judgeExamples(
  hindsight: Hindsight,
  views: Views,
  mixing: readonly number[],
  listener: Listener,
): Promise<Judged[]> {
  const { train, means, mentions } = views;
  const examples = hindsight.examples.filter(({ known }) => known.length > 0).slice(0, MAX_EXAMPLES);
  const tables = Array.from({ length: NUM_FOLDS }, (_, fold) => {
    return new CandidateTable(
      withoutHidden(
        train,
        examples.filter((_, i) => i % NUM_FOLDS === fold),
      ),
    );
  });
  const numUsers = numUsersOf(train);
  const judged: Judged[] = [];
  for await (const { example, tagged, untagged } of hindsight.scores(examples, 'some', listener)) {
    const { object, row, known } = example;
    const share = shareOf(mixing, known.length);
    const candidates = tables[judged.length % NUM_FOLDS].of({
      ...{ object, known, numUsers: numUsers[object], bareScores: untagged },
      scores: tagged.map((score, t) => share * score + (1 - share) * untagged[t]),
      meanOf: (tag) => entryOf(means, row, tag),
      mentionOf: (tag) => entryOf(mentions, row, tag),
    });
    judged.push({ example, candidates });
  }
  return judged;
}

function withoutHidden(train: KnowledgeGraph, examples: readonly Example[]): KnowledgeGraph {
  const { tagged } = train;
  const marks = new Uint8Array(tagged.size).fill(1);
  for (const { object, hidden } of examples) {
    const isHidden = new Set(hidden);
    for (let e = tagged.rowStart[object]; e < tagged.rowStart[object + 1]; e++) {
      if (isHidden.has(tagged.tails[e])) marks[e] = 0;
    }
  }
  return { ...train, tagged: tagged.select(marks) };
}

function firstScoresOf({ tags, features }: Candidates): Float32Array {
  return Float32Array.from(tags, (_, c) => features[c * WIDTH]);
}

/** Learns from the objects that have something hidden. */
async function stageFrom(
  judged: readonly Judged[],
  numTrees: number,
  breathe: () => Promise<void> | undefined,
): Promise<SecondStage> {
  const some = judged.filter(({ example }) => example.hidden.length > 0);
  const numRows = some.reduce((sum, { candidates }) => sum + candidates.tags.length, 0);
  const features = new Float32Array(numRows * WIDTH);
  const answers = new Uint8Array(numRows);
  let row = 0;
  for (const { example, candidates } of some) {
    features.set(candidates.features, row * WIDTH);
    for (const tag of candidates.tags) answers[row++] = example.hidden.includes(tag) ? 1 : 0;
  }
  const logs = Float64Array.from(answers, (_, r) => logScore(features[r * WIDTH]));
  const start = logisticLine(logs, answers);
  const odds = logs.map((log) => start[0] + start[1] * log);
  const rows: TreeRows = { numFeatures: WIDTH, features, answers, odds };
  return { start, trees: await learnTrees(rows, numTrees, breathe), middle: mediansOf(features, numRows) };
}

const NEWTON_STEPS = 20;

/** Intercept and slope of a logistic regression on one number. */
function logisticLine(xs: Float64Array, answers: Uint8Array): Float64Array {
  const line = Float64Array.of(0, 1);
  for (let step = 0; step < NEWTON_STEPS; step++) {
    let [g0, g1, h00, h01, h11] = [0, 0, 1e-6, 0, 1e-6];
    for (let i = 0; i < xs.length; i++) {
      const likely = 1 / (1 + Math.exp(-(line[0] + line[1] * xs[i])));
      const [slope, bend] = [answers[i] - likely, likely * (1 - likely)];
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

/** By the mean log loss, each object judged by trees that did not learn from it. */
function bestNumberOfTrees(
  judged: readonly Judged[],
  stages: readonly SecondStage[],
): { readonly numTrees: number; readonly likelihoods: Float32Array[] } {
  const odds = judged.map(({ candidates }, i) => {
    const { start } = stages[1 - halfOf(i)];
    return Float64Array.from(firstScoresOf(candidates), (score) => start[0] + start[1] * logScore(score));
  });
  const most = numTreesOf(stages[0].trees);
  let best = { numTrees: 0, loss: lossOf(judged, odds), likelihoods: odds.map(toLikelihoods) };
  for (let first = 0; first < most; first += STEP) {
    for (const [i, { candidates }] of judged.entries()) {
      const { trees } = stages[1 - halfOf(i)];
      for (let c = 0; c < candidates.tags.length; c++) {
        odds[i][c] += answerOf(trees, candidates.features, c * WIDTH, [first, first + STEP]);
      }
    }
    const loss = lossOf(judged, odds);
    if (loss < best.loss) best = { numTrees: first + STEP, loss, likelihoods: odds.map(toLikelihoods) };
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

/** Recall@3 of the hidden tags, where there are any. */
function recallOf(judged: readonly Judged[], scores: readonly Float32Array[]): number {
  let [sum, count] = [0, 0];
  for (const [i, { example, candidates }] of judged.entries()) {
    if (example.hidden.length === 0) continue;
    const best = topTags(scores[i], [], 3).map((c) => candidates.tags[c]);
    sum += best.filter((tag) => example.hidden.includes(tag)).length / example.hidden.length;
    count++;
  }
  return sum / Math.max(1, count);
}

function outcomesFrom(judged: readonly Judged[], scores: readonly Float32Array[]): Outcome[] {
  return judged.flatMap(({ example, candidates }, i) =>
    topTags(scores[i], [], NUM_JUDGED).map((c) => ({
      score: scores[i][c],
      isRight: example.hidden.includes(candidates.tags[c]),
      hasTags: true,
    })),
  );
}
