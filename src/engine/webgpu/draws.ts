// Noise tags drawn on the GPU.

import type { NoiseInputs } from '../kernels.ts';
import type { Ints } from '../matrix.ts';
import type { GpuStorage } from './gpu-storage.ts';
import { WORKGROUP } from './shader.ts';
import { noiseShader } from './wgsl-draws.ts';

export function drawNoise(gpu: GpuStorage, out: Ints, { table, objects, own, key }: NoiseInputs): void {
  gpu.touch(out);
  const [count, numTags] = [out.length, table.keep.length];
  const params = { count, perPair: count / objects.length, numTags, key0: key[0], key1: key[1] };
  const given = { keep: gpu.block(table.keep), alias_: gpu.block(table.alias), objects: gpu.block(objects) };
  const rows = { rowStart: gpu.block(own?.rowStart ?? objects), columns: gpu.block(own?.columns ?? objects) };
  const groups = Math.ceil(count / WORKGROUP);
  gpu.queue.run(noiseShader(own !== undefined), params, { out: gpu.block(out), ...given, ...rows }, groups);
}
