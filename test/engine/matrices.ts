// Lists and sparse matrices of the engine from plain arrays, for the suites.

import type { Kernels } from '../../src/engine/kernels.ts';
import type { Ints, Sparse } from '../../src/engine/matrix.ts';

export type Rows = readonly (readonly number[])[];

export function makeInts(kernels: Kernels, values: readonly number[]): Ints {
  const made = kernels.ints(values.length);
  kernels.writeInts(made, values);
  return made;
}

/** Zeros are left out. */
export function makeCsr(kernels: Kernels, rows: Rows, numCols = rows[0].length): Sparse {
  const entries = rows.map((row) => [...row.entries()].filter(([, value]) => value !== 0));
  const rowStart = [0];
  for (const row of entries) rowStart.push(rowStart[rowStart.length - 1] + row.length);
  return kernels.sparse(rows.length, numCols, {
    rowStart: Int32Array.from(rowStart),
    columns: Int32Array.from(entries.flat(), ([column]) => column),
    values: Float32Array.from(entries.flat(), ([, value]) => value),
  });
}
