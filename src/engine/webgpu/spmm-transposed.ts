// Products of a transposed sparse and a dense matrix on the GPU. The transposed matrix is made once and kept beside the
// matrix, with a plan of its own: adding to rows in any order would not be repeatable.

import type { Dense, Sparse } from '../matrix.ts';
import type { Block } from './buffers.ts';
import type { GpuStorage, Kept } from './gpu-storage.ts';
import { mostRows, RowPlan } from './row-plan.ts';
import { segmentsOf } from './segments.ts';
import { MAIN, shader, WORKGROUP } from './shader.ts';
import { multiplyRows } from './spmm.ts';

/** Of entries by row, the row of each; for the entries of the transposed. */
const ROW_OF_ENTRY = shader({
  name: 'rowOfEntry',
  params: { rows: 'u32' },
  buffers: { out: 'write u32', starts: 'read u32' },
  code: `${MAIN()}
  // four invocations walk along a row
  let row = (group * ${WORKGROUP}u + lane) / 4u;
  if (row < params.rows) {
    for (var e = starts[row] + lane % 4u; e < starts[row + 1u]; e += 4u) { out[e] = row; }
  }
}`,
});

/** The transposed matrix's entries from those of the matrix, in the order found. */
const PICK_ENTRIES = shader({
  name: 'pickEntries',
  params: { count: 'u32' },
  buffers: {
    columnsOut: 'write u32',
    valuesOut: 'write f32',
    rowOf: 'read u32',
    values: 'read f32',
    ordered: 'read u32',
  },
  code: `${MAIN()}
  let i = group * ${WORKGROUP}u + lane;
  if (i >= params.count) { return; }
  columnsOut[i] = rowOf[ordered[i]];
  valuesOut[i] = values[ordered[i]];
}`,
});

export function spmmTransposed(gpu: GpuStorage, out: Dense, a: Sparse, x: Dense, accumulate: boolean): void {
  const transposed = gpu.kept(a.columns, 'transposed', () => new Transposed(gpu, a));
  multiplyRows(gpu, transposed.plan.made(), out, x, accumulate);
}

/** The transposed matrix, made on the GPU. Its rows lie in memory in any order, but entries of a row ascend. */
class Transposed implements Kept {
  readonly plan: RowPlan;
  readonly #gpu: GpuStorage;
  readonly #columns: Block;
  readonly #values: Block;

  constructor(gpu: GpuStorage, { rows, cols, numEntries, columns, values, rowStart }: Sparse) {
    this.#gpu = gpu;
    const { starts, ends, ordered } = segmentsOf(gpu, { lists: [columns], numKeys: cols });
    this.#columns = gpu.scratch(numEntries * 4);
    this.#values = gpu.scratch(numEntries * 4);
    gpu.withScratch([numEntries * 4], (rowOf) => {
      const blocks = { out: rowOf, starts: gpu.block(rowStart) };
      gpu.queue.run(ROW_OF_ENTRY, { rows }, blocks, Math.ceil((4 * rows) / WORKGROUP));
      const made = { columnsOut: this.#columns, valuesOut: this.#values };
      const from = { rowOf, values: gpu.block(values), ordered };
      gpu.queue.run(PICK_ENTRIES, { count: numEntries }, { ...made, ...from }, Math.ceil(numEntries / WORKGROUP));
    });
    const entries = { numEntries, columns: this.#columns, values: this.#values, starts, ends };
    this.plan = new RowPlan(gpu, cols, { ...entries, counts: mostRows(cols, numEntries) });
  }

  release(): void {
    this.plan.release();
    for (const block of [this.#columns, this.#values]) this.#gpu.queue.buffers.release(block);
  }
}
