// What loom would say of objects it has learnt from if it had not known some of their tags, in closed form: nothing is fitted a
// second time (ridge/solution.ts). One in eight of an object's tags is hidden, in eight rounds each of them once: the fewer are
// hidden, the more what is left is like what a model in use knows. Of few objects it is one in four, so that there is enough to
// find. Or all of them are, and the object is unknown to the fit. Objects are looked at in blocks, since most of the work is the
// same in all rounds.

import { permutation, Random, weightedPermutation } from '../../random.ts';
import { MISSING_SHARE } from '../confidence.ts';
import type { Hiding, Ridge, SeenRows } from '../ridge/solution.ts';
import { mixInto } from './mixing.ts';
import type { Views } from './views.ts';

/** An object and which of its tags are known. */
export interface Example {
  /** Its place among the objects of the views. */
  readonly row: number;
  readonly object: number;
  readonly tags: Int32Array;
  readonly known: Int32Array; // ascending
  readonly hidden: Int32Array; // ascending
}

/** What is said of an object whose hidden tags are not known. */
export interface HindsightScores {
  readonly example: Example;
  readonly scores: Float32Array; // (numTags)
  /** By the weights for objects without tags alone. */
  readonly bareScores: Float32Array; // (numTags)
}

const FEW = 1000; // objects

export class Hindsight {
  /** By round, the objects in an order of chance, the same in every round. */
  readonly rounds: readonly (readonly Example[])[];
  /** How many tags the data lacks for each that is hidden in a round. */
  readonly missingPerHidden: number;
  readonly #ridges: Readonly<Record<'tagged' | 'untagged', Ridge>>;
  readonly #factors: Float64Array; // by tag

  constructor(
    { train, objects, weights }: Views,
    ridges: Readonly<Record<'tagged' | 'untagged', Ridge>>,
    factors: Float64Array,
    seed: number,
  ) {
    this.#ridges = ridges;
    this.#factors = factors;
    const random = new Random(seed, 'tags to find again');
    const numRounds = objects.length < FEW ? 4 : 8;
    this.missingPerHidden = (MISSING_SHARE / (1 - MISSING_SHARE)) * numRounds;
    const roundOf = new Uint8Array(train.tagged.size); // by pair
    for (let i = 0; i < roundOf.length; i++) roundOf[i] = random.below(numRounds);
    const drawn = new Random(seed, 'objects to find them for');
    // the first ones stand for all tagged objects, not for the sample
    const order = weights ? weightedPermutation(weights, drawn) : permutation(objects.length, drawn);
    this.rounds = Array.from({ length: numRounds }, (_, round) =>
      Array.from(order, (row) => {
        const first = train.tagged.rowStart[objects[row]];
        const tags = train.tagged.row(objects[row]);
        const [known, hidden] = [false, true].map((is) => tags.filter((_, i) => (roundOf[first + i] === round) === is));
        return { row, object: objects[row], tags, known, hidden };
      }),
    );
  }

  /** Looks at some objects closely, by their rows. */
  async look(rows: Int32Array): Promise<SeenObjects> {
    const [tagged, untagged] = [await this.#ridges.tagged.look(rows), await this.#ridges.untagged.look(rows)];
    return new SeenObjects(rows, { tagged, untagged }, this.#factors);
  }
}

type BothSides = Readonly<Record<'tagged' | 'untagged', Pick<SeenRows, 'without'>>>;

/** Some objects, and what would be said of them. */
export class SeenObjects {
  readonly #placeOf: ReadonlyMap<number, number>; // by row
  readonly #seen: BothSides;
  readonly #factors: Float64Array;

  constructor(rows: Int32Array, seen: BothSides, factors: Float64Array) {
    this.#placeOf = new Map(Array.from(rows, (row, place) => [row, place]));
    this.#seen = seen;
    this.#factors = factors;
  }

  /**
   * If hidden tags were not known, those of all examples together, or none of the tags of each alone. `shareOf`: of the weights
   * for objects with tags, by the number of tags that are known.
   */
  async scores(
    examples: readonly Example[],
    hides: 'some' | 'all',
    shareOf: (numKnown: number) => number,
  ): Promise<HindsightScores[]> {
    const numTags = this.#factors.length;
    const hiding: Hiding = {
      places: Int32Array.from(examples, ({ row }) => this.#placeOf.get(row) as number),
      hidden: examples.map((example) => (hides === 'all' ? example.tags : example.hidden)),
      ...(hides === 'some' ? { keepsRow: true, isTogether: true } : { keepsRow: false }),
    };
    const tagged = await this.#seen.tagged.without(hiding);
    const untagged = await this.#seen.untagged.without(hiding);
    return examples.map((example, i) => {
      const rowOf = (all: Float32Array) => all.subarray(i * numTags, (i + 1) * numTags);
      const [scores, bareScores] = [rowOf(tagged), rowOf(untagged)];
      for (let t = 0; t < numTags; t++) bareScores[t] *= this.#factors[t];
      for (let t = 0; t < numTags; t++) scores[t] *= this.#factors[t];
      mixInto(scores, bareScores, shareOf(hides === 'all' ? 0 : example.known.length));
      return { example, scores, bareScores };
    });
  }
}
