// Number by number on the GPU: fill, sums, products, the nonlinear functions, dropout.
//
// An invocation takes four numbers. Matrices of one shape lie in memory in the same way,
// padding included, so a matrix is one straight run of numbers; what does not map 0 to 0 clears the padding behind it.

import { LEAKY_SLOPE, type UnaryOperation } from '../kernels.ts';
import type { Dense } from '../matrix.ts';
import type { GpuStorage } from './gpu-storage.ts';
import { MAIN, shader, shaderFamily, WORKGROUP } from './shader.ts';
import { FUNCTIONS, THREEFRY, WITHOUT_PADDING } from './wgsl-functions.ts';

/** `i` is the place of four numbers. */
const EACH = `${MAIN()}
  let i = group * ${WORKGROUP}u + lane;
  if (i >= params.count) { return; }`;

const COLUMN = '(i * 4u) % params.stride';

export const FILL = shader({
  name: 'fill',
  params: { count: 'u32', cols: 'u32', stride: 'u32', value: 'f32' },
  buffers: { out: 'write vec4<f32>' },
  code: `${WITHOUT_PADDING}
${EACH}
  out[i] = withoutPadding(vec4<f32>(params.value), ${COLUMN}, params.cols);
}`,
});

const ADD = shader({
  name: 'add',
  params: { count: 'u32', scaleA: 'f32', scaleB: 'f32' },
  buffers: { out: 'write vec4<f32>', a: 'read vec4<f32>', b: 'read vec4<f32>' },
  inPlace: true,
  code: `${EACH}
  out[i] = params.scaleA * a[i] + params.scaleB * b[i];
}`,
});

const MUL = shader({
  name: 'mul',
  params: { count: 'u32', accumulate: 'u32' },
  buffers: { out: 'write vec4<f32>', a: 'read vec4<f32>', b: 'read vec4<f32>' },
  inPlace: true,
  code: `${EACH}
  let product = a[i] * b[i];
  if (params.accumulate == 1u) { out[i] = out[i] + product; } else { out[i] = product; }
}`,
});

const BROADCAST = shader({
  name: 'broadcast',
  params: { count: 'u32', cols: 'u32', stride: 'u32', scale: 'f32', accumulate: 'u32' },
  buffers: { out: 'write vec4<f32>', s: 'read f32' },
  code: `${WITHOUT_PADDING}
${EACH}
  let value = withoutPadding(vec4<f32>(params.scale * s[0]), ${COLUMN}, params.cols);
  if (params.accumulate == 1u) { out[i] = out[i] + value; } else { out[i] = value; }
}`,
});

const SLOPE = LEAKY_SLOPE.toString();

const BODIES: Readonly<Record<UnaryOperation, string>> = {
  relu: 'if (isNan(x)) { return x; } return max(x, 0.0);',
  leakyRelu: `if (x > 0.0) { return x; } return ${SLOPE} * x;`,
  tanh: 'return exact_tanh(x);',
  sigmoid: 'return sigmoid(x);',
  softplus: 'return softplus(x);',
  exp: 'return exact_exp(x);',
  log: 'return exact_log(x);',
};

/** From input x and output y, whichever is handier. */
const DERIVATIVES: Readonly<Record<UnaryOperation, string>> = {
  relu: 'select(0.0, 1.0, x > 0.0)',
  leakyRelu: `select(${SLOPE}, 1.0, x > 0.0)`,
  tanh: '1.0 - y * y',
  sigmoid: 'y * (1.0 - y)',
  softplus: 'sigmoid(x)',
  exp: 'y',
  log: '1.0 / x',
};

const unaryShader = shaderFamily((operation: UnaryOperation) =>
  shader({
    name: `unary ${operation}`,
    params: { count: 'u32', cols: 'u32', stride: 'u32' },
    buffers: { out: 'write vec4<f32>', x: 'read vec4<f32>' },
    inPlace: true,
    code: `${FUNCTIONS}
${WITHOUT_PADDING}
fn f(x: f32) -> f32 { ${BODIES[operation]} }
${EACH}
  let value = x[i];
  let result = vec4<f32>(f(value.x), f(value.y), f(value.z), f(value.w));
  out[i] = withoutPadding(result, ${COLUMN}, params.cols);
}`,
  }),
);

const unaryBackwardShader = shaderFamily((operation: UnaryOperation) =>
  shader({
    name: `unaryBackward ${operation}`,
    params: { count: 'u32', cols: 'u32', stride: 'u32', accumulate: 'u32' },
    buffers: { dx: 'write vec4<f32>', dy: 'read vec4<f32>', x: 'read vec4<f32>', y: 'read vec4<f32>' },
    inPlace: true,
    code: `${FUNCTIONS}
${WITHOUT_PADDING}
fn derivative(x: f32, y: f32) -> f32 { return ${DERIVATIVES[operation]}; }
${EACH}
  let source = x[i];
  let to = y[i];
  let slope = vec4<f32>(
    derivative(source.x, to.x), derivative(source.y, to.y), derivative(source.z, to.z), derivative(source.w, to.w));
  let change = withoutPadding(dy[i] * slope, ${COLUMN}, params.cols);
  if (params.accumulate == 1u) { dx[i] = dx[i] + change; } else { dx[i] = change; }
}`,
  }),
);

const DROPOUT = shader({
  name: 'dropout',
  params: {
    count: 'u32',
    cols: 'u32',
    stride: 'u32',
    firstRow: 'u32',
    threshold: 'u32',
    scale: 'f32',
    key0: 'u32',
    key1: 'u32',
    accumulate: 'u32',
  },
  buffers: { out: 'write vec4<f32>', x: 'read vec4<f32>' },
  inPlace: true,
  code: `${THREEFRY}
fn isKept(draw: u32) -> bool {
  return threefry(params.key0, params.key1, draw >> 1u, 0u)[draw & 1u] >= params.threshold;
}
${EACH}
  let column = ${COLUMN};
  // draws count numbers, not places: padding does not change the mask
  let draw = (params.firstRow + (i * 4u) / params.stride) * params.cols + column;
  let value = x[i];
  var kept = vec4<f32>();
  for (var c = 0u; c < 4u; c++) {
    if (column + c < params.cols && isKept(draw + c)) { kept[c] = value[c] * params.scale; }
  }
  if (params.accumulate == 1u) { out[i] = out[i] + kept; } else { out[i] = kept; }
}`,
});

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
