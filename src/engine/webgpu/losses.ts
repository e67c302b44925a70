// The losses on the GPU, and sums by row, which their gradients go by.

import type { NceInputs, NceOutputs } from '../kernels.ts';
import type { Dense, Ints } from '../matrix.ts';
import type { Block } from './buffers.ts';
import type { GpuStorage, Kept } from './gpu-storage.ts';
import { segmentsOf } from './segments.ts';
import { WORKGROUP } from './shader.ts';
import { addSegments } from './spmm.ts';
import { FILL } from './wgsl-elementwise.ts';
import { NCE_ENTRIES, NCE_OBJECTS, NCE_PAIRS, SOFTMAX, TEAMS } from './wgsl-losses.ts';

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
  const segments = segmentsOf(gpu, { lists: [rows], numKeys: out.rows });
  const ones = gpu.kept(rows, 'ones', () => new Ones(gpu, rows.length));
  addSegments(gpu, segments, out, x, { columns: segments.ordered, values: ones.block });
}

export function nce(gpu: GpuStorage, out: NceOutputs, inputs: NceInputs, scale: number): void {
  const { objectEmbeddings, tagEmbeddings } = inputs;
  const { dObjectEmbeddings, dTagEmbeddings } = out;
  const [pairs, numLogits, stride4] = [inputs.objects.length, out.coefficients.cols, objectEmbeddings.stride / 4];
  if (pairs === 0) return;
  const strideCoefficients = out.coefficients.stride;
  const [losses, coefficients, z] = [out.losses, out.coefficients, tagEmbeddings].map((x) => gpu.block(x));
  const [objects, tags, noise] = [inputs.objects, inputs.tags, inputs.noise].map((list) => gpu.block(list));
  const segments = segmentsOf(gpu, {
    first: { list: inputs.objects, numKeys: objectEmbeddings.rows },
    lists: [inputs.tags, inputs.noise],
    numKeys: tagEmbeddings.rows,
  });
  const { starts, ends, ordered } = segments;

  gpu.eachPart(objectEmbeddings, ({ firstRow, rows, of }) => {
    const params = { pairs, numLogits, stride4, strideCoefficients, firstObject: firstRow, numObjects: rows, scale };
    const from = { objectEmbeddings: of(objectEmbeddings), tagEmbeddings: z, offsets: gpu.block(inputs.offsets) };
    const blocks = { losses, coefficients, ...from, objects, tags, noise };
    gpu.queue.run(NCE_PAIRS, params, blocks, Math.ceil(pairs / TEAMS));
  });
  gpu.eachPart(dObjectEmbeddings, ({ firstRow, rows: numKeys, of }) => {
    const keysEach = Math.max(1, Math.min(64, Math.ceil(numKeys / MANY_GROUPS)));
    const params = { numKeys, keysEach, firstKey: firstRow, stride4, numLogits, strideCoefficients };
    const blocks = { out: of(dObjectEmbeddings), tagEmbeddings: z, coefficients, tags, noise, starts, ends, ordered };
    gpu.queue.run(NCE_OBJECTS, params, blocks, Math.ceil(numKeys / keysEach));
  });
  const count = segments.numPlaces;
  gpu.withScratch([4 * count, 4 * count], (rows, slopes) => {
    const params = { count, pairs, numNoise: Math.max(1, numLogits - 1), strideCoefficients };
    const blocks = { rows, slopes, coefficients, objects, ordered };
    gpu.queue.run(NCE_ENTRIES, params, blocks, Math.ceil(count / WORKGROUP));
    addSegments(gpu, segments, dTagEmbeddings, objectEmbeddings, { columns: rows, values: slopes });
  });
}

/** Ones, as weights of a sum without. */
class Ones implements Kept {
  readonly block: Block;
  readonly #gpu: GpuStorage;

  constructor(gpu: GpuStorage, length: number) {
    this.#gpu = gpu;
    this.block = gpu.scratch(4 * length);
    const count = Math.ceil(length / 4);
    const params = { count, cols: 4, stride: 4, value: 1 };
    gpu.queue.run(FILL, params, { out: this.block }, Math.ceil(count / WORKGROUP));
  }

  release(): void {
    this.#gpu.queue.buffers.release(this.block);
  }
}
