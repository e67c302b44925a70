// Adam (Kingma and Ba, ICLR 2015) in one pass, for all numbers of a matrix or for given rows.

import { MAIN, shader, shaderFamily, WORKGROUP } from './shader.ts';

/** The bias corrections 1 / (1 − βᵗ) are in the rate and ε already. */
export const adamShader = shaderFamily((which: 'all' | 'rows') =>
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
