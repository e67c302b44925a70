// Rows and columns on the GPU: bias, sums, gather, dots and norms.

import type { Dense, Ints } from '../matrix.ts';
import type { Window } from './buffers.ts';
import type { GpuStorage } from './gpu-storage.ts';
import { WORKGROUP } from './shader.ts';
import {
  ADD_BIAS,
  ADD_BLOCK,
  COLUMN_SUMS,
  GATHER,
  ROW_LANES,
  ROW_NORM_BACKWARD,
  ROWS_AT_ONCE,
  rowSumShader,
  SCALE_ROWS,
  SUM,
  SUM_GROUPS,
} from './wgsl-rows.ts';

const COLUMN_ROWS = 512; // rows a workgroup adds up at least

export function addBias(gpu: GpuStorage, out: Dense, x: Dense, bias: Dense): void {
  gpu.eachPart(out, ({ rows, of }) => {
    const [count, stride4] = [(rows * out.stride) / 4, out.stride / 4];
    gpu.queue.run(ADD_BIAS, { count, stride4 }, { out: of(out), x: of(x), bias: gpu.block(bias) }, groups(count));
  });
}

export function columnSums(gpu: GpuStorage, out: Dense, x: Dense, accumulate: boolean): void {
  const [cols, stride4] = [x.cols, x.stride / 4];
  const layers = Math.ceil(stride4 / ROW_LANES);
  const shares = Math.min(SUM_GROUPS, Math.max(1, Math.ceil(x.rows / COLUMN_ROWS)));
  const sizes = { cols, stride4 };
  if (x.rows === 0 && accumulate) return;
  if (shares === 1 && x.rows <= gpu.rowsAtOnce(x)) {
    const params = { ...sizes, rows: x.rows, rowsEach: x.rows, accumulate: +accumulate };
    gpu.queue.run(COLUMN_SUMS, params, { out: gpu.block(out), x: gpu.block(x) }, 1, layers);
    return;
  }
  gpu.withScratch([shares * x.stride * 4], (partial) => {
    let added = accumulate;
    gpu.eachPart(x, ({ rows, of }) => {
      const rowsEach = Math.ceil(rows / shares);
      const params = { ...sizes, rows, rowsEach, accumulate: 0 };
      gpu.queue.run(COLUMN_SUMS, params, { out: partial, x: of(x) }, shares, layers);
      const total = { ...sizes, rows: shares, rowsEach: shares, accumulate: +added };
      gpu.queue.run(COLUMN_SUMS, total, { out: gpu.block(out), x: partial }, 1, layers);
      added = true;
    });
  });
}

export function sum(gpu: GpuStorage, out: Dense, x: Dense, scale: number): void {
  const parts: { readonly rows: number; readonly window: Window }[] = [];
  gpu.eachPart(x, ({ rows, of }) => parts.push({ rows, window: of(x) }));
  if (parts.length <= 1 && x.rows * x.stride <= 64 * WORKGROUP) {
    const count = (x.rows * x.stride) / 4;
    const params = { count, each: count, firstPlace: 0, scale };
    gpu.queue.run(SUM, params, { out: gpu.block(out), x: gpu.block(x) }, 1);
    return;
  }
  const numSums = SUM_GROUPS * parts.length;
  gpu.withScratch([numSums * 4], (partial) => {
    for (const [i, { rows, window }] of parts.entries()) {
      const count = (rows * x.stride) / 4;
      const params = { count, each: Math.ceil(count / SUM_GROUPS), firstPlace: i * SUM_GROUPS, scale: 1 };
      gpu.queue.run(SUM, params, { out: partial, x: window }, SUM_GROUPS);
    }
    const params = { count: numSums / 4, each: numSums / 4, firstPlace: 0, scale };
    gpu.queue.run(SUM, params, { out: gpu.block(out), x: partial }, 1);
  });
}

export function gather(gpu: GpuStorage, out: Dense, x: Dense, rows: Ints): void {
  const stride4 = x.stride / 4;
  gpu.eachPart(out, (to) => {
    gpu.eachPart(x, ({ firstRow, rows: numRows, of }) => {
      const count = to.rows * stride4;
      const blocks = { out: to.of(out), x: of(x), rows: gpu.block(rows) };
      gpu.queue.run(GATHER, { count, stride4, firstPlace: to.firstRow, firstRow, numRows }, blocks, groups(count));
    });
  });
}

export function rowSums(gpu: GpuStorage, what: 'rowDot' | 'rowNorm', out: Dense, a: Dense, b: Dense): void {
  gpu.eachPart(a, ({ firstRow, rows, of }) => {
    const params = { rows, stride4: a.stride / 4, firstRow };
    const blocks = { out: gpu.block(out), a: of(a), b: of(b) };
    gpu.queue.run(rowSumShader(what), params, blocks, Math.ceil(rows / ROWS_AT_ONCE));
  });
}

export function scaleRows(gpu: GpuStorage, out: Dense, x: Dense, s: Dense, accumulate: boolean): void {
  gpu.eachPart(out, ({ firstRow, rows, of }) => {
    const count = (rows * out.stride) / 4;
    const params = { count, stride4: out.stride / 4, firstRow, accumulate: +accumulate };
    gpu.queue.run(SCALE_ROWS, params, { out: of(out), x: of(x), s: gpu.block(s) }, groups(count));
  });
}

export function addBlock(gpu: GpuStorage, out: Dense, row: number, column: number, x: Dense): void {
  const count = x.rows * x.cols;
  const params = { count, cols: x.cols, stride: x.stride, strideOut: out.stride, offset: row * out.stride + column };
  gpu.queue.run(ADD_BLOCK, params, { out: gpu.block(out), x: gpu.block(x) }, groups(count));
}

export function rowNormBackward(
  gpu: GpuStorage,
  dx: Dense,
  { dy, x, norm }: { readonly dy: Dense; readonly x: Dense; readonly norm: Dense },
  accumulate: boolean,
): void {
  gpu.eachPart(dx, ({ firstRow, rows, of }) => {
    const count = (rows * dx.stride) / 4;
    const params = { count, stride4: dx.stride / 4, firstRow, accumulate: +accumulate };
    const blocks = { dx: of(dx), dy: gpu.block(dy), x: of(x), norm: gpu.block(norm) };
    gpu.queue.run(ROW_NORM_BACKWARD, params, blocks, groups(count));
  });
}

function groups(count: number): number {
  return Math.ceil(count / WORKGROUP);
}
