// Adam on the GPU, on whole matrices and on given rows.

import type { AdamSettings, AdamState } from '../kernels.ts';
import type { Ints } from '../matrix.ts';
import type { GpuStorage } from './gpu-storage.ts';
import { MAIN, shader, shaderFamily, WORKGROUP } from './shader.ts';

/** The bias corrections 1 / (1 − βᵗ) are in the rate and ε already. */
const adamShader = shaderFamily((which: 'all' | 'rows') =>
  shader({
    name: `adam ${which}`,
    params: {
      count: 'u32',
      stride4: 'u32',
      rate: 'f32',
      beta1: 'f32',
      rest1: 'f32',
      beta2: 'f32',
      rest2: 'f32',
      epsilon: 'f32',
    },
    buffers: {
      weights: 'write vec4<f32>',
      mean: 'write vec4<f32>',
      variance: 'write vec4<f32>',
      gradient: 'read vec4<f32>',
      rows: 'read u32',
    },
    code: `${MAIN()}
  let task = group * ${WORKGROUP}u + lane;
  if (task >= params.count) { return; }
  let i = ${which === 'all' ? 'task' : 'rows[task / params.stride4] * params.stride4 + task % params.stride4'};
  let g = gradient[i];
  let m = params.beta1 * mean[i] + params.rest1 * g;
  let v = params.beta2 * variance[i] + params.rest2 * g * g;
  mean[i] = m;
  variance[i] = v;
  weights[i] -= params.rate * m / (sqrt(v) + params.epsilon);
}`,
  }),
);

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
