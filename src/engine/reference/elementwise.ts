// Number by number: sums, products, the nonlinear functions and their derivatives, dropout, Adam.

import { threefry } from '../../random.ts';
import { type AdamSettings, LEAKY_SLOPE, type UnaryOperation } from '../kernels.ts';
import type { DenseView } from './products.ts';

/** Calls back with the place of every number, padding left out, in order. */
function forEach({ rows, cols, stride }: DenseView, visit: (at: number) => void): void {
  for (let r = 0; r < rows; r++) for (let c = 0; c < cols; c++) visit(r * stride + c);
}

export function fill(out: DenseView, value: number): void {
  forEach(out, (i) => {
    out.data[i] = value;
  });
}

export function add(out: DenseView, a: DenseView, b: DenseView, scaleA: number, scaleB: number): void {
  forEach(out, (i) => {
    out.data[i] = scaleA * a.data[i] + scaleB * b.data[i];
  });
}

export function mul(out: DenseView, a: DenseView, b: DenseView, accumulate: boolean): void {
  forEach(out, (i) => {
    out.data[i] = a.data[i] * b.data[i] + (accumulate ? out.data[i] : 0);
  });
}

export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
/** log(1 + eˣ), without overflow. */
export const softplus = (x: number): number => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));

const FUNCTIONS: Record<UnaryOperation, (x: number) => number> = {
  relu: (x) => Math.max(x, 0),
  leakyRelu: (x) => (x > 0 ? x : LEAKY_SLOPE * x),
  tanh: Math.tanh,
  sigmoid,
  softplus,
  exp: Math.exp,
  log: Math.log,
};

/** Derivatives from input x and output y, whichever is handier. */
const DERIVATIVES: Record<UnaryOperation, (x: number, y: number) => number> = {
  relu: (x) => (x > 0 ? 1 : 0),
  leakyRelu: (x) => (x > 0 ? 1 : LEAKY_SLOPE),
  tanh: (_x, y) => 1 - y * y,
  sigmoid: (_x, y) => y * (1 - y),
  softplus: sigmoid,
  exp: (_x, y) => y,
  log: (x) => 1 / x,
};

export function unary(out: DenseView, operation: UnaryOperation, x: DenseView): void {
  const f = FUNCTIONS[operation];
  forEach(out, (i) => {
    out.data[i] = f(x.data[i]);
  });
}

export function unaryBackward(
  dx: DenseView,
  operation: UnaryOperation,
  dy: DenseView,
  x: DenseView,
  y: DenseView,
  accumulate: boolean,
): void {
  const derivative = DERIVATIVES[operation];
  forEach(dx, (i) => {
    dx.data[i] = dy.data[i] * derivative(x.data[i], y.data[i]) + (accumulate ? dx.data[i] : 0);
  });
}

export function dropout(
  out: DenseView,
  x: DenseView,
  rate: number,
  key: readonly [number, number],
  accumulate: boolean,
): void {
  const threshold = Math.round(rate * 2 ** 32);
  const scale = Math.fround(1 / (1 - rate));
  const block = new Uint32Array(2);
  let draw = 0; // counts numbers, not places: padding does not change the mask
  forEach(out, (i) => {
    threefry(block, key[0], key[1], draw >>> 1, 0);
    const kept = block[draw & 1] >= threshold ? x.data[i] * scale : 0;
    out.data[i] = kept + (accumulate ? out.data[i] : 0);
    draw++;
  });
}

export interface AdamViews {
  readonly weights: DenseView;
  readonly gradient: DenseView;
  readonly mean: DenseView;
  readonly variance: DenseView;
}

/** Adam (Kingma and Ba, ICLR 2015) with bias correction, for all numbers. */
export function adam(state: AdamViews, settings: AdamSettings): void {
  for (let row = 0; row < state.weights.rows; row++) adamRow(state, row, settings);
}

/** The same for some rows. */
export function adamRows(state: AdamViews, rows: Int32Array, settings: AdamSettings): void {
  for (const row of rows) adamRow(state, row, settings);
}

function adamRow({ weights, gradient, mean, variance }: AdamViews, row: number, settings: AdamSettings): void {
  const { learningRate, beta1, beta2, epsilon, step } = settings;
  const rate = (learningRate * Math.sqrt(1 - beta2 ** step)) / (1 - beta1 ** step);
  const corrected = epsilon * Math.sqrt(1 - beta2 ** step);
  for (let i = row * weights.stride; i < row * weights.stride + weights.cols; i++) {
    const g = gradient.data[i];
    mean.data[i] = beta1 * mean.data[i] + (1 - beta1) * g;
    variance.data[i] = beta2 * variance.data[i] + (1 - beta2) * g * g;
    // w −= lr · m̂ / (√v̂ + ε), with both corrections moved out of the loop
    weights.data[i] -= (rate * mean.data[i]) / (Math.sqrt(variance.data[i]) + corrected);
  }
}
