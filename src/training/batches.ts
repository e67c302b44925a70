// The pairs of each step: all training pairs in random order, again and again, with noise tags drawn beside them. What a
// step gets depends on the seed and its number alone, so that training can go on from any step.

import type { Relation } from '../data/relation.ts';
import { permutation, Random } from '../random.ts';
import type { Noise } from './noise.ts';

export class Batches {
  readonly objects: Int32Array; // (B)
  readonly tags: Int32Array; // (B)
  readonly noise: Int32Array; // (B · K)
  readonly stepsPerEpoch: number;
  readonly #pairs: Relation;
  readonly #source: Noise;
  readonly #seed: number;
  #pass = -1;
  #order: Int32Array = new Int32Array(0); // of the pairs, in this pass

  /** A batch has no more pairs than there are. `noisePerPair` may be 0. */
  constructor(pairs: Relation, source: Noise, options: { batchSize: number; noisePerPair: number; seed: number }) {
    const batchSize = Math.min(options.batchSize, pairs.size);
    this.#pairs = pairs;
    this.#source = source;
    this.#seed = options.seed;
    this.stepsPerEpoch = Math.ceil(pairs.size / batchSize);
    this.objects = new Int32Array(batchSize);
    this.tags = new Int32Array(batchSize);
    this.noise = new Int32Array(batchSize * options.noisePerPair);
  }

  /** Fills the arrays with the pairs of a step; the first is 0. */
  fill(step: number): void {
    const { size, heads, tails } = this.#pairs;
    const first = step * this.objects.length;
    for (let i = 0; i < this.objects.length; i++) {
      this.#turnTo(Math.floor((first + i) / size));
      const pair = this.#order[(first + i) % size];
      this.objects[i] = heads[pair];
      this.tags[i] = tails[pair];
    }
    const random = new Random(this.#seed, `noise of step ${step}`);
    for (let i = 0; i < this.noise.length; i++) this.noise[i] = this.#source.draw(random);
  }

  #turnTo(pass: number): void {
    if (pass === this.#pass) return;
    this.#pass = pass;
    this.#order = permutation(this.#pairs.size, new Random(this.#seed, `order of pass ${pass}`));
  }
}
