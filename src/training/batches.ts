// The pairs of each step: all training pairs in random order, again and again, with noise tags drawn beside them.

import type { Relation } from '../data/relation.ts';
import { permutation, Random } from '../random.ts';
import type { Noise } from './noise.ts';

export class Batches {
  readonly objects: Int32Array; // (B)
  readonly tags: Int32Array; // (B)
  readonly noise: Int32Array; // (B · K)
  readonly #pairs: Relation;
  readonly #source: Noise;
  readonly #random: Random;
  #order: Int32Array;
  #at = 0;

  constructor(pairs: Relation, source: Noise, options: { batchSize: number; noisePerPair: number; seed: number }) {
    this.#pairs = pairs;
    this.#source = source;
    this.#random = new Random(options.seed, 'batches');
    this.#order = permutation(pairs.size, this.#random);
    this.objects = new Int32Array(options.batchSize);
    this.tags = new Int32Array(options.batchSize);
    this.noise = new Int32Array(options.batchSize * options.noisePerPair);
  }

  /** Fills the arrays with the pairs of the next step. */
  next(): void {
    for (let i = 0; i < this.objects.length; i++) {
      if (this.#at === this.#order.length) {
        this.#order = permutation(this.#pairs.size, this.#random);
        this.#at = 0;
      }
      const pair = this.#order[this.#at++];
      this.objects[i] = this.#pairs.heads[pair];
      this.tags[i] = this.#pairs.tails[pair];
    }
    for (let i = 0; i < this.noise.length; i++) this.noise[i] = this.#source.draw(this.#random);
  }
}
