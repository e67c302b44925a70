import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openKernels } from '../../../src/engine/open.ts';
import { answerOf, NUM_LEAVES, NUM_QUESTIONS, type Trees } from '../../../src/models/loom/boosted-trees.ts';
import { TreesAtOnce } from '../../../src/models/loom/trees-at-once.ts';
import { Random } from '../../../src/random.ts';

const NUM_FEATURES = 5;

/** Questions about few or many different numbers; the rows hit the thresholds exactly, lie beyond them, or are none. */
function some(
  numTrees: number,
  numRows: number,
  numLevels: number,
  seed: number,
): { trees: Trees; rows: Float32Array } {
  const random = new Random(seed, 'trees');
  const level = () => random.below(numLevels) / 7 - 1;
  const odd = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0];
  const trees = {
    features: Int32Array.from({ length: numTrees * NUM_QUESTIONS }, () => random.below(NUM_FEATURES)),
    thresholds: Float32Array.from({ length: numTrees * NUM_QUESTIONS }, () =>
      random.below(8) > 0 ? level() : 2 ** 49,
    ),
    leaves: Float32Array.from({ length: numTrees * NUM_LEAVES }, () => random.float() - 0.5),
  };
  const value = () => (random.below(12) > 0 ? level() + (random.below(3) - 1) / 100 : odd[random.below(odd.length)]);
  const levels = Float32Array.from({ length: numRows * NUM_FEATURES }, () => (random.below(2) ? level() : value()));
  return { trees, rows: levels };
}

describe('TreesAtOnce', () => {
  it('says of many rows, bit for bit, what the trees say row by row', () => {
    fc.assert(
      fc.property(fc.nat(30), fc.nat(70), fc.constantFrom(1, 3, 31, 32, 127, 128, 400), fc.nat(), (...sizes) => {
        const { trees, rows } = some(...sizes);
        const expected = Float64Array.from({ length: rows.length / NUM_FEATURES }, (_, row) =>
          answerOf(trees, rows, row * NUM_FEATURES),
        );
        const atOnce = new TreesAtOnce(trees, NUM_FEATURES);
        for (const numRows of [expected.length, expected.length >> 1]) {
          const answers = new Float64Array(numRows);
          atOnce.answers(rows.subarray(0, numRows * NUM_FEATURES), answers);
          expect(answers).toEqual(expected.subarray(0, numRows));
        }
      }),
    );
  });

  it('says the same with as many thresholds as ranks have room for, and with one more', () => {
    for (const numThresholds of [126, 127, 128]) {
      const thresholds = Float32Array.from({ length: 19 * NUM_QUESTIONS }, (_, q) => q % numThresholds);
      const leaves = Float32Array.from({ length: 19 * NUM_LEAVES }, (_, leaf) => 2 ** (leaf % 20));
      const trees = { features: new Int32Array(thresholds.length), thresholds, leaves };
      const rows = Float32Array.from({ length: 260 }, (_, row) => row / 2 - 1);
      const answers = new Float64Array(rows.length);
      new TreesAtOnce(trees, 1).answers(rows, answers);
      expect(answers).toEqual(Float64Array.from(rows, (_, row) => answerOf(trees, rows, row)));
    }
  });

  it('says the same in an engine that sums up, of as many rows as it takes and of more', async () => {
    const kernels = await openKernels({ threads: 1 });
    const usedBytes = kernels.usedBytes;
    for (const [numRows, numLevels] of [1, 15, 16, 60, 64, 65].flatMap((rows) => [3, 127, 400].map((n) => [rows, n]))) {
      const { trees, rows } = some(23, numRows, numLevels, numRows);
      const atOnce = new TreesAtOnce(trees, NUM_FEATURES, kernels.singleRows);
      const [answers, expected] = [new Float64Array(numRows), new Float64Array(numRows)];
      atOnce.answers(rows, answers);
      new TreesAtOnce(trees, NUM_FEATURES).answers(rows, expected);
      expect(answers).toEqual(expected);
      atOnce.release();
    }
    expect(kernels.usedBytes).toBe(usedBytes);
    kernels.close();
  });
});
