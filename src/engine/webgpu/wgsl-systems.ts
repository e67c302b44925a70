// The pieces of symmetric systems that are not products of matrices: a diagonal block is factored and its factor inverted
// by one workgroup in its own memory; panels are copied out of the lower triangle and back; triangles are mirrored.
//
// Legend: BLOCK columns at a time. Offsets and strides count floats.

import { MAIN, shader, shaderFamily, WORKGROUP } from './shader.ts';

export const BLOCK = 64; // BLOCK² floats are all the memory a workgroup has on any device
export const NO_FAILURE = 0xffffffff;

/**
 * A diagonal block becomes L (where it is kept), `inverses` gets L⁻¹. A pivot that is not positive is put down, the first one
 * counts, and replaced by one: what comes of it is thrown away.
 *
 * With a = M D Mᵀ, M having ones on its diagonal: step j takes column j out of what is right of it, and does the same to an
 * identity, which becomes M⁻¹. Below the diagonal lies M D, above it M⁻¹ upside down. L = M D^½ and L⁻¹ = D^−½ M⁻¹ in the end.
 */
export const factorShader = shaderFamily((keeps: boolean) =>
  shader({
    name: `factor ${keeps}`,
    params: { offset: 'u32', stride: 'u32', width: 'u32', firstRow: 'u32' },
    buffers: { a: keeps ? 'write f32' : 'read f32', inverses: 'write f32', failure: 'write atomic<u32>' },
    code: `
var<workgroup> block: array<f32, ${BLOCK * BLOCK}>;

// where M⁻¹[r][c] lies, c < r
fn placeOfInverse(r: u32, c: u32) -> u32 { return (${BLOCK - 1}u - r) * ${BLOCK}u + ${BLOCK - 1}u - c; }

fn isPositive(x: f32) -> bool {
  let bits = bitcast<u32>(x);
  return bits > 0u && bits < 0x7f800000u; // nor NaN, nor infinite
}
${MAIN()}
  for (var i = lane; i < ${BLOCK * BLOCK}u; i += ${WORKGROUP}u) {
    let r = i / ${BLOCK}u;
    let c = i % ${BLOCK}u;
    // beyond the block the identity, so that every block is whole
    var value = select(0.0, 1.0, r == c);
    if (r < params.width && c <= r) { value = a[params.offset + r * params.stride + c]; }
    block[i] = value;
  }
  workgroupBarrier();
  let c = lane % ${BLOCK}u;
  for (var j = 0u; j < ${BLOCK}u; j++) {
    var pivot = block[j * ${BLOCK}u + j];
    if (!isPositive(pivot)) {
      if (lane == 0u) { atomicMin(&failure[0], params.firstRow + j); }
      pivot = 1.0;
    }
    var factor = 1.0; // M⁻¹[j][j]
    if (c > j) { factor = block[c * ${BLOCK}u + j]; }
    if (c < j) { factor = block[placeOfInverse(j, c)]; }
    factor /= pivot;
    for (var r = (j & ~${WORKGROUP / BLOCK - 1}u) + lane / ${BLOCK}u; r < ${BLOCK}u; r += ${WORKGROUP / BLOCK}u) {
      if (r > j && c <= r) {
        let at = select(placeOfInverse(r, c), r * ${BLOCK}u + c, c > j);
        block[at] -= block[r * ${BLOCK}u + j] * factor;
      }
    }
    workgroupBarrier();
  }
  for (var i = lane; i < ${BLOCK * BLOCK}u; i += ${WORKGROUP}u) {
    let r = i / ${BLOCK}u;
    let pivot = block[r * ${BLOCK}u + r];
    let root = sqrt(select(1.0, pivot, isPositive(pivot)));
    var value = select(0.0, 1.0, c == r);
    if (c < r) { value = block[placeOfInverse(r, c)]; }
    inverses[i] = value / root;
${
  keeps
    ? `
    if (r < params.width && c <= r) {
      let above = block[c * ${BLOCK}u + c];
      let rootAbove = sqrt(select(1.0, above, isPositive(above)));
      a[params.offset + r * params.stride + c] = select(block[i] / rootAbove, root, c == r);
    }`
    : ''
}
  }
}`,
  }),
);

/** L becomes L⁻¹ in place, row by row: a row needs itself and the finished rows above it. */
const INVERT = `
  for (var r = 0u; r < ${BLOCK}u; r++) {
    var value = 0.0;
    if (lane <= r) {
      for (var k = lane; k < r; k++) { value -= block[r * ${BLOCK}u + k] * block[k * ${BLOCK}u + lane]; }
      value = select(value, 1.0, lane == r) / block[r * ${BLOCK}u + r];
    }
    workgroupBarrier();
    if (lane <= r) { block[r * ${BLOCK}u + lane] = value; }
    workgroupBarrier();
  }`;

/** The inverses of all diagonal blocks of a lower triangle, a workgroup each. */
export const INVERT_BLOCKS = shader({
  name: 'invertBlocks',
  params: { size: 'u32', strideAll: 'u32' },
  buffers: { inverses: 'write f32', l: 'read f32' },
  code: `
var<workgroup> block: array<f32, ${BLOCK * BLOCK}>;
${MAIN()}
  let firstRow = group * ${BLOCK}u;
  for (var i = lane; i < ${BLOCK * BLOCK}u; i += ${WORKGROUP}u) {
    let r = i / ${BLOCK}u;
    let c = i % ${BLOCK}u;
    var value = select(0.0, 1.0, r == c);
    if (firstRow + r < params.size && c <= r) { value = l[(firstRow + r) * params.strideAll + firstRow + c]; }
    block[i] = value;
  }
  workgroupBarrier();
${INVERT}
  for (var i = lane; i < ${BLOCK * BLOCK}u; i += ${WORKGROUP}u) {
    inverses[group * ${BLOCK * BLOCK}u + i] = select(0.0, block[i], i % ${BLOCK}u <= i / ${BLOCK}u);
  }
}`,
});

/** panel[i][c] = a[i][first + c] for all rows of a symmetric matrix, of which only the lower triangle is there. */
export const GATHER_PANEL = shader({
  name: 'gatherPanel',
  params: { size: 'u32', stride: 'u32', first: 'u32', width: 'u32' },
  buffers: { panel: 'write f32', a: 'read f32' },
  code: `${MAIN()}
  let i = group * ${WORKGROUP}u + lane;
  let r = i / ${BLOCK}u;
  let c = i % ${BLOCK}u;
  if (r >= params.size) { return; }
  let column = params.first + c;
  var value = 0.0;
  if (c < params.width) {
    value = a[max(r, column) * params.stride + min(r, column)];
  }
  panel[i] = value;
}`,
});

/** The way back: the panel's rows into the lower triangle, and minus the pivot into the diagonal block. */
export const SCATTER_PANEL = shader({
  name: 'scatterPanel',
  params: { size: 'u32', stride: 'u32', first: 'u32', width: 'u32' },
  buffers: { a: 'write f32', panel: 'read f32', pivot: 'read f32' },
  code: `${MAIN()}
  let i = group * ${WORKGROUP}u + lane;
  let r = i / ${BLOCK}u;
  let c = i % ${BLOCK}u;
  if (r >= params.size || c >= params.width) { return; }
  let column = params.first + c;
  let isPivot = r >= params.first && r < params.first + params.width;
  if (isPivot && r < column) { return; }
  var value = panel[i];
  if (isPivot) { value = -pivot[(r - params.first) * ${BLOCK}u + c]; }
  a[max(r, column) * params.stride + min(r, column)] = value;
}`,
});

/** Rows of one matrix into another, from an offset on: in[r][c] for c < width. */
export const COPY_PANEL = shader({
  name: 'copyPanel',
  params: { count: 'u32', width: 'u32', offsetOut: 'u32', strideOut: 'u32', offset: 'u32', stride: 'u32' },
  buffers: { out: 'write f32', x: 'read f32' },
  code: `${MAIN()}
  let i = group * ${WORKGROUP}u + lane;
  if (i >= params.count) { return; }
  let r = i / params.width;
  let c = i % params.width;
  out[params.offsetOut + r * params.strideOut + c] = x[params.offset + r * params.stride + c];
}`,
});

const TILE = 16;

/** Above the diagonal zeros, or what is below it; a tile is turned in workgroup memory so that both sides are read in rows. */
export const upperShader = shaderFamily((what: 'clear' | 'mirror') =>
  shader({
    name: `upper ${what}`,
    params: { size: 'u32', stride: 'u32', firstRow: 'u32' },
    buffers: { a: 'write f32' },
    code: `
var<workgroup> tile: array<f32, ${TILE * (TILE + 1)}>;
${MAIN()}
  let across = (params.size + ${TILE - 1}u) / ${TILE}u;
  let r = (group / across) * ${TILE}u + lane / ${TILE}u;
  let c = (group % across) * ${TILE}u + lane % ${TILE}u;
  let turnedRow = (group % across) * ${TILE}u + lane / ${TILE}u;
  let turnedCol = (group / across) * ${TILE}u + lane % ${TILE}u;
  if (turnedRow < params.size && turnedCol < turnedRow) {
    tile[(lane / ${TILE}u) * ${TILE + 1}u + lane % ${TILE}u] = a[turnedRow * params.stride + turnedCol];
  }
  workgroupBarrier();
  if (r < params.size && c < params.size && c > r) {
    a[r * params.stride + c] = ${what === 'clear' ? '0.0' : `tile[(lane % ${TILE}u) * ${TILE + 1}u + lane / ${TILE}u]`};
  }
}`,
  }),
);

/** −a on and below the diagonal. */
export const NEGATE_LOWER = shader({
  name: 'negateLower',
  params: { count: 'u32', stride: 'u32' },
  buffers: { a: 'write f32' },
  code: `${MAIN()}
  let i = group * ${WORKGROUP}u + lane;
  if (i >= params.count || i % params.stride > i / params.stride) { return; }
  a[i] = -a[i];
}`,
});
