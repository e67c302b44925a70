// Files in which objects have several rows: one for each tag, or one for each variant of a product with the tags in the first. Which
// row takes new tags, and all tags of an object, wherever its rows stand. Found in a first pass over the file; names are kept as
// bytes, once each.

import { PairList, type Relation } from '../relation.ts';
import { type Vocabulary, VocabularyBuilder } from '../vocabulary.ts';

const MIN_REPEATED = 0.05; // share of the rows; fewer are mistakes

/** The rows of objects, once all are known. */
export interface RepeatedRows {
  /** Whether each tag of an object has a row of its own; otherwise one row of an object has its list. */
  readonly hasRowPerTag: boolean;
  /** Whether new tags of the object go to this row, or behind it. */
  takesTags(id: string, rowNumber: number): boolean;
  tagsOf(id: string): string[];
}

/** Collects rows in the order of the file. */
export class RepeatedRowsBuilder {
  readonly #objects = new VocabularyBuilder();
  readonly #tags = new VocabularyBuilder();
  readonly #pairs = new PairList();
  // by object, in the order they come
  #last = new Float64Array(1024); // row
  #home = new Float64Array(1024); // the first row with tags, or minus the first row where none has any
  #numRows = 0;
  #numMore = 0; // rows with tags of objects that had some before

  add(id: string, rowNumber: number, tags: readonly string[]): void {
    const numBefore = this.#objects.size;
    const object = this.#objects.add(id);
    if (object >= this.#last.length) {
      this.#last = twice(this.#last);
      this.#home = twice(this.#home);
    }
    this.#last[object] = rowNumber;
    const isFirst = this.#objects.size > numBefore;
    if (tags.length > 0 && !isFirst && this.#home[object] > 0) this.#numMore++;
    else if (tags.length > 0) this.#home[object] = rowNumber;
    else if (isFirst) this.#home[object] = -rowNumber;
    this.#numRows++;
    for (const tag of tags) this.#pairs.add(object, this.#tags.add(tag));
  }

  /**
   * Undefined where objects have one row each. `isSingle`: cells hold one tag; then more rows of an object hold more of its tags,
   * a few repeated ids aside.
   */
  finish(isSingle: boolean): RepeatedRows | undefined {
    if (this.#numRows === this.#objects.size) return undefined;
    const hasRowPerTag = isSingle && this.#numMore > MIN_REPEATED * this.#numRows;
    const objects = this.#objects.finish();
    const tags = this.#tags.finish();
    const tagged = this.#pairs.toRelation(objects.rank, tags.rank);
    const places = new Float64Array(objects.vocabulary.size);
    for (const [arrival, id] of objects.rank.entries())
      places[id] = hasRowPerTag ? this.#last[arrival] : Math.abs(this.#home[arrival]);
    return new FoundRows(hasRowPerTag, objects.vocabulary, tags.vocabulary, tagged, places);
  }
}

function twice(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * array.length);
  larger.set(array);
  return larger;
}

class FoundRows implements RepeatedRows {
  readonly hasRowPerTag: boolean;
  readonly #objects: Vocabulary;
  readonly #tags: Vocabulary;
  readonly #tagged: Relation;
  readonly #places: Float64Array;

  constructor(hasRowPerTag: boolean, objects: Vocabulary, tags: Vocabulary, tagged: Relation, places: Float64Array) {
    this.hasRowPerTag = hasRowPerTag;
    this.#objects = objects;
    this.#tags = tags;
    this.#tagged = tagged;
    this.#places = places;
  }

  takesTags(id: string, rowNumber: number): boolean {
    return this.#places[this.#objects.idOf(id)] === rowNumber;
  }

  tagsOf(id: string): string[] {
    const object = this.#objects.idOf(id);
    return object < 0 ? [] : Array.from(this.#tagged.row(object), (tag) => this.#tags.name(tag));
  }
}
