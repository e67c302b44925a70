// What the tape can record: each operation with its forward and backward kernels side by side. Functions here check
// shapes and describe; they run nothing and allocate nothing. Memory an operation needs beside its output is handed in.
//
// Legend: y is the output, x or a, b are inputs, dx the gradient of the loss by x. Vectors are (1 × n).

import type { Kernels, UnaryOperation } from '../kernels.ts';
import type { Dense, Ints, Sparse } from '../matrix.ts';
import type { Clock, Flow, Operation, Tensor } from './recording.ts';

export function spmm(k: Kernels, a: Sparse, x: Tensor, symmetric: boolean): Operation {
  demand('spmm', a.cols === x.rows && (!symmetric || a.rows === a.cols), a, x);
  return {
    name: 'spmm',
    shape: [a.rows, x.cols],
    inputs: [x],
    forward: (y) => k.spmm(y, a, x.value),
    backward: [
      ({ dx, dy, accumulate }) => (symmetric ? k.spmm(dx, a, dy, accumulate) : k.spmmTransposed(dx, a, dy, accumulate)),
    ],
  };
}

export function spmmTransposed(k: Kernels, a: Sparse, x: Tensor): Operation {
  demand('spmmTransposed', a.rows === x.rows, a, x);
  return {
    name: 'spmmTransposed',
    shape: [a.cols, x.cols],
    inputs: [x],
    forward: (y) => k.spmmTransposed(y, a, x.value),
    backward: [({ dx, dy, accumulate }) => k.spmm(dx, a, dy, accumulate)],
  };
}

export function matmul(k: Kernels, a: Tensor, b: Tensor, transposeA: boolean, transposeB: boolean): Operation {
  const [rows, depthA] = transposeA ? [a.cols, a.rows] : [a.rows, a.cols];
  const [depthB, cols] = transposeB ? [b.cols, b.rows] : [b.rows, b.cols];
  demand('matmul', depthA === depthB, a, b);
  return {
    name: 'matmul',
    shape: [rows, cols],
    inputs: [a, b],
    forward: (y) => k.gemm(y, a.value, b.value, { transposeA, transposeB }),
    backward: [
      ({ dx: da, dy, accumulate }) =>
        transposeA
          ? k.gemm(da, b.value, dy, { transposeA: transposeB, transposeB: true, accumulate })
          : k.gemm(da, dy, b.value, { transposeB: !transposeB, accumulate }),
      ({ dx: db, dy, accumulate }) =>
        transposeB
          ? k.gemm(db, dy, a.value, { transposeA: true, transposeB: transposeA, accumulate })
          : k.gemm(db, a.value, dy, { transposeA: !transposeA, accumulate }),
    ],
  };
}

/** a + weight · b */
export function weightedSum(k: Kernels, name: string, a: Tensor, b: Tensor, weight: number): Operation {
  demand(name, isSameShape(a, b), a, b);
  return {
    name,
    shape: [a.rows, a.cols],
    inputs: [a, b],
    weights: [1, weight],
    forward: (y) => k.add(y, a.value, b.value, 1, weight),
    backward: [(flow) => passOn(k, flow, 1), (flow) => passOn(k, flow, weight)],
  };
}

export function scale(k: Kernels, x: Tensor, factor: number): Operation {
  return {
    name: 'scale',
    shape: [x.rows, x.cols],
    inputs: [x],
    weights: [factor],
    forward: (y) => k.add(y, x.value, x.value, factor, 0),
    backward: [(flow) => passOn(k, flow, factor)],
  };
}

export function mul(k: Kernels, a: Tensor, b: Tensor): Operation {
  demand('mul', isSameShape(a, b), a, b);
  return {
    name: 'mul',
    shape: [a.rows, a.cols],
    inputs: [a, b],
    forward: (y) => k.mul(y, a.value, b.value),
    backward: [
      ({ dx: da, dy, accumulate }) => k.mul(da, dy, b.value, accumulate),
      ({ dx: db, dy, accumulate }) => k.mul(db, dy, a.value, accumulate),
    ],
  };
}

export function unary(k: Kernels, name: UnaryOperation, x: Tensor): Operation {
  return {
    name,
    shape: [x.rows, x.cols],
    inputs: [x],
    forward: (y) => k.unary(y, name, x.value),
    backward: [({ dx, dy, y, accumulate }) => k.unaryBackward(dx, name, dy, x.value, y, accumulate)],
  };
}

export function dropout(k: Kernels, x: Tensor, rate: number, seed: number, clock: Clock): Operation {
  if (!(rate >= 0 && rate < 1)) throw new RangeError(`Got dropout rate ${rate} when expected 0 ≤ rate < 1.`);
  return {
    name: 'dropout',
    shape: [x.rows, x.cols],
    inputs: [x],
    forward: (y) => k.dropout(y, x.value, clock.isTraining ? rate : 0, [seed, clock.step]),
    // the same key draws the same mask again
    backward: [({ dx, dy, accumulate }) => k.dropout(dx, dy, rate, [seed, clock.step], accumulate)],
  };
}

export function addBias(k: Kernels, x: Tensor, bias: Tensor): Operation {
  demand('addBias', bias.rows === 1 && bias.cols === x.cols, x, bias);
  return {
    name: 'addBias',
    shape: [x.rows, x.cols],
    inputs: [x, bias],
    forward: (y) => k.addBias(y, x.value, bias.value),
    backward: [(flow) => passOn(k, flow, 1), ({ dx, dy, accumulate }) => k.columnSums(dx, dy, accumulate)],
  };
}

export function gather(k: Kernels, x: Tensor, rows: Ints): Operation {
  return {
    name: 'gather',
    shape: [rows.length, x.cols],
    inputs: [x],
    forward: (y) => k.gather(y, x.value, rows),
    backward: [
      ({ dx, dy, accumulate }) => {
        if (!accumulate) k.fill(dx, 0);
        k.scatterAdd(dx, rows, dy);
      },
    ],
  };
}

export function rowDot(k: Kernels, a: Tensor, b: Tensor): Operation {
  demand('rowDot', isSameShape(a, b), a, b);
  return {
    name: 'rowDot',
    shape: [1, a.rows],
    inputs: [a, b],
    forward: (y) => k.rowDot(y, a.value, b.value),
    backward: [
      ({ dx: da, dy, accumulate }) => k.scaleRows(da, b.value, dy, accumulate),
      ({ dx: db, dy, accumulate }) => k.scaleRows(db, a.value, dy, accumulate),
    ],
  };
}

export function rowNorm(k: Kernels, x: Tensor): Operation {
  return {
    name: 'rowNorm',
    shape: [1, x.rows],
    inputs: [x],
    forward: (y) => k.rowNorm(y, x.value),
    backward: [({ dx, dy, y, accumulate }) => k.rowNormBackward(dx, dy, x.value, y, accumulate)],
  };
}

/** `dots` (1 × n) is scratch: rowDot cannot accumulate. */
export function scaleRows(k: Kernels, x: Tensor, s: Tensor, dots: Dense): Operation {
  demand('scaleRows', s.rows === 1 && s.cols === x.rows, x, s);
  return {
    name: 'scaleRows',
    shape: [x.rows, x.cols],
    inputs: [x, s],
    forward: (y) => k.scaleRows(y, x.value, s.value),
    backward: [
      ({ dx, dy, accumulate }) => k.scaleRows(dx, dy, s.value, accumulate),
      ({ dx: ds, dy, accumulate }) => {
        k.rowDot(accumulate ? dots : ds, dy, x.value);
        if (accumulate) k.add(ds, ds, dots);
      },
    ],
  };
}

export function columnSums(k: Kernels, x: Tensor): Operation {
  return {
    name: 'columnSums',
    shape: [1, x.cols],
    inputs: [x],
    forward: (y) => k.columnSums(y, x.value),
    backward: [
      ({ dx, dy, accumulate }) => {
        if (!accumulate) k.fill(dx, 0);
        k.addBias(dx, dx, dy);
      },
    ],
  };
}

/** weight · Σ x */
export function total(k: Kernels, name: string, x: Tensor, weight: number): Operation {
  return {
    name,
    shape: [1, 1],
    inputs: [x],
    forward: (y) => k.sum(y, x.value, weight),
    backward: [({ dx, dy, accumulate }) => k.broadcast(dx, dy, weight, accumulate)],
  };
}

/** dx = factor · dy, or dx += factor · dy */
function passOn(k: Kernels, { dx, dy, accumulate }: Flow, factor: number): void {
  if (accumulate) k.add(dx, dx, dy, 1, factor);
  else k.add(dx, dy, dy, factor, 0);
}

interface Shape {
  readonly rows: number;
  readonly cols: number;
}

function isSameShape(a: Shape, b: Shape): boolean {
  return a.rows === b.rows && a.cols === b.cols;
}

function demand(operation: string, holds: boolean, a: Shape, b: Shape): void {
  if (holds) return;
  throw new Error(
    `Got ${a.rows} × ${a.cols} and ${b.rows} × ${b.cols} when expected two shapes that fit. Check ${operation}.`,
  );
}
