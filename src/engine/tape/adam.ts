// Adam for the parameters of a tape. It holds the moments and counts the steps; the rates come with each call.

import type { AdamSettings, AdamState, Kernels } from '../kernels.ts';
import type { Tensor } from './recording.ts';

export class Adam {
  /** By parameter, in the order given. Moments start at zero. */
  readonly states: readonly AdamState[];
  /** Steps taken so far. Set it, with the moments, to go on from a saved state. */
  numSteps = 0;
  readonly #kernels: Kernels;
  readonly #rates: readonly number[];

  /** `rates`: by parameter, a factor of the learning rate; 1 without. */
  constructor(kernels: Kernels, parameters: readonly Tensor[], rates: readonly number[] = parameters.map(() => 1)) {
    this.#kernels = kernels;
    this.#rates = rates;
    this.states = parameters.map(({ rows, cols, value, gradient, operation }) => {
      if (gradient === undefined) throw new Error(`Got a ${operation} to learn when expected a parameter.`);
      return { weights: value, gradient, mean: kernels.dense(rows, cols), variance: kernels.dense(rows, cols) };
    });
  }

  step(settings: Omit<AdamSettings, 'step'>): void {
    this.numSteps++;
    for (const [i, state] of this.states.entries()) {
      const learningRate = settings.learningRate * this.#rates[i];
      this.#kernels.adam(state, { ...settings, learningRate, step: this.numSteps });
    }
  }

  /** Gives back the moments; the parameters belong to their tape. */
  release(): void {
    for (const { mean, variance } of this.states) this.#kernels.release(mean, variance);
  }
}
