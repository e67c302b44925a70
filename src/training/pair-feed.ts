// Observed pairs with noise beside them, step by step, where the engine can use them. Noise is drawn here and written, or,
// where the engine is far away (a GPU, which would wait for it longer than for all the rest), drawn there: other draws from
// the same generator and the same distribution.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { tagCounts } from '../data/statistics.ts';
import type { Kernels, NoiseInputs } from '../engine/kernels.ts';
import type { Ints } from '../engine/matrix.ts';
import { Batches, type BatchOptions } from './batches.ts';
import { Noise } from './noise.ts';

export class PairFeed {
  readonly objects: Ints; // (B)
  readonly tags: Ints; // (B)
  readonly noise: Ints; // (B · K)
  readonly noiseProbabilities: Float64Array; // (numTags)
  readonly stepsPerEpoch: number;
  readonly #kernels: Kernels;
  readonly #batches: Batches;
  readonly #inputs: Omit<NoiseInputs, 'key'> | undefined; // where the engine draws
  readonly #made: readonly Ints[];

  constructor(kernels: Kernels, train: KnowledgeGraph, options: BatchOptions) {
    const noise = new Noise(tagCounts(train));
    this.#kernels = kernels;
    this.#batches = new Batches(train.tagged, noise, options);
    const { objects, tags, noise: drawn, stepsPerEpoch } = this.#batches;
    this.objects = kernels.ints(objects.length);
    this.tags = kernels.ints(tags.length);
    this.noise = kernels.ints(drawn.length);
    this.noiseProbabilities = noise.probabilities;
    this.stepsPerEpoch = stepsPerEpoch;

    const made = [this.objects, this.tags, this.noise];
    const list = (values: Int32Array): Ints => {
      const out = kernels.ints(values.length);
      kernels.writeInts(out, values);
      made.push(out);
      return out;
    };
    if (kernels.isRemote && drawn.length > 0) {
      const { keep, alias } = noise.table;
      const { rowStart, tails } = train.tagged;
      this.#inputs = {
        table: { keep: list(keep), alias: list(alias) },
        objects: this.objects,
        ...(options.noiseFrom === 'others' && { own: { rowStart: list(rowStart), columns: list(tails) } }),
      };
    }
    this.#made = made;
  }

  /** Writes the pairs of a step and their noise; what they are depends on its number alone. */
  fill(step: number): void {
    if (this.#inputs === undefined) this.#batches.fill(step);
    else this.#batches.fillPairs(step);
    this.#kernels.writeInts(this.objects, this.#batches.objects);
    this.#kernels.writeInts(this.tags, this.#batches.tags);
    if (this.#inputs === undefined) this.#kernels.writeInts(this.noise, this.#batches.noise);
    else this.#kernels.drawNoise(this.noise, { ...this.#inputs, key: this.#batches.noiseRandom(step).key });
  }

  release(): void {
    this.#kernels.release(...this.#made);
  }
}
