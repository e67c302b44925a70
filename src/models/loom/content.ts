// Content features as loom sees them: each by its root mean square, so that none counts more for its unit, objects to length 1,
// and of all features the leading directions. Constant and repeated features do no harm.

import type { Features } from '../../data/features.ts';
import { NameTable } from '../../data/vocabulary.ts';
import type { Kernels } from '../../engine/kernels.ts';
import { leadingSubspace } from '../../engine/numerics/svd.ts';
import type { Content } from './loom.ts';
import type { LoomSettings } from './settings.ts';

export type ContentView = Content;

export async function viewContent(
  kernels: Kernels,
  features: Features,
  { contentWidth, seed }: LoomSettings,
): Promise<ContentView> {
  const { names, numFeatures, rowStart, columns } = features;
  const numObjects = rowStart.length - 1;
  const scales = featureScales(features);
  const width = columns.length === 0 ? 0 : Math.min(contentWidth, numFeatures, numObjects);
  const content = { names: NameTable.from(names), scales, width };
  if (width === 0) return { ...content, vectors: new Float32Array(0), rows: new Float32Array(0) };
  const matrix = kernels.sparse(numObjects, numFeatures, { rowStart, columns, values: unitValues(features, scales) });
  const basis = await leadingSubspace(kernels, matrix, { rank: width, seed, iterations: 3 });
  const rows = kernels.dense(numObjects, width);
  try {
    kernels.spmm(rows, matrix, basis);
    return { ...content, vectors: await kernels.read(basis), rows: await kernels.read(rows) };
  } finally {
    kernels.release(matrix, basis, rows);
  }
}

function featureScales({ numFeatures, rowStart, columns, values }: Features): Float32Array {
  const squares = new Float64Array(numFeatures);
  for (let e = 0; e < columns.length; e++) squares[columns[e]] += values[e] ** 2;
  const numObjects = rowStart.length - 1;
  return Float32Array.from(squares, (sum) => (sum > 0 ? 1 / Math.sqrt(sum / numObjects) : 0));
}

function unitValues({ rowStart, columns, values }: Features, scales: Float32Array): Float32Array {
  const unit = new Float32Array(values.length);
  for (let object = 0; object + 1 < rowStart.length; object++) {
    const [start, end] = [rowStart[object], rowStart[object + 1]];
    const length = contentLength(scales, columns.subarray(start, end), values.subarray(start, end));
    for (let e = start; e < end; e++) unit[e] = length > 0 ? (values[e] * scales[columns[e]]) / length : 0;
  }
  return unit;
}

/** The content of one object from its features; zeros where these have no length. */
export function contentRow(
  { scales, width, vectors }: Content,
  features: readonly number[],
  values: readonly number[],
): Float32Array {
  const row = new Float64Array(width);
  const length = contentLength(scales, features, values);
  if (length === 0) return new Float32Array(width);
  for (let i = 0; i < features.length; i++) {
    const value = (values[i] * scales[features[i]]) / length;
    for (let k = 0, at = features[i] * width; k < width; k++, at++) row[k] += value * vectors[at];
  }
  return Float32Array.from(row);
}

function contentLength(scales: Float32Array, features: ArrayLike<number>, values: ArrayLike<number>): number {
  let squares = 0;
  for (let i = 0; i < features.length; i++) squares += (values[i] * scales[features[i]]) ** 2;
  return Math.sqrt(squares);
}
