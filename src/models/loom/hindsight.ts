// What loom would say of objects it has learnt from if it had not known some of their tags, in closed form: nothing is fitted a
// second time (ridge/solution.ts). One in eight of an object's tags is hidden, in eight rounds each of them once: the fewer are
// hidden, the more what is left is like what a model in use knows. Of few objects it is one in four, so that there is enough to
// find. Or all of them are, and the object is unknown to the fit.

import { type Listener, makeBreather } from '../../listener.ts';
import { permutation, Random, weightedPermutation } from '../../random.ts';
import { MISSING_SHARE } from '../confidence.ts';
import type { Hiding, Ridge } from '../ridge/solution.ts';
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

/** What both sets of weights say of an object. */
export interface HindsightScores {
  readonly example: Example;
  readonly tagged: Float32Array; // (numTags), as all below
  readonly untagged: Float32Array;
}

/** Objects at a time. */
export const BLOCK = 256;

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

  /** Of objects whose hidden tags are not known, those of a block together, or none of the tags of each alone. */
  async *scores(
    examples: readonly Example[],
    hides: 'some' | 'all',
    listener: Listener,
  ): AsyncGenerator<HindsightScores> {
    const breathe = makeBreather(listener);
    const numTags = this.#factors.length;
    for (let start = 0; start < examples.length; start += BLOCK) {
      listener.progress?.('looking back', start, examples.length);
      await breathe();
      const block = examples.slice(start, start + BLOCK);
      const hiding: Hiding = {
        rows: Int32Array.from(block, ({ row }) => row),
        hidden: block.map((example) => (hides === 'all' ? example.tags : example.hidden)),
        ...(hides === 'some' ? { keepsRow: true, isTogether: true } : { keepsRow: false }),
      };
      const tagged = await this.#ridges.tagged.without(hiding);
      const untagged = await this.#ridges.untagged.without(hiding);
      for (let at = 0; at < tagged.length; at++) {
        tagged[at] *= this.#factors[at % numTags];
        untagged[at] *= this.#factors[at % numTags];
      }
      for (const [i, example] of block.entries()) {
        const of = (scores: Float32Array) => scores.subarray(i * numTags, (i + 1) * numTags);
        yield { example, tagged: of(tagged), untagged: of(untagged) };
      }
    }
  }
}
