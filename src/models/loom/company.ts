// Which tags keep company: what the tags of other objects say of an object with some tags. An object never counts for itself, so
// that what is told is the same whether the data has the object, or its pair with the tag that is asked about, or not.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { Relation } from '../../data/relation.ts';
import { largest } from '../../engine/numerics/top-k.ts';
import { MAX_CARRIERS, Together } from './together.ts';

/** What is told of one candidate tag, in this order. */
export const COMPANY = ['nearest', 'meanLift', 'maxLift', 'given', 'givenBack'] as const;

const NUM_NEAREST = 50; // objects with similar tags

export class TagCompany {
  readonly #tagged: Relation;
  readonly #carriers: Relation; // tags to objects
  readonly #rarities: Float64Array; // by tag, squared
  readonly #lengths: Float64Array; // by object: of its tags' rarities
  readonly #products: Float64Array; // by object, scratch, zeros between calls
  readonly #reached: Int32Array; // objects, scratch
  readonly #together: Together;
  readonly #nearest: Float64Array; // by tag, scratch, zeros between calls

  constructor({ tagged, tags, objects }: KnowledgeGraph) {
    this.#tagged = tagged;
    this.#carriers = tagged.reversed();
    const numTagged = numHeadsOf(tagged);
    this.#rarities = Float64Array.from(
      { length: tags.size },
      (_, tag) => Math.log((numTagged + 1) / (this.#carriers.rowLength(tag) + 1)) ** 2 + 1e-6,
    );
    this.#lengths = Float64Array.from({ length: objects.size }, (_, object) => this.#lengthOf(tagged.row(object)));
    this.#products = new Float64Array(objects.size);
    this.#reached = new Int32Array(objects.size);
    this.#together = new Together(tagged, this.#carriers);
    this.#nearest = new Float64Array(tags.size);
  }

  /** How many other objects carry a tag. */
  countOf(tag: number, except: number | undefined): number {
    const own = except !== undefined && this.#tagged.has(except, tag) ? 1 : 0;
    return this.#carriers.rowLength(tag) - own;
  }

  /** A row of COMPANY for each candidate, from `start` on, `stride` numbers apart. */
  tell(
    known: ArrayLike<number>,
    candidates: Int32Array,
    except: number | undefined,
    out: Float32Array,
    { start, stride }: { readonly start: number; readonly stride: number },
  ): void {
    const numObjects = this.#tagged.numHeads;
    const others = new Float64Array(candidates.length);
    for (let c = 0; c < candidates.length; c++) others[c] = this.countOf(candidates[c], except);
    const counts = new Float64Array(candidates.length);
    for (let i = 0; i < known.length; i++) {
      const count = this.countOf(known[i], except);
      const step = this.#together.count(known[i], candidates, except, counts);
      for (let c = 0, at = start; c < candidates.length; c++, at += stride) {
        const together = counts[c] * step;
        const lift = Math.log((together + 1) / ((count * others[c]) / numObjects + 1));
        out[at + 1] += lift / known.length;
        out[at + 2] = i === 0 ? lift : Math.max(out[at + 2], lift);
        out[at + 3] = Math.max(out[at + 3], together / (count + 2));
        out[at + 4] += together / (others[c] + 2) / known.length;
      }
    }
    this.#tellNearest(known, candidates, except, out, { start, stride });
  }

  /** Of some tags the one that another goes with best, by how much more often than chance. */
  closest(known: ArrayLike<number>, candidate: number, except: number | undefined): number | undefined {
    let [closest, most]: [number | undefined, number] = [undefined, 0];
    for (let i = 0; i < known.length; i++) {
      const row = new Float32Array(COMPANY.length);
      this.tell([known[i]], Int32Array.of(candidate), except, row, { start: 0, stride: 0 });
      const lift = row[COMPANY.indexOf('maxLift')];
      if (lift > most) [closest, most] = [known[i], lift];
    }
    return closest;
  }

  /** By candidate the share of the objects with the most similar tags that carry it, by their similarity squared. */
  #tellNearest(
    known: ArrayLike<number>,
    candidates: Int32Array,
    except: number | undefined,
    out: Float32Array,
    { start, stride }: { readonly start: number; readonly stride: number },
  ): void {
    const [products, reached, nearest] = [this.#products, this.#reached, this.#nearest];
    const numReached = this.#reach(known, except);
    const length = this.#lengthOf(known);
    const similarities = new Float32Array(numReached);
    for (let i = 0; i < numReached; i++) similarities[i] = products[reached[i]] / (length * this.#lengths[reached[i]]);
    const objects = largest(reached.subarray(0, numReached), similarities, NUM_NEAREST).sort();
    const squares = Array.from(
      objects,
      (object) => Math.fround(products[object] / (length * this.#lengths[object])) ** 2,
    );
    for (let i = 0; i < numReached; i++) products[reached[i]] = 0;
    const total = squares.reduce((sum, square) => sum + square, 0);
    const { rowStart, tails } = this.#tagged;
    for (let i = 0; i < objects.length; i++) {
      const share = squares[i] / total;
      const end = rowStart[objects[i] + 1];
      for (let e = rowStart[objects[i]]; e < end; e++) nearest[tails[e]] += share;
    }
    for (let c = 0; c < candidates.length; c++) out[start + c * stride] = nearest[candidates[c]];
    for (const object of objects) for (let e = rowStart[object]; e < rowStart[object + 1]; e++) nearest[tails[e]] = 0;
  }

  /** Adds up, for the carriers of some tags, how rare those are that they have; returns how many objects these are. */
  #reach(known: ArrayLike<number>, except: number | undefined): number {
    const { rowStart, tails } = this.#carriers;
    const [products, reached] = [this.#products, this.#reached];
    let numReached = 0;
    for (let i = 0; i < known.length; i++) {
      const [first, rarity] = [rowStart[known[i]], this.#rarities[known[i]]];
      const numCarriers = rowStart[known[i] + 1] - first;
      const numUsed = Math.min(numCarriers, MAX_CARRIERS);
      const step = numCarriers / Math.max(1, numUsed);
      for (let k = 0; k < numUsed; k++) {
        const object = tails[first + Math.floor(k * step)];
        if (object === except) continue;
        if (products[object] === 0) reached[numReached++] = object;
        products[object] += rarity;
      }
    }
    return numReached;
  }

  #lengthOf(tags: ArrayLike<number>): number {
    let sum = 0;
    for (let i = 0; i < tags.length; i++) sum += this.#rarities[tags[i]];
    return Math.sqrt(sum);
  }
}

function numHeadsOf({ rowStart, numHeads }: Relation): number {
  let count = 0;
  for (let head = 0; head < numHeads; head++) if (rowStart[head + 1] > rowStart[head]) count++;
  return count;
}
