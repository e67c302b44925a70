// Number by number on the GPU: fill, sums, products, the nonlinear functions, dropout.

import type { UnaryOperation } from '../kernels.ts';
import type { Dense } from '../matrix.ts';
import type { GpuStorage } from './gpu-storage.ts';
import { WORKGROUP } from './shader.ts';
import { ADD, BROADCAST, DROPOUT, FILL, MUL, unaryBackwardShader, unaryShader } from './wgsl-elementwise.ts';

export function fill(gpu: GpuStorage, out: Dense, value: number): void {
  gpu.eachPart(out, ({ rows, of }) => {
    const count = quads(rows, out);
    const params = { count, cols: out.cols, stride: out.stride, value };
    gpu.queue.run(FILL, params, { out: of(out) }, groups(count));
  });
}

export function add(gpu: GpuStorage, out: Dense, a: Dense, b: Dense, scaleA: number, scaleB: number): void {
  gpu.eachPart(out, ({ rows, of }) => {
    const count = quads(rows, out);
    gpu.queue.run(ADD, { count, scaleA, scaleB }, { out: of(out), a: of(a), b: of(b) }, groups(count));
  });
}

export function mul(gpu: GpuStorage, out: Dense, a: Dense, b: Dense, accumulate: boolean): void {
  gpu.eachPart(out, ({ rows, of }) => {
    const count = quads(rows, out);
    gpu.queue.run(MUL, { count, accumulate: +accumulate }, { out: of(out), a: of(a), b: of(b) }, groups(count));
  });
}

export function broadcast(gpu: GpuStorage, out: Dense, s: Dense, scale: number, accumulate: boolean): void {
  gpu.eachPart(out, ({ rows, of }) => {
    const count = quads(rows, out);
    const params = { count, cols: out.cols, stride: out.stride, scale, accumulate: +accumulate };
    gpu.queue.run(BROADCAST, params, { out: of(out), s: gpu.block(s) }, groups(count));
  });
}

export function unary(gpu: GpuStorage, out: Dense, operation: UnaryOperation, x: Dense): void {
  gpu.eachPart(out, ({ rows, of }) => {
    const count = quads(rows, out);
    const params = { count, cols: out.cols, stride: out.stride };
    gpu.queue.run(unaryShader(operation), params, { out: of(out), x: of(x) }, groups(count));
  });
}

export function unaryBackward(
  gpu: GpuStorage,
  dx: Dense,
  operation: UnaryOperation,
  { dy, x, y }: { readonly dy: Dense; readonly x: Dense; readonly y: Dense },
  accumulate: boolean,
): void {
  gpu.eachPart(dx, ({ rows, of }) => {
    const count = quads(rows, dx);
    const params = { count, cols: dx.cols, stride: dx.stride, accumulate: +accumulate };
    const blocks = { dx: of(dx), dy: of(dy), x: of(x), y: of(y) };
    gpu.queue.run(unaryBackwardShader(operation), params, blocks, groups(count));
  });
}

export function dropout(
  gpu: GpuStorage,
  out: Dense,
  x: Dense,
  { rate, key }: { readonly rate: number; readonly key: readonly [number, number] },
  accumulate: boolean,
): void {
  gpu.eachPart(out, ({ firstRow, rows, of }) => {
    const count = quads(rows, out);
    const params = {
      count,
      cols: out.cols,
      stride: out.stride,
      firstRow,
      threshold: Math.round(rate * 2 ** 32),
      scale: 1 / (1 - rate),
      key0: key[0],
      key1: key[1],
      accumulate: +accumulate,
    };
    gpu.queue.run(DROPOUT, params, { out: of(out), x: of(x) }, groups(count));
  });
}

/** Numbers come four at a time. */
function quads(rows: number, { stride }: Dense): number {
  return (rows * stride) / 4;
}

function groups(count: number): number {
  return Math.ceil(count / WORKGROUP);
}
