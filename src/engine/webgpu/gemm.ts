// Products of dense matrices on the GPU: which tile, and into how many layers a deep and small product is cut so that all of
// the device has something to do.

import type { GemmOptions } from '../kernels.ts';
import type { Dense } from '../matrix.ts';
import type { Block, Window } from './buffers.ts';
import type { GpuStorage } from './gpu-storage.ts';
import { DEPTH, gemmShader, QUADS_AT_ONCE, SUM_LAYERS } from './wgsl-gemm.ts';

/** A part of a block that is seen as a matrix. Offsets and strides are multiples of 4 floats. */
export interface Panel {
  readonly block: Block | Window;
  readonly offset: number; // floats
  readonly stride: number; // floats
}

export interface PanelProduct extends GemmOptions {
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
