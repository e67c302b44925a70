// Trains anything on a tape: steps of Adam, an evaluation on validation pairs now and then, the best kept, an end when it
// stops getting better, a checkpoint every so often and when it is stopped. Test pairs are nowhere near. What a step does
// depends on its number alone, so a run that goes on from a checkpoint ends in the same bytes as one never stopped.

import type { Kernels } from '../engine/kernels.ts';
import { Adam } from '../engine/tape/adam.ts';
import { NonFiniteError, type Tape, type Tensor } from '../engine/tape/tape.ts';
import { CancelledError, InputError } from '../errors.ts';
import { type Listener, makeBreather } from '../listener.ts';
import { logScale, MANY, SEED, type SettingList } from '../settings.ts';

/** The settings of every model that learns in epochs. */
export const TRAINING = {
  epochs: { default: 100, min: 1, max: MANY, whole: true, help: 'passes over the training pairs, at most' },
  batchSize: { default: 8192, min: 1, max: 1e7, whole: true, help: 'pairs of one step' },
  learningRate: { default: 0.05, min: 1e-9, max: 10, tune: logScale(0.002, 0.3), help: 'of Adam, at the start' },
  schedule: {
    default: 'linear',
    choices: ['linear', 'cosine', 'constant'],
    help: 'how the learning rate falls to zero',
  },
  validation: {
    default: 0.05,
    min: 0,
    max: 0.5,
    help: 'share of the pairs kept back to choose the best epoch; 0: none',
  },
  evaluateEvery: { default: 5, min: 1, max: MANY, whole: true, help: 'epochs between two evaluations on them' },
  patience: {
    default: 5,
    min: 1,
    max: MANY,
    whole: true,
    help: 'evaluations without a better Recall@3 before it stops',
  },
  seed: SEED,
} as const satisfies SettingList;

/** What training in epochs leaves: a vector for each object and tag, and a base score for each tag. */
export interface Embeddings {
  readonly form: 'embeddings';
  readonly width: number;
  readonly objects: Float32Array; // (numObjects, width)
  readonly tags: Float32Array; // (numTags, width)
  readonly base: Float32Array; // (numTags)
}

/** A model recorded on a tape, with the machinery that feeds it. */
export interface Trainable {
  readonly tape: Tape;
  readonly parameters: readonly Tensor[];
  /** By parameter, a factor of the learning rate; 1 without. */
  readonly rates?: readonly number[];
  readonly stepsPerEpoch: number;
  /** Writes the inputs of a step; what they are depends on its number alone. The first step is 0. */
  prepare(step: number): void;
  /** What it has learnt so far. */
  fitted(): Promise<Embeddings>;
  release(): void;
}

export interface TrainerSettings {
  readonly epochs: number;
  readonly learningRate: number;
  readonly schedule: Schedule;
  readonly evaluateEvery: number;
  readonly patience: number;
}

/** How an epoch went. */
export interface EpochReport {
  readonly epoch: number;
  /** Of its last batch. */
  readonly loss: number;
  /** On validation pairs, where this epoch was evaluated. */
  readonly validation: number | undefined;
}

/** How a caller takes part in training. */
export interface Watch {
  /** How good a model is on validation pairs; higher is better. Without it, all epochs are run and the last one counts. */
  validate?(fitted: Embeddings): Promise<number>;
  onEpoch?(report: EpochReport): void;
  readonly checkpoint?: Checkpointing;
}

export interface Checkpointing {
  /** Where an earlier run was stopped. */
  readonly resume?: TrainingState | undefined;
  /** Milliseconds between two; one is made at a stop, too. */
  readonly everyMs: number;
  save(state: TrainingState): Promise<void>;
}

/** All that the next step depends on, besides the data and the settings. */
export interface TrainingState {
  readonly step: number; // steps taken
  readonly numEpochs: number; // epochs evaluated or not worth it
  readonly numWorse: number; // evaluations since the best
  readonly best: { readonly value: number; readonly epoch: number; readonly fitted: Embeddings } | undefined;
  /** By parameter. */
  readonly parameters: readonly {
    readonly weights: Float32Array;
    readonly mean: Float32Array;
    readonly variance: Float32Array;
  }[];
}

export interface Trained {
  readonly fitted: Embeddings;
  readonly epochs: number; // run
  /** The best value and its epoch, where there was validation. */
  readonly best: { readonly value: number; readonly epoch: number } | undefined;
}

const ADAM = { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 }; // as published

/** Trains to the end and releases the trainable. */
export async function runTraining(
  kernels: Kernels,
  trainable: Trainable,
  settings: TrainerSettings,
  watch: Watch = {},
  listener: Listener = {},
): Promise<Trained> {
  const run = new Run(kernels, trainable, settings, watch);
  try {
    return await run.toTheEnd(listener);
  } catch (error) {
    if (error instanceof CancelledError) await watch.checkpoint?.save(await run.state());
    throw error instanceof NonFiniteError ? gone(error, settings.learningRate) : error;
  } finally {
    run.release();
  }
}

/** The learning rate is the person's to lower. */
function gone(error: NonFiniteError, learningRate: number): InputError {
  const got = `NaN or infinity from ${error.operation} in step ${error.step}`;
  const cure = `Lower the learning rate (it is ${learningRate}).`;
  return new InputError({ got, expected: 'finite numbers', cure }, { cause: error });
}

class Run {
  readonly #kernels: Kernels;
  readonly #trainable: Trainable;
  readonly #settings: TrainerSettings;
  readonly #watch: Watch;
  readonly #adam: Adam;
  #step = 0;
  #numEpochs = 0;
  #numWorse = 0;
  #best: TrainingState['best'];
  #lastValidation: number | undefined;

  constructor(kernels: Kernels, trainable: Trainable, settings: TrainerSettings, watch: Watch) {
    this.#kernels = kernels;
    this.#trainable = trainable;
    this.#settings = settings;
    this.#watch = watch;
    this.#adam = new Adam(kernels, trainable.parameters, trainable.rates);
    if (watch.checkpoint?.resume !== undefined) this.#restore(watch.checkpoint.resume);
  }

  async toTheEnd(listener: Listener): Promise<Trained> {
    const { stepsPerEpoch } = this.#trainable;
    const { epochs, patience } = this.#settings;
    const checkpoint = this.#watch.checkpoint;
    const breathe = makeBreather(listener);
    let lastSaved = performance.now();
    while (true) {
      if (this.#numEpochs < Math.floor(this.#step / stepsPerEpoch)) await this.#endEpoch(listener);
      if (this.#step >= epochs * stepsPerEpoch || this.#numWorse >= patience) break;
      await breathe();
      if (checkpoint !== undefined && performance.now() - lastSaved > checkpoint.everyMs) {
        await checkpoint.save(await this.state());
        lastSaved = performance.now();
      }
      this.#takeStep();
    }
    const best = this.#best;
    const fitted = best?.fitted ?? (await this.#trainable.fitted());
    return { fitted, epochs: this.#numEpochs, best: best && { value: best.value, epoch: best.epoch } };
  }

  #takeStep(): void {
    const { tape, stepsPerEpoch } = this.#trainable;
    const { learningRate, schedule, epochs } = this.#settings;
    this.#trainable.prepare(this.#step);
    tape.run();
    const factor = learningRateFactor(schedule, this.#step / (epochs * stepsPerEpoch));
    this.#adam.step({ learningRate: learningRate * factor, ...ADAM });
    this.#step++;
  }

  async #endEpoch(listener: Listener): Promise<void> {
    const { epochs, evaluateEvery } = this.#settings;
    const epoch = this.#numEpochs + 1;
    const loss = await this.#trainable.tape.loss(); // throws where training has gone astray
    const isDue = this.#watch.validate !== undefined && (epoch % evaluateEvery === 0 || epoch === epochs);
    const validation = isDue ? await this.#evaluate(epoch) : undefined;
    this.#numEpochs = epoch;
    this.#lastValidation = validation ?? this.#lastValidation;
    const quality = this.#lastValidation === undefined ? '' : `, Recall@3 ${this.#lastValidation.toFixed(4)}`;
    listener.progress?.('training', epoch, epochs, `loss ${loss.toFixed(4)}${quality}`);
    this.#watch.onEpoch?.({ epoch, loss, validation });
  }

  async #evaluate(epoch: number): Promise<number | undefined> {
    const fitted = await this.#trainable.fitted();
    const value = await this.#watch.validate?.(fitted);
    if (value === undefined) return undefined;
    const isBetter = this.#best === undefined || value > this.#best.value;
    if (isBetter) this.#best = { value, epoch, fitted };
    this.#numWorse = isBetter ? 0 : this.#numWorse + 1;
    return value;
  }

  async state(): Promise<TrainingState> {
    const parameters = [];
    for (const { weights, mean, variance } of this.#adam.states) {
      parameters.push({
        weights: await this.#kernels.read(weights),
        mean: await this.#kernels.read(mean),
        variance: await this.#kernels.read(variance),
      });
    }
    const { numEpochs, numWorse, best } = { numEpochs: this.#numEpochs, numWorse: this.#numWorse, best: this.#best };
    return { step: this.#step, numEpochs, numWorse, best, parameters };
  }

  #restore(state: TrainingState): void {
    this.#step = state.step;
    this.#numEpochs = state.numEpochs;
    this.#numWorse = state.numWorse;
    this.#best = state.best;
    this.#adam.numSteps = state.step;
    this.#trainable.tape.numSteps = state.step;
    for (const [i, { weights, mean, variance }] of this.#adam.states.entries()) {
      this.#kernels.write(weights, state.parameters[i].weights);
      this.#kernels.write(mean, state.parameters[i].mean);
      this.#kernels.write(variance, state.parameters[i].variance);
    }
  }

  release(): void {
    this.#adam.release();
    this.#trainable.release();
  }
}

export type Schedule = 'linear' | 'cosine' | 'constant';

const FACTORS: Readonly<Record<Schedule, (done: number) => number>> = {
  linear: (done) => 1 - done,
  cosine: (done) => (1 + Math.cos(Math.PI * done)) / 2,
  constant: () => 1,
};

/** `done`: share of the steps taken, 0 for the first one and less than 1 for the last. */
export function learningRateFactor(schedule: Schedule, done: number): number {
  return FACTORS[schedule](done);
}
