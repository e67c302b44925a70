// Finds names as people type them: in any case; the beginning of a whole name first, then the beginning of a word in it, then
// anything inside. All names are in lower case from the start, so that a search is one pass over short strings: some
// milliseconds for 100,000 of them. The last few answers are kept, for pages of one search and for people who type.

import type { NameTable } from '../../data/vocabulary.ts';

const NUM_KEPT = 32;
const EVERY = 64; // names between two breaths
const NUM_RANKS = 3;

export class NameSearch {
  #columns: readonly (readonly string[])[]; // each (size), lower case
  readonly #order: Int32Array; // of equals, and where nothing is asked
  readonly #kept = new Map<string, Int32Array>();

  /** `columns`: what each is called, in one or more ways. `order`: ids, those to show first in front. */
  constructor(columns: readonly (readonly string[])[], order: Int32Array) {
    this.#columns = columns.map((column) => column.map(folded));
    this.#order = order;
  }

  /** The same from tables, little by little: it takes a second for a million names. */
  static async fromTables(
    tables: readonly NameTable[],
    order: Int32Array,
    breathe: () => Promise<void> | undefined,
  ): Promise<NameSearch> {
    const search = new NameSearch([], order);
    const columns = tables.map((): string[] => []);
    for (const [c, table] of tables.entries()) {
      for (let id = 0; id < table.size; id++) {
        if (id % EVERY === 0) await breathe();
        columns[c].push(folded(table.at(id)));
      }
    }
    search.#columns = columns;
    return search;
  }

  /** Ids, best first; all of them where nothing is asked. */
  find(query: string): Int32Array {
    const wanted = folded(query.trim());
    if (wanted === '') return this.#order;
    const found = this.#kept.get(wanted) ?? this.#search(wanted);
    this.#kept.delete(wanted); // the latest come last
    this.#kept.set(wanted, found);
    if (this.#kept.size > NUM_KEPT) this.#kept.delete(this.#kept.keys().next().value as string);
    return found;
  }

  #search(wanted: string): Int32Array {
    const order = this.#order;
    const ranks = new Uint8Array(order.length); // by place in the order
    const starts = new Int32Array(NUM_RANKS + 2);
    for (let i = 0; i < order.length; i++) {
      let best = NUM_RANKS;
      for (const column of this.#columns) best = Math.min(best, rankOf(column[order[i]], wanted));
      ranks[i] = best;
      starts[best + 1]++;
    }
    for (let rank = 0; rank < NUM_RANKS; rank++) starts[rank + 1] += starts[rank];
    const found = new Int32Array(starts[NUM_RANKS]);
    for (let i = 0; i < order.length; i++) if (ranks[i] < NUM_RANKS) found[starts[ranks[i]]++] = order[i];
    return found;
  }
}

/** 0: begins with it, 1: a word does, 2: holds it, 3: does not. */
function rankOf(name: string, wanted: string): number {
  let at = name.indexOf(wanted);
  if (at <= 0) return at === 0 ? 0 : NUM_RANKS;
  for (; at > 0; at = name.indexOf(wanted, at + 1)) if (!isLetter(name.charCodeAt(at - 1))) return 1;
  return 2;
}

const LETTER = /[\p{L}\p{N}]/u;
const isAsciiLetter = Uint8Array.from({ length: 128 }, (_, code) => (LETTER.test(String.fromCharCode(code)) ? 1 : 0));

function isLetter(code: number): boolean {
  return code < 128 ? isAsciiLetter[code] === 1 : LETTER.test(String.fromCharCode(code));
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
