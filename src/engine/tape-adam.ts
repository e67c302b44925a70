// Adam for the parameters of a tape. It holds the moments and counts the steps; the rates come with each call.

import type { AdamSettings, AdamState, Kernels } from './kernels.ts';
import type { Tensor } from './tape-recording.ts';

export class Adam {
  /** By parameter, in the order given. Moments start at zero. */
  readonly states: readonly AdamState[];
  /** Steps taken so far. Set it, with the moments, to go on from a saved state. */
  numSteps = 0;
  readonly #kernels: Kernels;

  constructor(kernels: Kernels, parameters: readonly Tensor[]) {
    this.#kernels = kernels;
    this.states = parameters.map(({ rows, cols, value, gradient, operation }) => {
      if (gradient === undefined) throw new Error(`Got a ${operation} to learn when expected a parameter.`);
      return { weights: value, gradient, mean: kernels.dense(rows, cols), variance: kernels.dense(rows, cols) };
    });
  }

  step(settings: Omit<AdamSettings, 'step'>): void {
    this.numSteps++;
    for (const state of this.states) this.#kernels.adam(state, { ...settings, step: this.numSteps });
  }

  /** Gives back the moments; the parameters belong to their tape. */
  release(): void {
    for (const { mean, variance } of this.states) this.#kernels.release(mean, variance);
  }
}
