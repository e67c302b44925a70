// Learning from decisions without training again. Fits are in closed form, w_t = A⁻¹ Fᵀ y_t for each tag, so one more object with tag t
// adds A⁻¹ f to the weights for t, f being the object's features. Of A the diagonal is known (learning-rates.ts): D = 1 / diagonal, F the
// rows of the objects that have the tag by decisions, s whether each has it now (1) or has it no longer (−1). Then
//
//   added = STEP · D Fᵀ α,   (1 + OVERLAP · F D Fᵀ) α = s
//
// so that objects with the same features teach together little more than one of them. OVERLAP / STEP is the part of A that is not on
// its diagonal; both were chosen on pairs hidden from the training pairs of two data sets (docs/results/curation.md).
//
// What is learnt of a tag depends on which objects have it by decisions, and on nothing else: not on their order, nor on other tags.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import { tagCounts } from '../../data/statistics.ts';
import { type DecidedRow, DecidedRows } from './decided-rows.ts';
import type { Loom, LoomWeights } from './loom.ts';
import type { Seen } from './seen.ts';
import type { TagChange } from './side.ts';

const STEP = 0.2;
const OVERLAP = 0.3;
/** Of a graph whose pairs are counted again after decisions: of more, some new ones change little and take long to count. */
const MAX_PAIRS = 2_000_000;
const BLOCK = 256; // objects that are looked at together

/** The features of a decided object as the fit saw them: sparse ones by their place for objects with tags. */
export interface Example {
  readonly features: Int32Array;
  readonly values: Float32Array;
  readonly dense: Float32Array; // profile, content, 1
}

/** The features of an object with tags, from what is seen of it. */
export function exampleOf({ tags, means, text, profile, content }: Seen, numTags: number): Example {
  const features = [
    ...Array.from(tags),
    ...means.tags.map((tag) => numTags + tag),
    ...Array.from(text.features, (feature) => 2 * numTags + feature),
  ];
  const values = [...Array.from(tags, () => 1), ...means.values, ...text.values];
  const dense = new Float32Array(profile.length + content.length + 1);
  dense.set(profile);
  dense.set(content, profile.length);
  dense[dense.length - 1] = 1;
  return { features: Int32Array.from(features), values: Float32Array.from(values), dense };
}

/** Whether an object has a tag that it had not (1), or has it no longer (−1). */
type Sign = 1 | -1;

export class Learning {
  readonly #loom: Loom;
  readonly #trained: KnowledgeGraph;
  readonly #counts: Float64Array; // by tag, in the graph
  readonly #tagsOf = new Map<number, Int32Array>(); // of decided objects
  readonly #signs = new Map<number, Map<number, Sign>>(); // by tag, by object
  readonly #changed = new Set<number>(); // tags
  readonly #examples = new Map<number, Example>(); // by object

  constructor(loom: Loom, trained: KnowledgeGraph) {
    this.#loom = loom;
    this.#trained = trained;
    this.#counts = tagCounts(trained);
  }

  /** From now on an object has these tags (ascending), and no others. */
  decide(object: number, tags: Int32Array): void {
    const [before, had] = [
      this.#tagsOf.get(object) ?? this.#trained.tagged.row(object),
      this.#trained.tagged.row(object),
    ];
    if (isSame(before, tags)) return;
    if (isSame(had, tags)) this.#tagsOf.delete(object);
    else this.#tagsOf.set(object, tags);
    const [has, hadBefore] = [new Set(tags), new Set(had)];
    for (const tag of new Set([...before, ...tags])) {
      const isChanged = has.has(tag) !== hadBefore.has(tag);
      this.#mark(tag, object, isChanged ? (has.has(tag) ? 1 : -1) : undefined);
    }
  }

  get hasChanged(): boolean {
    return this.#changed.size > 0;
  }

  /** Looks at the objects that tags are learnt from, as the fit saw them, before anything is learnt. */
  async lookAt(tags: readonly number[], see: (objects: Int32Array) => Promise<readonly Seen[]>): Promise<void> {
    const wanted = new Set(tags.flatMap((tag) => this.examplesOf(tag)));
    const fresh = Int32Array.from(wanted)
      .sort()
      .filter((object) => !this.#examples.has(object));
    for (let first = 0; first < fresh.length; first += BLOCK) {
      const some = fresh.subarray(first, first + BLOCK);
      const seen = await see(some);
      for (const [i, object] of some.entries()) this.#examples.set(object, exampleOf(seen[i], this.#trained.tags.size));
    }
  }

  /** The tags of which other objects are examples than before; from now on there are none. */
  takeChanged(): number[] {
    const tags = [...this.#changed].sort((a, b) => a - b);
    this.#changed.clear();
    return tags;
  }

  /** What was taken could not be learnt. */
  putBack(tags: readonly number[]): void {
    for (const tag of tags) this.#changed.add(tag);
  }

  /** The objects that a tag is learnt from, ascending. */
  examplesOf(tag: number): number[] {
    return [...(this.#signs.get(tag)?.keys() ?? [])].sort((a, b) => a - b);
  }

  /** The graph with the decided tags; of a large one, as it was. */
  graph(): KnowledgeGraph {
    const { tagged } = this.#trained;
    if (this.#tagsOf.size === 0 || tagged.size > MAX_PAIRS) return this.#trained;
    return { ...this.#trained, tagged: tagged.withRows(this.#tagsOf) };
  }

  /** What the objects add to the weights for a tag. */
  changeFor(tag: number, { rates = new Float32Array(0) }: Pick<LoomWeights, 'rates'>, isTagged: boolean): TagChange {
    const objects = this.examplesOf(tag);
    const numDense = this.#loom.profile.width + (this.#loom.content?.width ?? 0) + 1;
    const firstDense = rates.length - numDense;
    const rows = new DecidedRows(
      objects.map((object) => this.#rowOf(object, tag, isTagged, firstDense)),
      rates,
    );
    const signs = Float64Array.from(objects, (object) => this.#signs.get(tag)?.get(object) ?? 0);
    const sums = rows.spread(rows.amounts(signs, OVERLAP));
    const step = STEP * Math.max(1, this.#counts[tag]) ** -(this.#loom.rarity ?? 0);
    const sparse = new Map<number, number>();
    for (const feature of rows.features) {
      if (feature < firstDense && sums[feature] !== 0) sparse.set(feature, step * sums[feature]);
    }
    return { sparse, dense: sums.slice(firstDense).map((sum) => step * sum) };
  }

  /** What counts of an object for a tag on one side, by the places of the weights. */
  #rowOf(object: number, tag: number, isTagged: boolean, firstDense: number): DecidedRow {
    const { features, values, dense } = this.#examples.get(object) ?? NONE;
    const skipped = isTagged ? 0 : this.#trained.tags.size; // own tags count for nothing there
    const counts = (feature: number) => feature >= skipped && feature !== tag; // no tag predicts itself
    const sparse = features.filter(counts).map((feature) => feature - skipped);
    const row = {
      features: new Int32Array(sparse.length + dense.length),
      values: new Float32Array(sparse.length + dense.length),
    };
    row.features.set(sparse);
    row.values.set(values.filter((_, i) => counts(features[i])));
    for (let k = 0; k < dense.length; k++) row.features[sparse.length + k] = firstDense + k;
    row.values.set(dense, sparse.length);
    return row;
  }

  #mark(tag: number, object: number, sign: Sign | undefined): void {
    const signs = this.#signs.get(tag) ?? new Map<number, Sign>();
    if (signs.get(object) === sign) return;
    this.#changed.add(tag);
    if (sign === undefined) signs.delete(object);
    else signs.set(object, sign);
    if (signs.size > 0) this.#signs.set(tag, signs);
    else this.#signs.delete(tag);
  }
}

const NONE: Example = { features: new Int32Array(0), values: new Float32Array(0), dense: new Float32Array(0) };

function isSame(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
