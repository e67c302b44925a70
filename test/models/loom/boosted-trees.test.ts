import { describe, expect, it } from 'vitest';
import { answerOf, TreeLearner, type TreeRows, type Trees } from '../../../src/models/loom/boosted-trees.ts';
import { Random } from '../../../src/random.ts';

/** Answers by a rule of two features; a third one says nothing. */
function rowsOf(numRows: number, rule: (a: number, b: number) => number, seed = 1): TreeRows {
  const random = new Random(seed, 'rows');
  const features = Float32Array.from({ length: 3 * numRows }, () => random.float());
  const answers = Uint8Array.from({ length: numRows }, (_, row) =>
    random.float() < rule(features[3 * row], features[3 * row + 1]) ? 1 : 0,
  );
  return {
    numFeatures: 3,
    features,
    answers,
    odds: new Float64Array(numRows),
    weights: new Float64Array(numRows).fill(1),
  };
}

async function learnTrees(rows: TreeRows, numTrees: number): Promise<Trees> {
  const learner = new TreeLearner(rows);
  await learner.learn(numTrees);
  return learner.trees;
}

function likelihoods(trees: Trees, { features, answers }: TreeRows): number[] {
  return Array.from(answers, (_, row) => 1 / (1 + Math.exp(-answerOf(trees, features, 3 * row))));
}

describe('TreeLearner', () => {
  it('learns what depends on two features together, on rows it has not seen', async () => {
    const rule = (a: number, b: number) => (a > 0.3 === b > 0.6 ? 0.9 : 0.1);
    const trees = await learnTrees(rowsOf(4000, rule), 100);
    const unseen = rowsOf(1000, rule, 2);
    const said = likelihoods(trees, unseen);
    const error = said.reduce((sum, likely, row) => {
      return sum + Math.abs(likely - rule(unseen.features[3 * row], unseen.features[3 * row + 1])) / said.length;
    }, 0);
    expect(error).toBeLessThan(0.06);
  });

  it('is calibrated: what it says to be likely happens as often', async () => {
    const rows = rowsOf(6000, (a) => a * a);
    const said = likelihoods(await learnTrees(rows, 60), rows);
    for (const [low, high] of [
      [0, 0.2],
      [0.2, 0.5],
      [0.5, 1],
    ]) {
      const places = said.flatMap((likely, row) => (likely >= low && likely < high ? [row] : []));
      const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
      expect(mean(places.map((row) => rows.answers[row]))).toBeCloseTo(mean(places.map((row) => said[row])), 1);
    }
  });

  it('learns from every third of very many rows in turn as much as from a third of them each time', async () => {
    const rule = (a: number, b: number) => (a > 0.3 === b > 0.6 ? 0.9 : 0.1);
    const rows = rowsOf(150_000, rule);
    // no row but every third one tells anything: only two trees in three see nothing to learn
    const answers = rows.answers.map((answer, row) => (row % 3 === 0 ? answer : row % 2));
    const { leaves } = await learnTrees({ ...rows, answers }, 6);
    const spread = (tree: number) => Math.max(...leaves.subarray(8 * tree, 8 * tree + 8).map(Math.abs));
    expect([0, 3].every((tree) => spread(tree) > 0.1)).toBe(true);
    expect([1, 2, 4, 5].every((tree) => spread(tree) < 0.1)).toBe(true);
  });

  it('adds nothing where there is nothing to learn, and is the same each time', async () => {
    const constant = { ...rowsOf(500, () => 0.5), features: new Float32Array(1500).fill(1) };
    const trees = await learnTrees(constant, 5);
    expect(trees.leaves.every((leaf) => Math.abs(leaf) < 0.1)).toBe(true);
    const rows = rowsOf(1000, (a) => a);
    const inSteps = new TreeLearner(rows);
    for (const step of [3, 7]) await inSteps.learn(step);
    expect(inSteps.trees).toEqual(await learnTrees(rows, 10));
  });

  it('starts from the odds it is given', async () => {
    const rows = rowsOf(8000, () => 0.8);
    const right = { ...rows, odds: new Float64Array(8000).fill(Math.log(4)) };
    const [fromNothing, fromRight] = [await learnTrees(rows, 1), await learnTrees(right, 1)];
    const size = ({ leaves }: { leaves: Float32Array }) => Math.max(...leaves.map(Math.abs));
    expect(size(fromRight)).toBeLessThan(size(fromNothing) / 2);
  });
});
