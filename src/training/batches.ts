// The pairs of each step: all training pairs in random order, again and again, with noise tags drawn beside them. What a
// step gets depends on the seed and its number alone, so that training can go on from any step.

import type { Relation } from '../data/relation.ts';
import { InputError } from '../errors.ts';
import { permutation, Random } from '../random.ts';
import type { Noise } from './noise.ts';

const MAX_TRIES = 20;
const BATCHES = 5; // in an epoch, where nobody says how large they are
const MAX_BATCH = 1 << 17;

export interface BatchOptions {
  /** No more than there are pairs; 0: a fifth of them, to a limit. */
  readonly batchSize: number;
  readonly noisePerPair: number;
  /** Any tags, or only such as the object does not have. */
  readonly noiseFrom?: 'all' | 'others';
  readonly seed: number;
}

export class Batches {
  readonly objects: Int32Array; // (B)
  readonly tags: Int32Array; // (B)
  readonly noise: Int32Array; // (B · K)
  readonly stepsPerEpoch: number;
  readonly #pairs: Relation;
  readonly #source: Noise;
  readonly #seed: number;
  readonly #sparesOwn: boolean;
  #pass = -1;
  #order: Int32Array = new Int32Array(0); // of the pairs, in this pass

  constructor(pairs: Relation, source: Noise, options: BatchOptions) {
    if (pairs.size === 0) {
      const cure = 'Add objects with tags.';
      throw new InputError({ got: 'no tagged pair', expected: 'some to learn from', cure });
    }
    const wanted = options.batchSize > 0 ? options.batchSize : Math.min(MAX_BATCH, Math.ceil(pairs.size / BATCHES));
    const batchSize = Math.min(wanted, pairs.size);
    this.#pairs = pairs;
    this.#source = source;
    this.#seed = options.seed;
    this.#sparesOwn = options.noiseFrom === 'others';
    this.stepsPerEpoch = Math.ceil(pairs.size / batchSize);
    this.objects = new Int32Array(batchSize);
    this.tags = new Int32Array(batchSize);
    this.noise = new Int32Array(batchSize * options.noisePerPair);
  }

  /** Fills the arrays with the pairs of a step and their noise; the first is 0. */
  fill(step: number): void {
    this.fillPairs(step);
    const random = this.noiseRandom(step);
    const perPair = this.noise.length / this.objects.length;
    for (let i = 0, at = 0; i < this.objects.length; i++) {
      for (let k = 0; k < perPair; k++) this.noise[at++] = this.#draw(this.objects[i], random);
    }
  }

  /** What the noise of a step is drawn from. */
  noiseRandom(step: number): Random {
    return new Random(this.#seed, `noise of step ${step}`);
  }

  /** The pairs alone. */
  fillPairs(step: number): void {
    const { size, heads, tails } = this.#pairs;
    const first = step * this.objects.length;
    for (let i = 0; i < this.objects.length; i++) {
      this.#turnTo(Math.floor((first + i) / size));
      const pair = this.#order[(first + i) % size];
      this.objects[i] = heads[pair];
      this.tags[i] = tails[pair];
    }
  }

  #draw(object: number, random: Random): number {
    let tag = this.#source.draw(random);
    if (!this.#sparesOwn) return tag;
    // an object may have nearly all there is: after some tries one of its own must do
    for (let tries = 0; tries < MAX_TRIES && this.#pairs.has(object, tag); tries++) tag = this.#source.draw(random);
    return tag;
  }

  #turnTo(pass: number): void {
    if (pass === this.#pass) return;
    this.#pass = pass;
    this.#order = permutation(this.#pairs.size, new Random(this.#seed, `order of pass ${pass}`));
  }
}
