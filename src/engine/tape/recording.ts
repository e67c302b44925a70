// The machinery of the tape: what was recorded, the order gradients flow in, the memory held. It knows no operation by
// name; those are in the other tape-… files. Memory is taken while recording alone: a step takes none.
//
// A step goes forward as recorded, then backward in reverse. The first flow to reach a gradient overwrites it, the later
// ones add to it. `minimize` settles once which is which, so that no gradient is filled with zeros in between.

import type { Kernels } from '../kernels.ts';
import type { Dense } from '../matrix.ts';

export interface Tensor {
  readonly rows: number;
  readonly cols: number;
  readonly value: Dense; // (rows, cols)
  /** Of the loss, by the value; undefined where no parameter lies below. */
  readonly gradient: Dense | undefined; // (rows, cols)
  readonly operation: string; // what made it
}

/** The way of a gradient from an output y to one input x of an operation. */
export interface Flow {
  readonly dx: Dense;
  readonly dy: Dense;
  readonly y: Dense;
  readonly accumulate: boolean;
}

/** What the tape is doing, for operations whose numbers depend on it. */
export interface Clock {
  /** Steps run so far, the one at work included. */
  readonly step: number;
  /** True in `run`, false in `forward`. */
  readonly isTraining: boolean;
}

export interface Operation {
  readonly name: string;
  readonly shape: readonly [rows: number, cols: number]; // of the output
  readonly inputs: readonly Tensor[];
  forward(y: Dense): void;
  /** By input. Called only for inputs that have a gradient. */
  readonly backward: readonly ((flow: Flow) => void)[];
  /** By input: y = Σ weight · input. Only operations that are such sums have them. */
  readonly weights?: readonly number[];
  /** In a step, replaces forward and backward by one pass. `weight` is d(loss) / dy, `accumulate` goes by input. */
  fused?(y: Dense, weight: number, accumulate: readonly boolean[]): void;
}

interface Recorded extends Operation {
  readonly output: Tensor;
}

/** A loss that is not a number: training has gone astray and more steps will not mend it. */
export class NonFiniteError extends Error {
  override readonly name = 'NonFiniteError';
  readonly operation: string;
  readonly step: number;

  constructor({ operation, rows, cols }: Tensor, step: number) {
    super(
      `Got NaN or infinity from ${operation} (${rows} × ${cols}) in step ${step} when expected finite numbers. ` +
        'Lower the learning rate.',
    );
    this.operation = operation;
    this.step = step;
  }
}

export class Recording {
  protected readonly kernels: Kernels;
  protected readonly clock: Clock;
  readonly #clock = { step: 0, isTraining: false };
  #owned: Dense[] = [];
  #recorded: Recorded[] = [];
  #needed: Recorded[] = []; // by the loss
  #forward: (() => void)[] = [];
  #backward: (() => void)[] = [];
  #loss: Tensor | undefined;

  constructor(kernels: Kernels) {
    this.kernels = kernels;
    this.clock = this.#clock;
  }

  /** Steps run so far. Set it to go on from a saved state: dropout draws by it. */
  get numSteps(): number {
    return this.#clock.step;
  }

  set numSteps(count: number) {
    this.#clock.step = count;
  }

  /** Something to be learnt. It starts as zeros: write its value. */
  parameter(rows: number, cols: number, name = ''): Tensor {
    return {
      rows,
      cols,
      value: this.allocate(rows, cols),
      gradient: this.allocate(rows, cols),
      operation: `parameter ${name}`.trimEnd(),
    };
  }

  /** Something given. Its numbers may change between steps. A matrix handed in stays the caller's to release. */
  constant(rows: number, cols: number): Tensor;
  constant(value: Dense): Tensor;
  constant(from: Dense | number, cols = 1): Tensor {
    const value = typeof from === 'number' ? this.allocate(from, cols) : from;
    return { rows: value.rows, cols: value.cols, value, gradient: undefined, operation: 'constant' };
  }

  /** Names the loss (1 × 1) and settles the order of a step. Once a tape, after all the loss needs was recorded. */
  minimize(loss: Tensor): void {
    if (this.#loss !== undefined) throw new Error('Got a second loss when expected one a tape. Add the two up.');
    if (loss.rows !== 1 || loss.cols !== 1 || loss.gradient === undefined) {
      throw new Error(`Got a loss of ${loss.rows} × ${loss.cols} when expected 1 × 1 with a parameter below it.`);
    }
    this.#loss = loss;
    this.#needed = neededBy(loss, this.#recorded);
    const weights = weightsIn(loss, this.#needed);
    const reached = new Set<Dense>();
    // fused operations give their gradients on the way forward, hence before all others
    this.#forward = this.#needed.map((operation) => forwardOf(operation, weights, reached));
    this.#backward = this.#needed.toReversed().flatMap((operation) => backwardOf(operation, reached));
    this.kernels.fill(loss.gradient, 1); // nothing flows into it again
  }

  /** One step: the loss and the gradients of all parameters. */
  run(): void {
    if (this.#loss === undefined) throw new Error('Got a tape without a loss. Call minimize first.');
    this.#clock.step++;
    this.#clock.isTraining = true;
    for (const forward of this.#forward) forward();
    for (const backward of this.#backward) backward();
  }

  /** All values and no gradients, for evaluation: dropout keeps everything, and it does not count as a step. */
  forward(): void {
    this.#clock.isTraining = false;
    for (const { forward, output } of this.#recorded) forward(output.value);
  }

  /** The loss of the last `run` or `forward`. */
  async loss(): Promise<number> {
    if (this.#loss === undefined) throw new Error('Got a tape without a loss. Call minimize first.');
    const [loss] = await this.kernels.read(this.#loss.value);
    if (Number.isFinite(loss)) return loss;
    for (const { output } of this.#needed) {
      if ((await this.kernels.countNonFinite(output.value)) > 0) throw new NonFiniteError(output, this.#clock.step);
    }
    throw new NonFiniteError(this.#loss, this.#clock.step);
  }

  /** Gives back all memory: parameters, constants made here, outputs, gradients. The tape is empty afterwards. */
  release(): void {
    this.kernels.release(...this.#owned);
    this.#owned = [];
    this.#recorded = [];
    this.#needed = [];
    this.#forward = [];
    this.#backward = [];
    this.#loss = undefined;
  }

  /** A matrix that lives as long as the tape. */
  protected allocate(rows: number, cols: number): Dense {
    const made = this.kernels.dense(rows, cols);
    this.#owned.push(made);
    return made;
  }

  protected record(operation: Operation): Tensor {
    const [rows, cols] = operation.shape;
    const learns = operation.inputs.some((input) => input.gradient !== undefined);
    const output = {
      rows,
      cols,
      value: this.allocate(rows, cols),
      gradient: learns ? this.allocate(rows, cols) : undefined,
      operation: operation.name,
    };
    this.#recorded.push({ ...operation, output });
    return output;
  }
}

/** The operations the loss depends on, as recorded. */
function neededBy(loss: Tensor, recorded: readonly Recorded[]): Recorded[] {
  const wanted = new Set([loss]);
  const needed = recorded.toReversed().filter(({ output, inputs }) => {
    if (!wanted.has(output)) return false;
    for (const input of inputs) wanted.add(input);
    return true;
  });
  return needed.reverse();
}

/** d(loss) / d(tensor) where it is one number known before any step; NaN where it is not. */
function weightsIn(loss: Tensor, needed: readonly Recorded[]): Map<Tensor, number> {
  const total = new Map([[loss, 1]]);
  for (const { output, inputs, weights } of needed.toReversed()) {
    const above = total.get(output) ?? Number.NaN;
    for (const [i, input] of inputs.entries()) {
      total.set(input, (total.get(input) ?? 0) + above * (weights?.[i] ?? Number.NaN));
    }
  }
  return total;
}

/** Whether a gradient was reached before; from now on it was. */
function reach(gradient: Dense, reached: Set<Dense>): boolean {
  const before = reached.has(gradient);
  reached.add(gradient);
  return before;
}

function forwardOf(recorded: Recorded, weights: Map<Tensor, number>, reached: Set<Dense>): () => void {
  const { output, inputs } = recorded;
  if (recorded.fused === undefined || output.gradient === undefined) return () => recorded.forward(output.value);
  const weight = weights.get(output) ?? Number.NaN;
  if (Number.isNaN(weight)) {
    throw new Error(
      `Got ${output.operation} below other operations when expected it to reach the loss by add, sub and scale.`,
    );
  }
  const accumulate = inputs.map(({ gradient }) => gradient !== undefined && reach(gradient, reached));
  return () => recorded.fused?.(output.value, weight, accumulate);
}

function backwardOf({ output, inputs, backward, fused }: Recorded, reached: Set<Dense>): (() => void)[] {
  const { value: y, gradient: dy } = output;
  if (dy === undefined || fused !== undefined) return [];
  return inputs.flatMap(({ gradient: dx }, i) => {
    if (dx === undefined) return [];
    const flow = { dx, dy, y, accumulate: reach(dx, reached) };
    return [() => backward[i](flow)];
  });
}
