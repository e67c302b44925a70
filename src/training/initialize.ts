// The first values of parameters: uniform draws around zero. They depend on the seed and the parameter's name alone, so they
// are the same on any backend and whatever other parameters there are.

import type { Kernels } from '../engine/kernels.ts';
import type { Dense } from '../engine/matrix.ts';
import type { Tensor } from '../engine/tape/tape.ts';
import { Random } from '../random.ts';

/** Draws every number of the parameters from ± limitOf(parameter). */
export function initialize(
  kernels: Kernels,
  parameters: readonly Tensor[],
  limitOf: (value: Dense) => number,
  seed: number,
): void {
  for (const { value, operation } of parameters) {
    const random = new Random(seed, operation);
    const limit = limitOf(value);
    const draw = () => limit * (2 * random.float() - 1);
    kernels.write(value, Float32Array.from({ length: value.rows * value.cols }, draw));
  }
}

/** The limit of Glorot and Bengio (AISTATS 2010), for a layer with so many inputs and outputs. */
export function glorotLimit(numInputs: number, numOutputs: number): number {
  return Math.sqrt(6 / (numInputs + numOutputs));
}

/** The limit under which rows of so many numbers have a length near `length`: uniform draws have variance limit² / 3. */
export function lengthLimit(length: number, numCols: number): number {
  return length * Math.sqrt(3 / numCols);
}
