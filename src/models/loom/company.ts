// Which tags keep company: what the tags of other objects say of an object with some tags. An object never counts for itself, so
// that what is told is the same whether the data has the object, or its pair with the tag that is asked about, or not.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { Relation } from '../../data/relation.ts';
import { largest } from '../../engine/numerics/top-k.ts';

/** What is told of one candidate tag, in this order. */
export const COMPANY = ['nearest', 'meanLift', 'maxLift', 'given', 'givenBack'] as const;

const NUM_NEAREST = 50; // objects with similar tags
const MAX_CARRIERS = 4096; // of a tag: more, in even steps, tell nothing new

export class TagCompany {
  readonly #tagged: Relation;
  readonly #carriers: Relation; // tags to objects
  readonly #rarities: Float64Array; // by tag, squared
  readonly #lengths: Float64Array; // by object: of its tags' rarities
  readonly #products: Float64Array; // by object, scratch, zeros between calls
  readonly #reached: Int32Array; // objects, scratch
  readonly #together: Float64Array; // by tag, scratch, zeros between calls
  readonly #nearest: Float64Array; // the same

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
    this.#together = new Float64Array(tags.size);
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
    for (let i = 0; i < known.length; i++) {
      const tag = known[i];
      const count = this.countOf(tag, except);
      const step = this.#countTogether(tag, except);
      for (let c = 0; c < candidates.length; c++) {
        const candidate = candidates[c];
        const at = start + c * stride;
        const together = this.#together[candidate] * step;
        const other = this.countOf(candidate, except);
        const lift = Math.log((together + 1) / ((count * other) / numObjects + 1));
        out[at + 1] += lift / known.length;
        out[at + 2] = i === 0 ? lift : Math.max(out[at + 2], lift);
        out[at + 3] = Math.max(out[at + 3], together / (count + 2));
        out[at + 4] += together / (other + 2) / known.length;
      }
      this.#forgetTogether(tag);
    }
    this.#tellNearest(known, except, (nearest) => {
      for (let c = 0; c < candidates.length; c++) out[start + c * stride] = nearest[candidates[c]];
    });
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

  /** Counts for every tag how many carriers of this one have it; what a count stands for. */
  #countTogether(tag: number, except: number | undefined): number {
    let counted = 0;
    this.#eachCarrier(tag, (object) => {
      if (object === except) return;
      counted++;
      for (let e = this.#tagged.rowStart[object]; e < this.#tagged.rowStart[object + 1]; e++) {
        this.#together[this.#tagged.tails[e]]++;
      }
    });
    return counted === 0 ? 0 : this.countOf(tag, except) / counted;
  }

  #forgetTogether(tag: number): void {
    this.#eachCarrier(tag, (object) => {
      for (let e = this.#tagged.rowStart[object]; e < this.#tagged.rowStart[object + 1]; e++) {
        this.#together[this.#tagged.tails[e]] = 0;
      }
    });
  }

  /** Of more than can be looked at, as many in even steps. */
  #eachCarrier(tag: number, use: (object: number) => void): void {
    const { rowStart, tails } = this.#carriers;
    const numCarriers = rowStart[tag + 1] - rowStart[tag];
    const numUsed = Math.min(numCarriers, MAX_CARRIERS);
    const step = numCarriers / Math.max(1, numUsed);
    for (let k = 0; k < numUsed; k++) use(tails[rowStart[tag] + Math.floor(k * step)]);
  }

  /** By tag the share of the objects with the most similar tags that carry it, by their similarity squared. */
  #tellNearest(known: ArrayLike<number>, except: number | undefined, use: (nearest: Float64Array) => void): void {
    const length = this.#lengthOf(known);
    let numReached = 0;
    for (let i = 0; i < known.length; i++) {
      this.#eachCarrier(known[i], (object) => {
        if (object === except) return;
        if (this.#products[object] === 0) this.#reached[numReached++] = object;
        this.#products[object] += this.#rarities[known[i]];
      });
    }
    const reached = this.#reached.subarray(0, numReached).sort();
    const similarities = Float32Array.from(
      reached,
      (object) => this.#products[object] / (length * this.#lengths[object]),
    );
    for (const object of reached) this.#products[object] = 0;
    const places = largest(Int32Array.from(reached.keys()), similarities, NUM_NEAREST).sort();
    const total = places.reduce((sum, place) => sum + similarities[place] ** 2, 0);
    for (const place of places) {
      for (const tag of this.#tagged.row(reached[place])) this.#nearest[tag] += similarities[place] ** 2 / total;
    }
    use(this.#nearest);
    for (const place of places) for (const tag of this.#tagged.row(reached[place])) this.#nearest[tag] = 0;
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
