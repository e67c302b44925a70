// What loom would say of objects it has learnt from if it had not known some of their tags, in closed form: nothing is fitted a
// second time (ridge/solution.ts). As if a fifth of all tags were missing from data that lacks a fifth already, one in four of an
// object's tags is hidden. Or all of them are, and the object is unknown to the fit.
//
// A hidden tag has lost one of its c carriers, the object itself, while a tag the object never had has not: who learns from many
// such scores could tell hidden tags by that alone. A score is linear in its tag's carriers, so c / (c − 1) makes up for it.

import { tagCounts } from '../../data/statistics.ts';
import { type Listener, makeBreather } from '../../listener.ts';
import { permutation, Random } from '../../random.ts';
import { MISSING_SHARE } from '../confidence.ts';
import type { Ridge } from '../ridge/solution.ts';
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

const BLOCK = 256; // objects at a time

export class Hindsight {
  /** In an order of chance. */
  readonly examples: readonly Example[];
  readonly #ridges: Readonly<Record<'tagged' | 'untagged', Ridge>>;
  readonly #factors: Float64Array; // by tag
  readonly #counts: Float64Array; // by tag: its carriers

  constructor(
    { train, objects }: Views,
    ridges: Readonly<Record<'tagged' | 'untagged', Ridge>>,
    factors: Float64Array,
    seed: number,
  ) {
    this.#ridges = ridges;
    this.#factors = factors;
    this.#counts = tagCounts(train);
    const random = new Random(seed, 'tags to find again');
    const order = permutation(objects.length, new Random(seed, 'objects to find them for'));
    this.examples = Array.from(order, (row) => {
      const tags = train.tagged.row(objects[row]);
      const isHidden = Uint8Array.from(tags, () => (random.float() < MISSING_SHARE / (1 - MISSING_SHARE) ? 1 : 0));
      const [known, hidden] = [0, 1].map((which) => tags.filter((_, i) => isHidden[i] === which));
      return { row, object: objects[row], tags, known, hidden };
    });
  }

  /** Of objects whose hidden tags are not known, or none of their tags. */
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
      const rows = Int32Array.from(block, ({ row }) => row);
      const hidden = block.map((example) => (hides === 'all' ? example.tags : example.hidden));
      const tagged = await this.#ridges.tagged.without(rows, hidden, hides === 'some');
      const untagged = await this.#ridges.untagged.without(rows, hidden, hides === 'some');
      for (let at = 0; at < tagged.length; at++) {
        tagged[at] *= this.#factors[at % numTags];
        untagged[at] *= this.#factors[at % numTags];
      }
      for (const [i, tags] of hidden.entries()) {
        for (const tag of tags) {
          const all = this.#counts[tag];
          if (all < 2) continue;
          for (const scores of [tagged, untagged]) scores[i * numTags + tag] *= all / (all - 1);
        }
      }
      for (const [i, example] of block.entries()) {
        const of = (scores: Float32Array) => scores.subarray(i * numTags, (i + 1) * numTags);
        yield { example, tagged: of(tagged), untagged: of(untagged) };
      }
    }
  }
}
