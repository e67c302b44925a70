// Adam (Kingma and Ba, ICLR 2015) with bias correction, for all numbers or for some rows.

import type { AdamSettings } from '../kernels.ts';
import type { DenseView } from './view.ts';

export interface AdamViews {
  readonly weights: DenseView;
  readonly gradient: DenseView;
  readonly mean: DenseView;
  readonly variance: DenseView;
}

export function adam(state: AdamViews, settings: AdamSettings): void {
  for (let row = 0; row < state.weights.rows; row++) adamRow(state, row, settings);
}

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
