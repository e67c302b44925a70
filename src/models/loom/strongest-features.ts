// Of a ridge problem with more features than can be solved exactly, the same with those that say most: the largest by the sum of
// their squares over all rows.

import { type Csr, CsrBuilder, numRowsOf } from '../../csr.ts';
import { largest } from '../../engine/numerics/top-k.ts';
import type { RidgeProblem } from '../ridge/problem.ts';

export interface Strongest {
  readonly problem: RidgeProblem;
  /** Weights of its features as rows of all features. */
  restored(weights: Csr): Csr;
}

/** For a problem whose targets are no features. */
export function strongestFeatures(problem: RidgeProblem, most: number): Strongest {
  const { sparse, numSparse } = problem;
  const squares = new Float32Array(numSparse);
  for (let e = 0; e < sparse.columns.length; e++) squares[sparse.columns[e]] += sparse.values[e] ** 2;
  const used = Int32Array.from(squares.keys()).filter((feature) => squares[feature] > 0);
  const kept = largest(
    used,
    squares.filter((square) => square > 0),
    most,
  ).sort();
  const place = new Int32Array(numSparse).fill(-1);
  for (const [i, feature] of kept.entries()) place[feature] = i;
  const rows = new CsrBuilder(numRowsOf(sparse));
  for (let row = 0; row < numRowsOf(sparse); row++) {
    for (let e = sparse.rowStart[row]; e < sparse.rowStart[row + 1]; e++) {
      if (place[sparse.columns[e]] >= 0) rows.add(place[sparse.columns[e]], sparse.values[e]);
    }
    rows.endRow();
  }
  return {
    problem: { ...problem, numSparse: kept.length, sparse: rows.finish() },
    restored: ({ rowStart, columns, values }) => {
      const starts = new Int32Array(numSparse + 1);
      for (const [i, feature] of kept.entries()) starts[feature + 1] = rowStart[i + 1] - rowStart[i];
      for (let feature = 0; feature < numSparse; feature++) starts[feature + 1] += starts[feature];
      return { rowStart: starts, columns, values };
    },
  };
}
