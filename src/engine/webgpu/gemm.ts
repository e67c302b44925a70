// Products of dense matrices on the GPU: which tile, and into how many layers a deep and small product is cut so that all of
// the device has something to do.
//
// A workgroup makes a square tile of the result: slices of both factors, 16 deep, are brought
// into workgroup memory, and every invocation keeps its small part of the tile in registers. The next slice is read while
// the last one is multiplied. The text is made here, unrolled, since registers cannot be indexed.
//
// Legend: M × N is the result, K the depth. Factors lie in workgroup memory as slice[k][4 rows or columns at a time], turned
// by k so that neither writing nor reading meets on one bank. Offsets and strides count four floats.

import type { GemmOptions } from '../kernels.ts';
import type { Dense } from '../matrix.ts';
import type { Block, Window } from './buffers.ts';
import type { GpuStorage } from './gpu-storage.ts';
import { MAIN, shader, shaderFamily, WORKGROUP } from './shader.ts';

const DEPTH = 16; // of a slice
const QUADS_AT_ONCE = 16; // that a workgroup adds up over layers

interface GemmKind {
  readonly tile: 64 | 128;
  readonly transposeA: boolean;
  readonly transposeB: boolean;
  /** Only tiles on or below the diagonal. */
  readonly lower: boolean;
}

const gemmShader = shaderFamily((tile: 64 | 128, transposeA: boolean, transposeB: boolean, lower: boolean) =>
  shader({
    name: `gemm ${tile}${transposeA ? ' of the transposed' : ''}${transposeB ? ' by the transposed' : ''}${lower ? ' below' : ''}`,
    params: {
      numRows: 'u32',
      numCols: 'u32',
      depth: 'u32',
      depthEach: 'u32', // of a layer: the depth may be shared out between layers
      layerSize: 'u32',
      strideA: 'u32',
      strideB: 'u32',
      strideOut: 'u32',
      offsetA: 'u32',
      offsetB: 'u32',
      offsetOut: 'u32',
      scale: 'f32',
      accumulate: 'u32',
    },
    buffers: { out: 'write vec4<f32>', a: 'read vec4<f32>', b: 'read vec4<f32>' },
    code: gemmCode({ tile, transposeA, transposeB, lower }),
  }),
);

function gemmCode({ tile, transposeA, transposeB, lower }: GemmKind): string {
  const quads = tile / 4; // in a slice's row
  const loaders = (tile * DEPTH) / 16; // invocations that bring a slice of one factor, 4 × 4 numbers each
  const halves = tile / 64; // of the tile, in either direction, that an invocation works in
  const at = (k: string, quad: string) => `(${k}) * ${quads}u + ((${quad}) ^ (((${k}) >> 2u) << 1u))`;
  return `
var<workgroup> sliceA: array<vec4<f32>, ${DEPTH * quads}>;
var<workgroup> sliceB: array<vec4<f32>, ${DEPTH * quads}>;

fn upTo(value: vec4<f32>, at: u32, end: u32) -> vec4<f32> {
  let places = vec4<u32>(at, at + 1u, at + 2u, at + 3u);
  return select(vec4<f32>(), value, places < vec4<u32>(end));
}
${loadFunction('A', transposeA)}
${loadFunction('B', !transposeB)}

${MAIN()}
  let tilesAcross = (params.numCols + ${tile - 1}u) / ${tile}u;
  let firstRow = (group / tilesAcross) * ${tile}u;
  let firstCol = (group % tilesAcross) * ${tile}u;
  if (firstRow >= params.numRows${lower ? ` || firstCol >= firstRow + ${tile}u` : ''}) { return; }
  let start = groupId.z * params.depthEach;
  let end = min(params.depth, start + params.depthEach);
  let down = lane / 16u;
  let across = lane % 16u;
  // the 4 × 4 numbers of a slice that this invocation brings: of a, of b, or none
  let isA = lane < ${loaders}u;
  let isB = lane >= ${loaders}u && lane < ${2 * loaders}u;
  let task = lane % ${loaders}u;
  ${lines(halves * 4, (r) => `${lines(halves, (c) => `var sum${r}_${c} = vec4<f32>();`)}`)}
  ${lines(4, (j) => `var next${j} = vec4<f32>();`)}
  for (var k = start; k < end + ${DEPTH}u; k += ${DEPTH}u) {
    ${prefetch('A', tile, transposeA, 'firstRow', 'params.numRows')}
    ${prefetch('B', tile, !transposeB, 'firstCol', 'params.numCols')}
    if (k > start) {
      for (var i = 0u; i < ${DEPTH}u; i++) {
        ${lines(halves, (h) => `let a${h} = sliceA[${at('i', `down + ${16 * h}u`)}];`)}
        ${lines(halves, (h) => `let b${h} = sliceB[${at('i', `across + ${16 * h}u`)}];`)}
        ${lines(halves * 4, (r) =>
          lines(halves, (c) => {
            const factor = `a${Math.floor(r / 4)}.${'xyzw'[r % 4]}`;
            return `sum${r}_${c} = fma(vec4<f32>(${factor}), b${c}, sum${r}_${c});`;
          }),
        )}
      }
    }
    workgroupBarrier();
    if (k < end) {
      if (isA) { ${store('A', tile, transposeA, at)} }
      if (isB) { ${store('B', tile, !transposeB, at)} }
    }
    workgroupBarrier();
  }
  ${lines(halves * 4, (r) => {
    const row = `firstRow + ${64 * Math.floor(r / 4)}u + 4u * down + ${r % 4}u`;
    return lines(halves, (c) => `put(${row}, firstCol / 4u + ${16 * c}u + across, groupId.z, sum${r}_${c});`);
  })}
}

fn put(row: u32, column4: u32, layer: u32, sum: vec4<f32>) {
  if (row >= params.numRows || 4u * column4 >= params.numCols) { return; }
  let place = params.offsetOut + layer * params.layerSize + row * params.strideOut + column4;
  var value = params.scale * sum;
  if (params.accumulate == 1u) { value += out[place]; }
  out[place] = upTo(value, 4u * column4, params.numCols);
}`;
}

/** Four numbers along the memory of a factor: along K, or along its rows or columns where it `isTurned`. */
function loadFunction(factor: 'A' | 'B', isTurned: boolean): string {
  const [array, side] = [factor.toLowerCase(), factor];
  const address = `params.offset${side}`;
  return isTurned
    ? `fn load${side}(k: u32, end: u32, other: u32, most: u32) -> vec4<f32> {
  if (k >= end || other >= most) { return vec4<f32>(); }
  return ${array}[${address} + k * params.stride${side} + other / 4u];
}`
    : `fn load${side}(other: u32, most: u32, k: u32, end: u32) -> vec4<f32> {
  if (k >= end || other >= most) { return vec4<f32>(); }
  return upTo(${array}[${address} + other * params.stride${side} + k / 4u], k, end);
}`;
}

/** Where the 4 × 4 numbers begin that an invocation brings: `other` counts rows of a, or columns of b. */
function placesOf(tile: number, isTurned: boolean): { k: string; quad: string } {
  return isTurned
    ? { k: `4u * (task / ${tile / 4}u)`, quad: `task % ${tile / 4}u` } // neighbours read on along the memory
    : { k: `4u * (task % ${DEPTH / 4}u)`, quad: `task / ${DEPTH / 4}u` };
}

function prefetch(factor: 'A' | 'B', tile: number, isTurned: boolean, first: string, most: string): string {
  const { k, quad } = placesOf(tile, isTurned);
  const each = (j: number) =>
    isTurned
      ? `next${j} = load${factor}(k + ${k} + ${j}u, end, ${first} + 4u * (${quad}), ${most});`
      : `next${j} = load${factor}(${first} + 4u * (${quad}) + ${j}u, ${most}, k + ${k}, end);`;
  return `if (is${factor} && k < end) { ${lines(4, each)} }`;
}

/** Turns the 4 × 4 numbers on the way where memory runs along K. */
function store(factor: 'A' | 'B', tile: number, isTurned: boolean, at: (k: string, quad: string) => string): string {
  const { k, quad } = placesOf(tile, isTurned);
  return lines(4, (j) => {
    const component = 'xyzw'[j];
    const column = [0, 1, 2, 3].map((r) => `next${r}.${component}`).join(', ');
    const value = isTurned ? `next${j}` : `vec4<f32>(${column})`;
    return `slice${factor}[${at(`${k} + ${j}u`, quad)}] = ${value};`;
  });
}

function lines(count: number, each: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => each(i)).join('\n        ');
}

/** Adds up what the layers have made of one result, cols4 × rows each without room between: 16 quads by a workgroup. */
const SUM_LAYERS = shader({
  name: 'sumLayers',
  params: { count: 'u32', layers: 'u32', cols4: 'u32', strideOut: 'u32', offsetOut: 'u32', accumulate: 'u32' },
  buffers: { out: 'write vec4<f32>', parts: 'read vec4<f32>' },
  code: `
var<workgroup> sums: array<vec4<f32>, ${WORKGROUP}>;
${MAIN()}
  let i = group * ${QUADS_AT_ONCE}u + lane % ${QUADS_AT_ONCE}u;
  var sum = vec4<f32>();
  if (i < params.count) {
    for (var layer = lane / ${QUADS_AT_ONCE}u; layer < params.layers; layer += ${WORKGROUP / QUADS_AT_ONCE}u) {
      sum += parts[layer * params.count + i];
    }
  }
  sums[lane] = sum;
  for (var step = ${WORKGROUP / 2}u; step >= ${QUADS_AT_ONCE}u; step >>= 1u) {
    workgroupBarrier();
    if (lane < step) { sums[lane] += sums[lane + step]; }
  }
  if (lane >= ${QUADS_AT_ONCE}u || i >= params.count) { return; }
  let place = params.offsetOut + (i / params.cols4) * params.strideOut + i % params.cols4;
  var total = sums[lane];
  if (params.accumulate == 1u) { total += out[place]; }
  out[place] = total;
}`,
});

/** A part of a block that is seen as a matrix. Offsets and strides are multiples of 4 floats. */
export interface Panel {
  readonly block: Block | Window;
  readonly offset: number; // floats
  readonly stride: number; // floats
}

interface PanelProduct extends GemmOptions {
  readonly rows: number;
  readonly cols: number;
  readonly depth: number;
  /** Only on and below the diagonal, and a little above. */
  readonly lower?: boolean;
}

const WIDE = 128; // rows and columns from which a tile of 128 pays
const MANY_TILES = 256; // enough for every processor of a large device
const MIN_DEPTH = 128; // of a layer
const MAX_LAYERS = 256;

/** In one go, or by parts that kernels can see. */
export function gemm(gpu: GpuStorage, out: Dense, a: Dense, b: Dense, options: GemmOptions): void {
  const { transposeA = false, transposeB = false } = options;
  const depth = transposeA ? a.rows : a.cols;
  if (depth === 0 && options.accumulate) return;
  const [rowsOfOut, rowsOfA, rowsOfB] = [out, a, b].map((x) => gpu.rowsAtOnce(x));
  const all = Number.POSITIVE_INFINITY;
  const depths = spans(depth, Math.min(transposeA ? rowsOfA : all, transposeB ? all : rowsOfB));
  for (const row of spans(out.rows, Math.min(rowsOfOut, transposeA ? all : rowsOfA))) {
    for (const col of spans(out.cols, transposeB ? rowsOfB : all)) {
      for (const k of depths) {
        const [left, leftAt] = transposeA ? [k, row.first] : [row, k.first];
        const [right, rightAt] = transposeB ? [col, k.first] : [k, col.first];
        const panel = (x: Dense, { first, count }: Span, offset: number): Panel => {
          return { block: gpu.rowsOf(x, first, count), offset, stride: x.stride };
        };
        multiply(gpu, panel(out, row, col.first), panel(a, left, leftAt), panel(b, right, rightAt), {
          ...options,
          rows: row.count,
          cols: col.count,
          depth: k.count,
          accumulate: k.first > 0 || options.accumulate === true,
        });
      }
    }
  }
}

interface Span {
  readonly first: number;
  readonly count: number;
}

/** A whole cut into parts; of nothing, one empty part. */
function spans(total: number, most: number): Span[] {
  const parts: Span[] = [];
  for (let first = 0; first === 0 || first < total; first += most) {
    parts.push({ first, count: Math.min(most, total - first) });
  }
  return parts;
}

export function multiply(gpu: GpuStorage, out: Panel, a: Panel, b: Panel, product: PanelProduct): void {
  const { rows, cols, depth, transposeA = false, transposeB = false, lower = false } = product;
  const { scale = 1, accumulate = false } = product;
  if (rows === 0 || cols === 0) return;
  const tile = rows >= WIDE && cols >= WIDE ? 128 : 64;
  const tiles = Math.ceil(rows / tile) * Math.ceil(cols / tile);
  const layers = lower ? 1 : numLayers(tiles, depth);
  const sizes = { numRows: rows, numCols: cols, depth, strideA: a.stride / 4, strideB: b.stride / 4, scale };
  const from = { offsetA: a.offset / 4, offsetB: b.offset / 4 };
  const kernel = gemmShader(tile, transposeA, transposeB, lower);
  if (layers === 1) {
    const to = { strideOut: out.stride / 4, offsetOut: out.offset / 4, accumulate: +accumulate };
    const params = { ...sizes, ...from, ...to, depthEach: depth, layerSize: 0 };
    gpu.queue.run(kernel, params, { out: out.block, a: a.block, b: b.block }, tiles);
    return;
  }
  const cols4 = Math.ceil(cols / 4);
  const count = rows * cols4;
  gpu.withScratch([layers * count * 16], (parts) => {
    const depthEach = Math.ceil(depth / layers / DEPTH) * DEPTH;
    const to = { strideOut: cols4, offsetOut: 0, accumulate: 0 };
    const params = { ...sizes, ...from, ...to, depthEach, layerSize: count };
    gpu.queue.run(kernel, params, { out: parts, a: a.block, b: b.block }, tiles, layers);
    const place = { strideOut: out.stride / 4, offsetOut: out.offset / 4 };
    const total = { count, layers, cols4, ...place, accumulate: +accumulate };
    gpu.queue.run(SUM_LAYERS, total, { out: out.block, parts }, Math.ceil(count / QUADS_AT_ONCE));
  });
}

/** 1 unless the product is small and deep. */
function numLayers(tiles: number, depth: number): number {
  if (tiles >= MANY_TILES || depth < 2 * MIN_DEPTH) return 1;
  return Math.min(MAX_LAYERS, Math.floor(MANY_TILES / tiles), Math.ceil(depth / MIN_DEPTH));
}
