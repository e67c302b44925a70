// Symmetric positive definite systems on the GPU, by blocks as in wasm/symmetric.ts, so that nearly all the arithmetic is
// a product of matrices. Nothing is read back in between: a pivot that is not positive is noted on the GPU and found at the
// end. The inverse is the sweep operator of reference/symmetric.ts with a block of columns as its pivot.
//
// What is not a product of matrices: a diagonal block is factored and its factor inverted
// by one workgroup in its own memory; panels are copied out of the lower triangle and back; triangles are mirrored.
//
// Legend: BLOCK columns at a time. Offsets and strides count floats.

import { NotPositiveDefiniteError } from '../kernels.ts';
import type { Dense } from '../matrix.ts';
import type { Block } from './buffers.ts';
import { multiply, type Panel } from './gemm.ts';
import type { GpuStorage } from './gpu-storage.ts';
import { MAIN, shader, shaderFamily, WORKGROUP } from './shader.ts';

const BLOCK = 64; // BLOCK² floats are all the memory a workgroup has on any device
const NO_FAILURE = 0xffffffff;

/**
 * A diagonal block becomes L (where it is kept), `inverses` gets L⁻¹. A pivot that is not positive is put down, the first one
 * counts, and replaced by one: what comes of it is thrown away.
 *
 * With a = M D Mᵀ, M having ones on its diagonal: step j takes column j out of what is right of it, and does the same to an
 * identity, which becomes M⁻¹. Below the diagonal lies M D, above it M⁻¹ upside down. L = M D^½ and L⁻¹ = D^−½ M⁻¹ in the end.
 */
const factorShader = shaderFamily((keeps: boolean) =>
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
const INVERT_BLOCKS = shader({
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
const GATHER_PANEL = shader({
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
const SCATTER_PANEL = shader({
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
const COPY_PANEL = shader({
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
const upperShader = shaderFamily((what: 'clear' | 'mirror') =>
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
const NEGATE_LOWER = shader({
  name: 'negateLower',
  params: { count: 'u32', stride: 'u32' },
  buffers: { a: 'write f32' },
  code: `${MAIN()}
  let i = group * ${WORKGROUP}u + lane;
  if (i >= params.count || i % params.stride > i / params.stride) { return; }
  a[i] = -a[i];
}`,
});

const BLOCK_BYTES = BLOCK * BLOCK * 4;

/** a = L Lᵀ, right-looking: factor a diagonal block, solve the panel below it, update what is left. */
export async function cholesky(gpu: GpuStorage, a: Dense): Promise<void> {
  const n = a.rows;
  const block = gpu.block(a);
  await noticing(gpu, (failure) => {
    gpu.withScratch([BLOCK_BYTES, n * BLOCK * 4], (inverses, solved) => {
      for (let first = 0; first < n; first += BLOCK) {
        const width = Math.min(BLOCK, n - first);
        const [after, left] = [first + width, n - first - width];
        const at = first * a.stride + first;
        const params = { offset: at, stride: a.stride, width, firstRow: first };
        gpu.queue.run(factorShader(true), params, { a: block, inverses, failure }, 1);
        if (left === 0) break;
        const below = { block, offset: after * a.stride + first, stride: a.stride };
        const result = panelOf(solved);
        const sizes = { rows: left, cols: width, depth: width };
        multiply(gpu, result, below, panelOf(inverses), { ...sizes, transposeB: true });
        copyPanel(gpu, below, result, left, width);
        const rest = { block, offset: after * a.stride + after, stride: a.stride };
        updateLower(gpu, rest, result, result, left, width);
      }
    });
  });
  const params = { size: n, stride: a.stride, firstRow: 0 };
  gpu.queue.run(upperShader('clear'), params, { a: block }, tiles(n));
}

/** Block by block: solve with the diagonal block's inverse, take its part out of the rows still to come. */
export function solveTriangular(gpu: GpuStorage, b: Dense, l: Dense, transposed: boolean): void {
  const [n, cols] = [l.rows, b.cols];
  const numBlocks = Math.ceil(n / BLOCK);
  const [blockB, blockL] = [gpu.block(b), gpu.block(l)];
  gpu.withScratch([Math.max(1, numBlocks) * BLOCK_BYTES, BLOCK * b.stride * 4], (inverses, solved) => {
    const inverted = { size: n, strideAll: l.stride };
    gpu.queue.run(INVERT_BLOCKS, inverted, { inverses, l: blockL }, numBlocks);
    for (let step = 0; step < numBlocks; step++) {
      const number = transposed ? numBlocks - 1 - step : step;
      const first = number * BLOCK;
      const width = Math.min(BLOCK, n - first);
      const after = first + width;
      const part = { block: blockB, offset: first * b.stride, stride: b.stride };
      const result = { block: solved, offset: 0, stride: b.stride };
      const inverse = { block: inverses, offset: number * BLOCK * BLOCK, stride: BLOCK };
      multiply(gpu, result, inverse, part, { rows: width, cols, depth: width, transposeA: transposed });
      copyPanel(gpu, part, result, width, cols);
      const restRow = transposed ? 0 : after;
      const rows = transposed ? first : n - after;
      const rest = { block: blockB, offset: restRow * b.stride, stride: b.stride };
      const at = transposed ? first * l.stride : after * l.stride + first;
      const factors = { block: blockL, offset: at, stride: l.stride };
      const sizes = { rows, cols, depth: width, transposeA: transposed };
      multiply(gpu, rest, factors, result, { ...sizes, scale: -1, accumulate: true });
    }
  });
}

/** For each block k: with D = a_kk⁻¹, a_ij −= a_ik D a_kj, then a_ik = a_ik D and a_kk = −D. In the end a is −a⁻¹. */
export async function invertSymmetric(gpu: GpuStorage, a: Dense): Promise<void> {
  const n = a.rows;
  const block = gpu.block(a);
  const panelBytes = n * BLOCK * 4;
  await noticing(gpu, (failure) => {
    gpu.withScratch([panelBytes, panelBytes, BLOCK_BYTES, BLOCK_BYTES], (panel, scaled, pivot, inverses) => {
      for (let first = 0; first < n; first += BLOCK) {
        const width = Math.min(BLOCK, n - first);
        const sizes = { size: n, stride: a.stride, first, width };
        const groups = Math.ceil((n * BLOCK) / WORKGROUP);
        gpu.queue.run(GATHER_PANEL, sizes, { panel, a: block }, groups);
        const params = { offset: first * BLOCK, stride: BLOCK, width, firstRow: first };
        gpu.queue.run(factorShader(false), params, { a: panel, inverses, failure }, 1);
        const square = { rows: width, cols: width, depth: width };
        multiply(gpu, panelOf(pivot), panelOf(inverses), panelOf(inverses), { ...square, transposeA: true }); // L⁻ᵀ L⁻¹
        multiply(gpu, panelOf(scaled), panelOf(panel), panelOf(pivot), { ...square, rows: n });
        updateLower(gpu, { block, offset: 0, stride: a.stride }, panelOf(scaled), panelOf(panel), n, width);
        gpu.queue.run(SCATTER_PANEL, sizes, { a: block, panel: scaled, pivot }, groups);
      }
    });
  });
  const count = n * a.stride;
  gpu.queue.run(NEGATE_LOWER, { count, stride: a.stride }, { a: block }, Math.ceil(count / WORKGROUP));
  gpu.queue.run(upperShader('mirror'), { size: n, stride: a.stride, firstRow: 0 }, { a: block }, tiles(n));
}

/** Runs with a place where the first bad row is put down, and rejects if there is one. */
async function noticing(gpu: GpuStorage, use: (failure: Block) => void): Promise<void> {
  const failure = gpu.ints(1);
  try {
    gpu.writeInts(failure, [NO_FAILURE | 0]);
    use(gpu.block(failure));
    const [row] = await gpu.readInts(failure);
    if (row >>> 0 !== NO_FAILURE) throw new NotPositiveDefiniteError(row);
  } finally {
    gpu.release(failure);
  }
}

/** BLOCK columns of their own. */
function panelOf(block: Block): Panel {
  return { block, offset: 0, stride: BLOCK };
}

/** a −= left · rightᵀ on and below the diagonal */
function updateLower(gpu: GpuStorage, a: Panel, left: Panel, right: Panel, n: number, depth: number): void {
  const product = { rows: n, cols: n, depth, transposeB: true, scale: -1, accumulate: true, lower: true };
  multiply(gpu, a, left, right, product);
}

function copyPanel(gpu: GpuStorage, out: Panel, x: Panel, rows: number, width: number): void {
  const places = { offsetOut: out.offset, strideOut: out.stride, offset: x.offset, stride: x.stride };
  const params = { count: rows * width, width, ...places };
  gpu.queue.run(COPY_PANEL, params, { out: out.block, x: x.block }, Math.ceil((rows * width) / WORKGROUP));
}

function tiles(n: number): number {
  return Math.ceil(n / 16) ** 2;
}
