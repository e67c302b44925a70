// Finds names as people type them: in any case; the beginning of a whole name first, then the beginning of a word in it, then
// anything inside. All names stand in lower case in a few long texts, one behind the other, so that a search is a browser's or
// Node's own search through these: a tenth of the time of asking name by name. The last few answers are kept, for pages of one
// search and for people who type.

import type { NameTable } from '../../data/vocabulary.ts';

const NUM_KEPT = 32;
const EVERY = 64; // names between two breaths
const NUM_RANKS = 3;
const TEXT_LENGTH = 1 << 24; // characters, about, of one long text; engines allow some 2^29
const BETWEEN = '\0'; // no name holds it, nor a tab or a line break

/** Some names, one behind the other. */
interface LongText {
  readonly text: string;
  readonly firstId: number;
  readonly starts: Int32Array; // (numNames + 1): where each begins; the last is where another would
}

export class NameSearch {
  #columns: readonly (readonly LongText[])[];
  readonly #order: Int32Array; // of equals, and where nothing is asked
  readonly #kept = new Map<string, Int32Array>();

  /** `columns`: what each is called, in one or more ways. `order`: ids, those to show first in front. */
  constructor(columns: readonly (readonly string[])[], order: Int32Array, textLength = TEXT_LENGTH) {
    this.#columns = columns.map((column) => {
      const texts = new LongTexts(textLength);
      for (const name of column) texts.add(name);
      return texts.finish();
    });
    this.#order = order;
  }

  /** The same from tables, little by little: it takes a second for a million names. */
  static async fromTables(
    tables: readonly NameTable[],
    order: Int32Array,
    breathe: () => Promise<void> | undefined,
  ): Promise<NameSearch> {
    const search = new NameSearch([], order);
    const columns: LongText[][] = [];
    for (const table of tables) {
      const texts = new LongTexts(TEXT_LENGTH);
      for (let id = 0; id < table.size; id++) {
        if (id % EVERY === 0) await breathe();
        texts.add(table.at(id));
      }
      columns.push(texts.finish());
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
    if (wanted.includes(BETWEEN)) return new Int32Array(0);
    const order = this.#order;
    const ranks = new Uint8Array(order.length).fill(NUM_RANKS); // by id
    for (const texts of this.#columns) for (const one of texts) rankAll(ranks, one, wanted);
    const starts = new Int32Array(NUM_RANKS + 2);
    for (let id = 0; id < ranks.length; id++) starts[ranks[id] + 1]++;
    for (let rank = 0; rank < NUM_RANKS; rank++) starts[rank + 1] += starts[rank];
    const found = new Int32Array(starts[NUM_RANKS]);
    for (let i = 0; i < order.length; i++) {
      const rank = ranks[order[i]];
      if (rank < NUM_RANKS) found[starts[rank]++] = order[i];
    }
    return found;
  }
}

/** Puts names behind one another, and begins another text where one has become long. */
class LongTexts {
  readonly #length: number;
  readonly #texts: LongText[] = [];
  #names: string[] = [];
  #starts = [0];
  #firstId = 0;

  constructor(length: number) {
    this.#length = length;
  }

  add(name: string): void {
    const own = folded(name);
    const end = this.#starts[this.#names.length] + own.length + BETWEEN.length;
    this.#names.push(own);
    this.#starts.push(end);
    if (end >= this.#length) this.#cut();
  }

  finish(): LongText[] {
    if (this.#names.length > 0) this.#cut();
    return this.#texts;
  }

  #cut(): void {
    const text = this.#names.join(BETWEEN);
    this.#texts.push({ text, firstId: this.#firstId, starts: Int32Array.from(this.#starts) });
    this.#firstId += this.#names.length;
    [this.#names, this.#starts] = [[], [0]];
  }
}

/** Lowers the rank of each name that holds what is wanted: 0: begins with it, 1: a word does, 2: holds it. */
function rankAll(ranks: Uint8Array, { text, firstId, starts }: LongText, wanted: string): void {
  let name = 0;
  for (let at = text.indexOf(wanted); at >= 0; ) {
    if (at >= starts[name + 1]) name = nameAt(starts, at, name);
    const rank = at === starts[name] ? 0 : isLetter(text.charCodeAt(at - 1)) ? 2 : 1;
    const id = firstId + name;
    if (rank < ranks[id]) ranks[id] = rank;
    // no other place in a name is better than its beginning, nor than that of a word behind it
    at = text.indexOf(wanted, rank < 2 ? starts[name + 1] : at + 1);
  }
}

/** The name that a place is in, behind another: by steps that double, since it is often the next. */
function nameAt(starts: Int32Array, at: number, from: number): number {
  let step = 1;
  while (from + step < starts.length && starts[from + step] <= at) step *= 2;
  let [low, high] = [from + (step >> 1), Math.min(from + step, starts.length - 1)];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (starts[middle] <= at) low = middle;
    else high = middle;
  }
  return low;
}

const LETTER = /[\p{L}\p{N}]/u;
const isAsciiLetter = Uint8Array.from({ length: 128 }, (_, code) => (LETTER.test(String.fromCharCode(code)) ? 1 : 0));

function isLetter(code: number): boolean {
  return code < 128 ? isAsciiLetter[code] === 1 : LETTER.test(String.fromCharCode(code));
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
