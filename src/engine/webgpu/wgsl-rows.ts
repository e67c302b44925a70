// Kernels on rows and columns: bias, sums, gather, dots and norms. Sixteen invocations share a row where its numbers are
// summed, four numbers each at a time; sums go in a fixed order, so that they are the same bytes every time.

import { MAIN, shader, shaderFamily, WORKGROUP } from './shader.ts';
import { WITHOUT_PADDING } from './wgsl-elementwise.ts';

export const ROW_LANES = 16; // invocations that share a row
export const ROWS_AT_ONCE = WORKGROUP / ROW_LANES; // in a workgroup
export const SUM_GROUPS = 512; // workgroups that share a sum, at most

const EACH = `${MAIN()}
  let i = group * ${WORKGROUP}u + lane;
  if (i >= params.count) { return; }`;

export const ADD_BIAS = shader({
  name: 'addBias',
  params: { count: 'u32', stride4: 'u32' },
  buffers: { out: 'write vec4<f32>', x: 'read vec4<f32>', bias: 'read vec4<f32>' },
  inPlace: true,
  code: `${EACH}
  out[i] = x[i] + bias[i % params.stride4];
}`,
});

/** As whole numbers: every bit is copied. */
export const GATHER = shader({
  name: 'gather',
  params: { count: 'u32', stride4: 'u32', firstPlace: 'u32', firstRow: 'u32', numRows: 'u32' },
  buffers: { out: 'write vec4<u32>', x: 'read vec4<u32>', rows: 'read u32' },
  code: `${EACH}
  let row = rows[params.firstPlace + i / params.stride4] - params.firstRow;
  if (row < params.numRows) { out[i] = x[row * params.stride4 + i % params.stride4]; }
}`,
});

export const SCALE_ROWS = shader({
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
export const ADD_BLOCK = shader({
  name: 'addBlock',
  params: { count: 'u32', cols: 'u32', stride: 'u32', strideOut: 'u32', offset: 'u32' },
  buffers: { out: 'write f32', x: 'read f32' },
  code: `${EACH}
  let r = i / params.cols;
  let c = i % params.cols;
  out[params.offset + r * params.strideOut + c] += x[r * params.stride + c];
}`,
});

export const ROW_NORM_BACKWARD = shader({
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
export const rowSumShader = shaderFamily((what: 'rowDot' | 'rowNorm') =>
  shader({
    name: what,
    params: { rows: 'u32', stride4: 'u32', firstRow: 'u32' },
    buffers: { out: 'write f32', a: 'read vec4<f32>', b: 'read vec4<f32>' },
    code: `
var<workgroup> sums: array<f32, ${WORKGROUP}>;
${MAIN()}
  let row = group * ${ROWS_AT_ONCE}u + lane / ${ROW_LANES}u;
  let place = lane % ${ROW_LANES}u;
  var sum = vec4<f32>();
  if (row < params.rows) {
    for (var c = place; c < params.stride4; c += ${ROW_LANES}u) {
      sum += a[row * params.stride4 + c] * b[row * params.stride4 + c];
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
export const COLUMN_SUMS = shader({
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
export const SUM = shader({
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
