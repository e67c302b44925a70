// The losses on the GPU, and sums by row, which their gradients go by.

import type { NceInputs, NceOutputs } from '../kernels.ts';
import type { Dense, Ints } from '../matrix.ts';
import type { GpuStorage } from './gpu-storage.ts';
import { segmentsOf } from './segments.ts';
import { NCE_OBJECTS, NCE_PAIRS, NCE_TAGS, SOFTMAX, SUM_ROWS, TEAMS } from './wgsl-losses.ts';

const MANY_GROUPS = 1 << 15; // workgroups: with more keys than these, each takes several

export function softmaxCrossEntropy(
  gpu: GpuStorage,
  losses: Dense,
  dLogits: Dense,
  logits: Dense,
  targets: Ints,
): void {
  gpu.eachPart(logits, ({ firstRow, rows, of }) => {
    const params = { rows, cols: logits.cols, stride: logits.stride, firstRow };
    const outputs = { losses: gpu.block(losses), dLogits: of(dLogits) };
    gpu.queue.run(SOFTMAX, params, { ...outputs, logits: of(logits), targets: gpu.block(targets) }, rows);
  });
}

/** out[rows[i]] += x[i] */
export function scatterAdd(gpu: GpuStorage, out: Dense, rows: Ints, x: Dense): void {
  if (rows.length === 0) return;
  const { starts, ends, ordered } = segmentsOf(gpu, { lists: [rows], shifts: [0, 0], numKeys: out.rows });
  gpu.eachPart(out, ({ firstRow, rows: numKeys, of }) => {
    const { groups, ...share } = shareOut(numKeys);
    const params = { ...share, firstKey: firstRow, stride4: out.stride / 4 };
    gpu.queue.run(SUM_ROWS, params, { out: of(out), x: gpu.block(x), starts, ends, ordered }, groups);
  });
}

export function nce(gpu: GpuStorage, out: NceOutputs, inputs: NceInputs, scale: number): void {
  const { objectEmbeddings, tagEmbeddings } = inputs;
  const { dObjectEmbeddings, dTagEmbeddings } = out;
  const [pairs, numLogits, stride4] = [inputs.objects.length, out.coefficients.cols, objectEmbeddings.stride / 4];
  if (pairs === 0) return;
  const [numObjects, numTags] = [objectEmbeddings.rows, tagEmbeddings.rows];
  const segments = segmentsOf(gpu, {
    lists: [inputs.objects, inputs.tags, inputs.noise],
    shifts: [numObjects, numObjects],
    numKeys: numObjects + numTags,
  });
  const { starts, ends, ordered } = segments;
  const strideCoefficients = out.coefficients.stride;
  const [losses, coefficients, z] = [out.losses, out.coefficients, tagEmbeddings].map((x) => gpu.block(x));
  const [objects, tags, noise] = [inputs.objects, inputs.tags, inputs.noise].map((list) => gpu.block(list));

  gpu.eachPart(objectEmbeddings, ({ firstRow, rows, of }) => {
    const params = { pairs, numLogits, stride4, strideCoefficients, firstObject: firstRow, numObjects: rows, scale };
    const from = { objectEmbeddings: of(objectEmbeddings), tagEmbeddings: z, offsets: gpu.block(inputs.offsets) };
    const blocks = { losses, coefficients, ...from, objects, tags, noise };
    gpu.queue.run(NCE_PAIRS, params, blocks, Math.ceil(pairs / TEAMS));
  });
  gpu.eachPart(dObjectEmbeddings, ({ firstRow, rows, of }) => {
    const { groups, ...share } = shareOut(rows);
    const params = { ...share, firstKey: firstRow, stride4, numLogits, strideCoefficients };
    const blocks = { out: of(dObjectEmbeddings), tagEmbeddings: z, coefficients, tags, noise, starts, ends, ordered };
    gpu.queue.run(NCE_OBJECTS, params, blocks, groups);
  });
  gpu.eachPart(objectEmbeddings, ({ firstRow, rows, of }) => {
    const { groups, ...share } = shareOut(numTags);
    const places = { pairs, numNoise: Math.max(1, numLogits - 1), firstObject: firstRow, numObjects: rows };
    const params = { ...share, firstKey: numObjects, stride4, strideCoefficients, ...places };
    const from = { objectEmbeddings: of(objectEmbeddings), coefficients, objects };
    const blocks = { out: gpu.block(dTagEmbeddings), ...from, starts, ends, ordered };
    gpu.queue.run(NCE_TAGS, params, blocks, groups);
  });
}

/** How many of the keys a workgroup takes. */
function shareOut(numKeys: number): { numKeys: number; keysEach: number; groups: number } {
  const keysEach = Math.max(1, Math.min(64, Math.ceil(numKeys / MANY_GROUPS)));
  return { numKeys, keysEach, groups: Math.ceil(numKeys / keysEach) };
}
