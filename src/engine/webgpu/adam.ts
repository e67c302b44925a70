// Adam on the GPU.

import type { AdamSettings, AdamState } from '../kernels.ts';
import type { Ints } from '../matrix.ts';
import type { GpuStorage } from './gpu-storage.ts';
import { WORKGROUP } from './shader.ts';
import { adamShader } from './wgsl-adam.ts';

export function adam(gpu: GpuStorage, { weights, gradient, mean, variance }: AdamState, settings: AdamSettings): void {
  gpu.eachPart(weights, ({ rows, of }) => {
    const count = (rows * weights.stride) / 4;
    const params = { count, stride4: weights.stride / 4, ...factors(settings) };
    const blocks = { weights: of(weights), mean: of(mean), variance: of(variance), gradient: of(gradient) };
    gpu.queue.run(adamShader('all'), params, { ...blocks, rows: of(gradient) }, Math.ceil(count / WORKGROUP));
  });
}

export function adamRows(
  gpu: GpuStorage,
  { weights, gradient, mean, variance }: AdamState,
  rows: Ints,
  settings: AdamSettings,
): void {
  const count = (rows.length * weights.stride) / 4;
  const params = { count, stride4: weights.stride / 4, ...factors(settings) };
  const [w, m, v, g] = [weights, mean, variance, gradient].map((x) => gpu.block(x));
  const blocks = { weights: w, mean: m, variance: v, gradient: g, rows: gpu.block(rows) };
  gpu.queue.run(adamShader('rows'), params, blocks, Math.ceil(count / WORKGROUP));
}

/** The bias corrections 1 / (1 − βᵗ) go into the rate and ε, so that the kernel need not know the step. */
function factors({ learningRate, beta1, beta2, epsilon, step }: AdamSettings) {
  const second = Math.sqrt(1 - beta2 ** step);
  const rate = (learningRate * second) / (1 - beta1 ** step);
  return { rate, beta1, rest1: 1 - beta1, beta2, rest2: 1 - beta2, epsilon: epsilon * second };
}
