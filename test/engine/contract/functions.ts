// The unary operations and their derivatives in double precision.

import { LEAKY_SLOPE, type UnaryOperation } from '../../../src/engine/kernels.ts';
import type { Expected } from './expected.ts';

export const FUNCTIONS: Record<UnaryOperation, (x: number) => number> = {
  relu: (x) => Math.max(x, 0),
  leakyRelu: (x) => (x < 0 ? LEAKY_SLOPE * x : x),
  tanh: Math.tanh,
  sigmoid: (x) => 1 / (1 + Math.exp(-x)),
  softplus: (x) => (x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x))),
  exp: Math.exp,
  log: Math.log,
};

export const DERIVATIVES: Record<UnaryOperation, (x: number, y: number) => Expected> = {
  relu: (x) => (x > 0 ? 1 : 0),
  leakyRelu: (x) => (x > 0 ? 1 : LEAKY_SLOPE),
  tanh: (_x, y) => [1 - y * y, 1], // the difference cancels near ±1
  sigmoid: (_x, y) => y * (1 - y),
  softplus: (x) => 1 / (1 + Math.exp(-x)),
  exp: (_x, y) => y,
  log: (x) => 1 / x,
};

export const OPERATIONS = Object.keys(FUNCTIONS) as UnaryOperation[];
