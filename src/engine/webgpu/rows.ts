// Rows and columns on the GPU: bias, sums, gather, dots and norms.
//
// Sixteen invocations share a row where its numbers are
// summed, four numbers each at a time; sums go in a fixed order, so that they are the same bytes every time.

import type { Dense, Ints } from '../matrix.ts';
import type { Window } from './buffers.ts';
import type { GpuStorage } from './gpu-storage.ts';
import { MAIN, shader, shaderFamily, WORKGROUP } from './shader.ts';
import { WITHOUT_PADDING } from './wgsl-functions.ts';

const ROW_LANES = 16; // invocations that share a row
const ROWS_AT_ONCE = WORKGROUP / ROW_LANES; // in a workgroup
const SUM_GROUPS = 512; // workgroups that share a sum, at most

const EACH = `${MAIN()}
  let i = group * ${WORKGROUP}u + lane;
  if (i >= params.count) { return; }`;

const ADD_BIAS = shader({
  name: 'addBias',
  params: { count: 'u32', stride4: 'u32' },
  buffers: { out: 'write vec4<f32>', x: 'read vec4<f32>', bias: 'read vec4<f32>' },
  inPlace: true,
  code: `${EACH}
  out[i] = x[i] + bias[i % params.stride4];
}`,
});

/** As whole numbers: every bit is copied. */
const GATHER = shader({
  name: 'gather',
  params: { count: 'u32', stride4: 'u32', firstPlace: 'u32', firstRow: 'u32', numRows: 'u32' },
  buffers: { out: 'write vec4<u32>', x: 'read vec4<u32>', rows: 'read u32' },
  code: `${EACH}
  let row = rows[params.firstPlace + i / params.stride4] - params.firstRow;
  if (row < params.numRows) { out[i] = x[row * params.stride4 + i % params.stride4]; }
}`,
});

const SCALE_ROWS = shader({
  name: 'scaleRows',
  params: { count: 'u32', stride4: 'u32', firstRow: 'u32', accumulate: 'u32' },
  buffers: { out: 'write vec4<f32>', x: 'read vec4<f32>', s: 'read f32' },
  inPlace: true,
  code: `${EACH}
  let scaled = s[params.firstRow + i / params.stride4] * x[i];
  if (params.accumulate == 1u) { out[i] = out[i] + scaled; } else { out[i] = scaled; }
}`,
});

/** Number by number: neither block need begin where four numbers do. */
const ADD_BLOCK = shader({
  name: 'addBlock',
  params: { count: 'u32', cols: 'u32', stride: 'u32', strideOut: 'u32', offset: 'u32' },
  buffers: { out: 'write f32', x: 'read f32' },
  code: `${EACH}
  let r = i / params.cols;
  let c = i % params.cols;
  out[params.offset + r * params.strideOut + c] += x[r * params.stride + c];
}`,
});

const ROW_NORM_BACKWARD = shader({
  name: 'rowNormBackward',
  params: { count: 'u32', stride4: 'u32', firstRow: 'u32', accumulate: 'u32' },
  buffers: { dx: 'write vec4<f32>', dy: 'read f32', x: 'read vec4<f32>', norm: 'read f32' },
  code: `${EACH}
  let row = params.firstRow + i / params.stride4;
  var factor = 0.0;
  if (norm[row] > 0.0) { factor = dy[row] / norm[row]; }
  let change = factor * x[i];
  if (params.accumulate == 1u) { dx[i] = dx[i] + change; } else { dx[i] = change; }
}`,
});

/** The dot products of rows with one another, or the norms of rows. */
const rowSumShader = shaderFamily((what: 'rowDot' | 'rowNorm') =>
  shader({
    name: what,
    params: { rows: 'u32', stride4: 'u32', strideB4: 'u32', firstRow: 'u32' },
    buffers: { out: 'write f32', a: 'read vec4<f32>', b: 'read vec4<f32>' },
    code: `
var<workgroup> sums: array<f32, ${WORKGROUP}>;
${MAIN()}
  let row = group * ${ROWS_AT_ONCE}u + lane / ${ROW_LANES}u;
  let place = lane % ${ROW_LANES}u;
  var sum = vec4<f32>();
  if (row < params.rows) {
    for (var c = place; c < params.stride4; c += ${ROW_LANES}u) {
      sum += a[row * params.stride4 + c] * b[row * params.strideB4 + c];
    }
  }
  sums[lane] = (sum.x + sum.y) + (sum.z + sum.w);
  for (var step = ${ROW_LANES / 2}u; step > 0u; step >>= 1u) {
    workgroupBarrier();
    if (place < step) { sums[lane] += sums[lane + step]; }
  }
  if (place == 0u && row < params.rows) {
    out[params.firstRow + row] = ${what === 'rowNorm' ? 'sqrt(sums[lane])' : 'sums[lane]'};
  }
}`,
  }),
);

/** The sums of the columns over some rows: a workgroup takes 64 columns of them, layer by layer. */
const COLUMN_SUMS = shader({
  name: 'columnSums',
  params: { rows: 'u32', rowsEach: 'u32', cols: 'u32', stride4: 'u32', accumulate: 'u32' },
  buffers: { out: 'write vec4<f32>', x: 'read vec4<f32>' },
  code: `${WITHOUT_PADDING}
var<workgroup> sums: array<vec4<f32>, ${WORKGROUP}>;
${MAIN()}
  let column = groupId.z * ${ROW_LANES}u + lane % ${ROW_LANES}u;
  let first = group * params.rowsEach;
  let end = min(params.rows, first + params.rowsEach);
  var sum = vec4<f32>();
  if (column < params.stride4) {
    for (var r = first + lane / ${ROW_LANES}u; r < end; r += ${ROWS_AT_ONCE}u) { sum += x[r * params.stride4 + column]; }
  }
  sums[lane] = sum;
  for (var step = ${WORKGROUP / 2}u; step >= ${ROW_LANES}u; step >>= 1u) {
    workgroupBarrier();
    if (lane < step) { sums[lane] += sums[lane + step]; }
  }
  if (lane < ${ROW_LANES}u && column < params.stride4) {
    let at = group * params.stride4 + column;
    let total = withoutPadding(sums[lane], 4u * column, params.cols);
    if (params.accumulate == 1u) { out[at] = out[at] + total; } else { out[at] = total; }
  }
}`,
});

/** Every workgroup adds up its share and puts it into a place of its own. */
const SUM = shader({
  name: 'sum',
  params: { count: 'u32', each: 'u32', firstPlace: 'u32', scale: 'f32' },
  buffers: { out: 'write f32', x: 'read vec4<f32>' },
  code: `
var<workgroup> sums: array<f32, ${WORKGROUP}>;
${MAIN()}
  let end = min(params.count, (group + 1u) * params.each);
  var sum = vec4<f32>();
  for (var i = group * params.each + lane; i < end; i += ${WORKGROUP}u) { sum += x[i]; }
  sums[lane] = (sum.x + sum.y) + (sum.z + sum.w);
  for (var step = ${WORKGROUP / 2}u; step > 0u; step >>= 1u) {
    workgroupBarrier();
    if (lane < step) { sums[lane] += sums[lane + step]; }
  }
  if (lane == 0u) { out[params.firstPlace + group] = params.scale * sums[0]; }
}`,
});

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
    const isOne = b.rows === 1;
    const params = { rows, stride4: a.stride / 4, strideB4: isOne ? 0 : b.stride / 4, firstRow };
    const blocks = { out: gpu.block(out), a: of(a), b: isOne ? gpu.block(b) : of(b) };
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
