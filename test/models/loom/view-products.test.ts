// The products of views, put together by strengths, against rows of features written out.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Csr, entryOf } from '../../../src/csr.ts';
import { featuresFrom } from '../../../src/data/features.ts';
import { allObjects } from '../../../src/data/knowledge-graph.ts';
import type { Kernels } from '../../../src/engine/kernels.ts';
import { openKernels } from '../../../src/engine/open.ts';
import { viewContent } from '../../../src/models/loom/content.ts';
import { ridgeProblem } from '../../../src/models/loom/problem.ts';
import { viewUsers } from '../../../src/models/loom/profile.ts';
import { LOOM_SETTINGS } from '../../../src/models/loom/settings.ts';
import { givenStrengths } from '../../../src/models/loom/strengths.ts';
import { learnTextSpace } from '../../../src/models/loom/text-space.ts';
import { ViewProducts } from '../../../src/models/loom/view-products.ts';
import { viewObjects } from '../../../src/models/loom/views.ts';
import { resolveSettings } from '../../../src/settings.ts';
import { checkerboard } from '../../checkerboard.ts';

let kernels: Kernels;
beforeAll(async () => {
  kernels = await openKernels({ threads: 1 });
});
afterAll(() => kernels.close());

it('are F Fᵀ of the ridge regression that the same strengths give, with the first rows alone', async () => {
  const train = checkerboard(24, 10, 12);
  const settings = resolveSettings(LOOM_SETTINGS, { neighbours: 4, profileWidth: 5, wordCount: 1, contentWidth: 3 });
  const entries = Array.from(allObjects(train), (o) => [train.objects.name(o), `f${o % 4}`, 1 + (o % 3)] as const);
  const features = featuresFrom(train.objects, entries);
  const users = await viewUsers(kernels, train, settings, {});
  const content = await viewContent(kernels, features, settings);
  const space = await learnTextSpace(train, features, settings, {});
  const objects = allObjects(train);
  const views = await viewObjects(train, { users, content, space }, objects, settings, {});
  const before = kernels.usedBytes;
  const numFirst = 9;
  const products = await ViewProducts.of(kernels, views, numFirst, settings);
  const given = givenStrengths(settings, space, true);
  const attempts = [
    given,
    { ...given, parts: given.parts.map((_, p) => p + 1), ownPenalty: 1, profile: 0.2, content: 7 },
    { ...givenStrengths(settings, space, false), squares: given.parts.map((_, p) => p / 2) },
  ];
  for (const strengths of attempts) {
    const found = await products.weighted(strengths);
    const { sparse, numSparse, dense, numDense, squares = [] } = ridgeProblem(views, strengths, settings);
    const rows = Array.from(objects, (_, row) => {
      const features = new Float64Array(numSparse + numDense);
      for (let e = sparse.rowStart[row]; e < sparse.rowStart[row + 1]; e++)
        features[sparse.columns[e]] = sparse.values[e];
      features.set(dense.subarray(row * numDense, (row + 1) * numDense), numSparse);
      return features;
    });
    for (const [i, row] of rows.entries()) {
      for (let j = 0; j < numFirst; j++) {
        const expected = row.reduce((sum, value, k) => sum + value * rows[j][k], 0);
        const ofPairs = squares.map(({ rows: some, strength }) => strength * productOf(some, i, j) ** 2);
        expect(found[i * numFirst + j]).toBeCloseTo(
          ofPairs.reduce((sum, one) => sum + one, expected),
          4,
        );
      }
    }
  }
  expect(kernels.usedBytes).toBe(before);
});

function productOf(rows: Csr, one: number, other: number): number {
  const columns = rows.columns.subarray(rows.rowStart[one], rows.rowStart[one + 1]);
  return columns.reduce((sum, column) => sum + entryOf(rows, one, column) * entryOf(rows, other, column), 0);
}
