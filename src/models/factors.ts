// What the models that factorise have in common (mf.ts, skip-gram.ts, cofactor.ts): vectors of objects and tags that meet in dot
// products, their settings and their start. Widths are the paper's (Table "Experimental Settings"); what it leaves open was
// chosen on validation pairs.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Kernels } from '../engine/kernels.ts';
import type { Ints } from '../engine/matrix.ts';
import type { Tape, Tensor } from '../engine/tape/tape.ts';
import { logScale, type SettingList } from '../settings.ts';
import { initialize, lengthLimit } from '../training/initialize.ts';
import { TRAINING, type Trainable } from '../training/trainer.ts';

export const WIDTH = {
  default: 100,
  min: 1,
  max: 4096,
  whole: true,
  tune: logScale(16, 256),
  help: 'width of the vectors',
} as const;
export const REGULARIZATION = {
  default: 2,
  min: 0,
  max: 1e6,
  tune: logScale(0.05, 50),
  help: 'λ of the squared lengths of all vectors',
} as const;

/** What squared error over all pairs asks for: few large steps, since each goes over the unobserved pairs, too. */
export const ALL_PAIRS = {
  unobservedWeight: {
    default: 0.03,
    min: 0,
    max: 1,
    tune: logScale(0.003, 0.3),
    help: 'weight of an unobserved pair; an observed one has 1',
  },
  regularization: REGULARIZATION,
  ...TRAINING,
  batchSize: { ...TRAINING.batchSize, default: 131072 },
  learningRate: { ...TRAINING.learningRate, default: 0.1 },
  evaluateEvery: { ...TRAINING.evaluateEvery, default: 10 },
} as const satisfies SettingList;

export interface FactorShape {
  readonly numObjects: number;
  readonly numTags: number;
  readonly width: number;
}

export function shapeOf({ objects, tags }: KnowledgeGraph, width: number): FactorShape {
  return { numObjects: objects.size, numTags: tags.size, width };
}

/** Observed pairs of one step. */
export interface Pairs {
  readonly heads: Ints; // (B), objects
  readonly tails: Ints; // (B), tags
}

const START_LENGTH = 0.1; // length of a vector: short, so that scores begin at the biases

/** Vectors of random directions to start from. */
export function startFactors(kernels: Kernels, parameters: readonly Tensor[], seed: number): void {
  initialize(kernels, parameters, ({ cols }) => lengthLimit(START_LENGTH, cols), seed);
}

/** Writes the inputs of a step; owns what it writes into. */
export interface StepInputs {
  readonly stepsPerEpoch: number;
  fill(step: number): void;
  release(): void;
}

export interface FactorModel {
  readonly tape: Tape;
  readonly objects: Tensor;
  readonly tags: Tensor;
  readonly parameters: readonly Tensor[];
}

/** A model of factors with what feeds it; the first feed says how many steps an epoch has. */
export function trainableFactors(
  kernels: Kernels,
  { tape, objects, tags, parameters }: FactorModel,
  feeds: readonly [StepInputs, ...StepInputs[]],
  readBase: () => Promise<Float32Array>,
): Trainable {
  return {
    tape,
    parameters,
    stepsPerEpoch: feeds[0].stepsPerEpoch,
    prepare(step) {
      for (const feed of feeds) feed.fill(step);
    },
    fitted: async () => ({
      form: 'embeddings',
      width: objects.cols,
      objects: await kernels.read(objects.value),
      tags: await kernels.read(tags.value),
      base: await readBase(),
    }),
    release() {
      tape.release();
      for (const feed of feeds) feed.release();
    },
  };
}

export function sumOfSquares(tape: Tape, x: Tensor): Tensor {
  return tape.sum(tape.mul(x, x));
}
