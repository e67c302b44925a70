// Rows that count more than once. A row of weight w stands for w rows like it:
//
//   min over B   Σ_r w_r |y_r − m_r − x_rᵀ B|² + |B|²   =   Σ_r |√w_r y_r − √w_r m_r − √w_r x_rᵀ B|² + |B|²
//
// so it is the regression of ridge.ts on rows of F, targets and expectations that are all multiplied by q_r = √w_r. What the closed
// forms ask for still holds. The column of a target that is a feature is s_t times the target: F e_t = s_t y_t before and after, so
// that P Fᵀ y_t = (e_t − P e_t) / s_t and the constraint that it may not predict itself keep their forms. Products of features
// enter K as strength · (r_iᵀ r_j)² and must become q_i q_j times that: their rows are multiplied by √q.
//
// What is said of rows is divided by q_r again, and what hides targets of a row (solution.ts) hides q_r of each: x' = x − q_r Σ s_h e_h.
// A fit that does not know the row lacks all that it stands for.

import type { Csr } from '../../csr.ts';
import type { RidgeProblem } from './problem.ts';

/** The problem of rows that count so often; the same one where that is not said. */
export function withWeights(problem: RidgeProblem, weights: ArrayLike<number> | undefined): RidgeProblem {
  if (weights === undefined) return problem;
  const { sparse, dense, numDense, targets, prior, squares } = problem;
  const roots = Float64Array.from(weights, Math.sqrt);
  return {
    ...problem,
    roots,
    sparse: timesRows(sparse, roots),
    dense: dense.map((value, at) => value * roots[Math.floor(at / numDense)]),
    targets: timesRows(targets, roots),
    ...(prior && { prior: timesRows(prior, roots) }),
    ...(squares && { squares: squares.map((one) => ({ ...one, rows: timesRows(one.rows, roots.map(Math.sqrt)) })) }),
  };
}

/** Each row times its factor. */
export function timesRows({ rowStart, columns, values }: Csr, factors: ArrayLike<number>): Csr {
  const scaled = new Float32Array(values.length);
  for (let row = 0; row + 1 < rowStart.length; row++) {
    for (let e = rowStart[row]; e < rowStart[row + 1]; e++) scaled[e] = values[e] * factors[row];
  }
  return { rowStart, columns, values: scaled };
}

/** How many rows all rows stand for. */
export function numRowsMeant({ numRows, roots }: Pick<RidgeProblem, 'numRows' | 'roots'>): number {
  return roots === undefined ? numRows : roots.reduce((sum, root) => sum + root * root, 0);
}
