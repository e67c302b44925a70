// A ridge problem with only some of its sparse features, and its weights as those of all of them.

import { type Csr, CsrBuilder, numRowsOf } from '../../csr.ts';
import { largest } from '../../engine/numerics/top-k.ts';
import type { RidgeProblem } from './problem.ts';

export interface Reduced {
  readonly problem: RidgeProblem;
  /** Weights of its sparse features as rows of all of them. */
  restored(weights: Csr): Csr;
}

/** `kept`: ascending. Targets that are not among them may be predicted like any other; none of them is itself a feature then. */
export function withFeatures(problem: RidgeProblem, kept: Int32Array): Reduced {
  const { sparse, numSparse, own } = problem;
  const place = new Int32Array(numSparse).fill(-1);
  for (const [i, feature] of kept.entries()) place[feature] = i;
  const rows = new CsrBuilder(numRowsOf(sparse));
  for (let row = 0; row < numRowsOf(sparse); row++) {
    for (let e = sparse.rowStart[row]; e < sparse.rowStart[row + 1]; e++) {
      const at = place[sparse.columns[e]];
      if (at >= 0) rows.add(at, sparse.values[e]);
    }
    rows.endRow();
  }
  const features = own?.features.map((feature) => (feature < 0 ? -1 : place[feature]));
  const scales = own?.scales.map((scale, t) => (features && features[t] >= 0 ? scale : 0));
  return {
    problem: {
      ...problem,
      numSparse: kept.length,
      sparse: rows.finish(),
      ...(features && scales && { own: { features, scales } }),
    },
    restored: ({ rowStart, columns, values }) => {
      const starts = new Int32Array(numSparse + 1);
      for (const [i, feature] of kept.entries()) starts[feature + 1] = rowStart[i + 1] - rowStart[i];
      for (let feature = 0; feature < numSparse; feature++) starts[feature + 1] += starts[feature];
      return { rowStart: starts, columns, values };
    },
  };
}

/** Of some features, as many as asked for that say most: the largest by the sum of their squares over all rows. Ascending. */
export function strongestOf(problem: RidgeProblem, features: Int32Array, most: number): Int32Array {
  const squares = squaresOfFeatures(problem);
  const used = features.filter((feature) => squares[feature] > 0);
  return largest(
    used,
    Float32Array.from(used, (feature) => squares[feature]),
    most,
  ).sort();
}

/** By sparse feature the sum of its squares over all rows: beside its penalty of 1, how much of what is asked it can explain. */
export function squaresOfFeatures({ sparse, numSparse }: RidgeProblem): Float32Array {
  const squares = new Float32Array(numSparse);
  for (let e = 0; e < sparse.columns.length; e++) squares[sparse.columns[e]] += sparse.values[e] ** 2;
  return squares;
}
