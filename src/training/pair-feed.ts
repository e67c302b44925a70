// The pairs of each step, where the engine can use them: all pairs of a relation in random order, again and again, with whatever
// a model compares them with (noise tails, or another head and another tail). What a step gets depends on the seed and its
// number alone, so that training can go on from any step.
//
// Noise is drawn here and written or, where the engine is far away (a GPU, which would wait for it longer than for all the
// rest), drawn there: other draws from the same generator and the same distribution.

import type { Relation } from '../data/relation.ts';
import { type Kernels, NOISE_TRIES, type NoiseInputs } from '../engine/kernels.ts';
import type { Ints } from '../engine/matrix.ts';
import { InputError } from '../errors.ts';
import { permutation, Random } from '../random.ts';
import type { Noise } from './noise.ts';

const BATCHES = 5; // in an epoch, where the batch size is left open
const MAX_BATCH = 1 << 17;
const MAX_DRAWS = 10; // for an end that is not linked: some heads are linked to nearly all tails

export interface PairFeedOptions {
  /** No more than there are pairs; 0: a fifth of them, up to a limit. */
  readonly batchSize: number;
  readonly seed: number;
  /** Tails drawn beside each pair. */
  readonly noise?: {
    readonly from: Noise;
    readonly perPair: number;
    /** Whether a head's own tails are never its noise. */
    readonly sparesOwn: boolean;
  };
  /** What other ends are drawn for, as part of their seed: another head and another tail beside each pair. */
  readonly otherEnds?: string;
}

export class PairFeed {
  readonly heads: Ints; // (B)
  readonly tails: Ints; // (B)
  readonly noise: Ints; // (B · K); empty unless asked for
  readonly otherHeads: Ints; // (B), each not linked to its tail if a few draws find one; empty unless asked for
  readonly otherTails: Ints; // (B), likewise
  readonly stepsPerEpoch: number;
  /** The numbers of the pairs of the step written last, in the relation. */
  readonly numbers: Int32Array; // (B)
  readonly #kernels: Kernels;
  readonly #pairs: Relation;
  readonly #options: PairFeedOptions;
  readonly #drawnThere: Omit<NoiseInputs, 'key'> | undefined; // where the engine draws
  readonly #made: Ints[] = [];
  #pass = -1;
  #order: Int32Array = new Int32Array(0); // of the pairs, in this pass

  constructor(kernels: Kernels, pairs: Relation, options: PairFeedOptions) {
    const { noise, otherEnds } = options;
    const size = batchSize(pairs, options.batchSize);
    this.#kernels = kernels;
    this.#pairs = pairs;
    this.#options = options;
    this.numbers = new Int32Array(size);
    this.stepsPerEpoch = Math.ceil(pairs.size / size);
    this.heads = this.#ints(size);
    this.tails = this.#ints(size);
    this.noise = this.#ints(noise === undefined ? 0 : size * noise.perPair);
    this.otherHeads = this.#ints(otherEnds === undefined ? 0 : size);
    this.otherTails = this.#ints(otherEnds === undefined ? 0 : size);
    if (noise !== undefined && kernels.isRemote && this.noise.length > 0) {
      const { keep, alias } = noise.from.table;
      this.#drawnThere = {
        table: { keep: this.#listOf(keep), alias: this.#listOf(alias) },
        objects: this.heads,
        ...(noise.sparesOwn && { own: { rowStart: this.#listOf(pairs.rowStart), columns: this.#listOf(pairs.tails) } }),
      };
    }
  }

  /** Writes the pairs of a step and what goes with them; the first step is 0. */
  fill(step: number): void {
    const { heads: allHeads, tails: allTails } = this.#pairs;
    this.#take(step);
    const heads = this.numbers.map((number) => allHeads[number]);
    const tails = this.numbers.map((number) => allTails[number]);
    this.#kernels.writeInts(this.heads, heads);
    this.#kernels.writeInts(this.tails, tails);
    if (this.noise.length > 0) this.#writeNoise(step, heads);
    if (this.otherHeads.length > 0) this.#writeOtherEnds(step, heads, tails);
  }

  release(): void {
    this.#kernels.release(...this.#made);
  }

  /** Which pairs a step has. */
  #take(step: number): void {
    const { size } = this.#pairs;
    const first = step * this.numbers.length;
    for (let i = 0; i < this.numbers.length; i++) {
      this.#turnTo(Math.floor((first + i) / size));
      this.numbers[i] = this.#order[(first + i) % size];
    }
  }

  #turnTo(pass: number): void {
    if (pass === this.#pass) return;
    this.#pass = pass;
    this.#order = permutation(this.#pairs.size, new Random(this.#options.seed, `order of pass ${pass}`));
  }

  #writeNoise(step: number, heads: Int32Array): void {
    const { seed, noise } = this.#options;
    if (noise === undefined) return;
    const random = new Random(seed, `noise of step ${step}`);
    if (this.#drawnThere !== undefined) {
      this.#kernels.drawNoise(this.noise, { ...this.#drawnThere, key: random.key });
      return;
    }
    const drawn = new Int32Array(this.noise.length);
    for (let i = 0, at = 0; i < heads.length; i++) {
      const isOwn = (tail: number) => noise.sparesOwn && this.#pairs.has(heads[i], tail);
      for (let k = 0; k < noise.perPair; k++)
        drawn[at++] = drawUnless(isOwn, NOISE_TRIES, () => noise.from.draw(random));
    }
    this.#kernels.writeInts(this.noise, drawn);
  }

  #writeOtherEnds(step: number, heads: Int32Array, tails: Int32Array): void {
    const { seed, otherEnds } = this.#options;
    const { numHeads, numTails } = this.#pairs;
    const random = new Random(seed, `other ends of ${otherEnds} in step ${step}`);
    const other = (numEnds: number, isLinked: (end: number) => boolean) =>
      drawUnless(isLinked, MAX_DRAWS, () => random.below(numEnds));
    const otherHeads = tails.map((tail) => other(numHeads, (head) => this.#pairs.has(head, tail)));
    const otherTails = heads.map((head) => other(numTails, (tail) => this.#pairs.has(head, tail)));
    this.#kernels.writeInts(this.otherHeads, otherHeads);
    this.#kernels.writeInts(this.otherTails, otherTails);
  }

  #ints(length: number): Ints {
    const made = this.#kernels.ints(length);
    this.#made.push(made);
    return made;
  }

  #listOf(values: Int32Array): Ints {
    const made = this.#ints(values.length);
    this.#kernels.writeInts(made, values);
    return made;
  }
}

function batchSize(pairs: Relation, wanted: number): number {
  if (pairs.size === 0) {
    const cure = 'Add objects with tags.';
    throw new InputError({ got: 'no tagged pair', expected: 'some to learn from', cure });
  }
  const size = wanted > 0 ? wanted : Math.min(MAX_BATCH, Math.ceil(pairs.size / BATCHES));
  return Math.min(size, pairs.size);
}

/** A draw that is not refused, if some tries find one; else the last of them. */
function drawUnless(isRefused: (drawn: number) => boolean, maxTries: number, draw: () => number): number {
  let drawn = draw();
  for (let tries = 1; tries < maxTries && isRefused(drawn); tries++) drawn = draw();
  return drawn;
}
