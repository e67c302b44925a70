// A relation: the distinct pairs (head, tail) of two id spaces, as two integer columns sorted by head, then tail.
// PairList collects pairs in any order, with repeats, and becomes a Relation by two counting sorts.

import { checkedSize } from '../size-limits.ts';

const PAIRS = 'pairs';

/**
 * Distinct pairs (head, tail) of integer ids, sorted by head, then tail. `interact` and `tagged` of a knowledge graph are such.
 *
 * @example
 * import { graphFrom } from 'tagloom';
 *
 * const { objects, tags, tagged } = graphFrom({
 *   interact: [['ann', 'alien']],
 *   tagged: [['alien', 'space'], ['alien', 'horror']],
 * });
 * console.log(tagged.size); // 2
 * const alien = objects.idOf('alien');
 * console.log(Array.from(tagged.row(alien), (tag) => tags.name(tag))); // [ 'horror', 'space' ]
 * console.log(tagged.has(alien, tags.idOf('space'))); // true
 */
export class Relation {
  readonly numHeads: number;
  readonly numTails: number;
  readonly heads: Int32Array; // (size)
  readonly tails: Int32Array; // (size)
  readonly rowStart: Int32Array; // (numHeads + 1): the pairs of head h are rowStart[h] to rowStart[h + 1]

  /** The pairs must be sorted and distinct. `graphFrom`, `select` and `reversed` make them so. */
  constructor(
    numHeads: number,
    numTails: number,
    heads: Int32Array,
    tails: Int32Array,
    rowStart: Int32Array = countStarts(heads, numHeads),
  ) {
    this.numHeads = numHeads;
    this.numTails = numTails;
    this.heads = heads;
    this.tails = tails;
    this.rowStart = rowStart;
  }

  /** The number of pairs. */
  get size(): number {
    return this.heads.length;
  }

  /** The tails of one head, ascending; a view. */
  row(head: number): Int32Array {
    return this.tails.subarray(this.rowStart[head], this.rowStart[head + 1]);
  }

  /** How many tails a head has. */
  rowLength(head: number): number {
    return this.rowStart[head + 1] - this.rowStart[head];
  }

  /** Whether the pair (head, tail) is in the relation. */
  has(head: number, tail: number): boolean {
    let [low, high] = [this.rowStart[head], this.rowStart[head + 1]];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.tails[middle] < tail) low = middle + 1;
      else high = middle;
    }
    return low < this.rowStart[head + 1] && this.tails[low] === tail;
  }

  /** The pairs whose mark is not zero; ids keep their meaning. */
  select(marks: Uint8Array): Relation {
    let size = 0;
    for (let i = 0; i < this.size; i++) if (marks[i] !== 0) size++;
    const heads = new Int32Array(size);
    const tails = new Int32Array(size);
    for (let i = 0, out = 0; i < this.size; i++) {
      if (marks[i] === 0) continue;
      heads[out] = this.heads[i];
      tails[out++] = this.tails[i];
    }
    return new Relation(this.numHeads, this.numTails, heads, tails);
  }

  /** The same pairs but for some heads, which have other tails: ascending. */
  withRows(rows: ReadonlyMap<number, Int32Array>): Relation {
    let size = this.size;
    for (const [head, tails] of rows) size += tails.length - this.rowLength(head);
    const heads = new Int32Array(size);
    const tails = new Int32Array(size);
    let [from, at] = [0, 0]; // what is copied up to the next changed row
    const copyUpTo = (end: number) => {
      heads.set(this.heads.subarray(from, end), at);
      tails.set(this.tails.subarray(from, end), at);
      at += end - from;
    };
    for (const head of [...rows.keys()].sort((a, b) => a - b)) {
      copyUpTo(this.rowStart[head]);
      from = this.rowStart[head + 1];
      const row = rows.get(head) ?? new Int32Array(0);
      heads.fill(head, at, at + row.length);
      tails.set(row, at);
      at += row.length;
    }
    copyUpTo(this.size);
    return new Relation(this.numHeads, this.numTails, heads, tails);
  }

  /** The same pairs with head and tail exchanged. */
  reversed(): Relation {
    const steps = this.#reversing();
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
    }
  }

  /** The same little by little: `breathe` lets others work in between. */
  async reversedSlowly(breathe: () => Promise<void> | undefined): Promise<Relation> {
    const steps = this.#reversing();
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      await breathe();
    }
  }

  *#reversing(): Generator<undefined, Relation> {
    const next = countStarts(this.tails, this.numTails);
    const heads = new Int32Array(this.size);
    const tails = new Int32Array(this.size);
    yield;
    for (let i = 0; i < this.size; i++) {
      if ((i & (BLOCK - 1)) === BLOCK - 1) yield;
      const at = next[this.tails[i]]++;
      heads[at] = this.tails[i];
      tails[at] = this.heads[i];
    }
    return new Relation(this.numTails, this.numHeads, heads, tails);
  }
}

const BLOCK_BITS = 18;
const BLOCK = 1 << BLOCK_BITS; // pairs; blocks, not one doubling array, so that growing never needs a second copy

/** Pairs as they come, repeats and all. */
export class PairList {
  #blocks: Int32Array[] = []; // head, tail, head, tail, …
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(head: number, tail: number): void {
    const at = this.#size++ & (BLOCK - 1);
    if (at === 0) this.#addBlock();
    const block = this.#blocks[this.#blocks.length - 1];
    block[2 * at] = head;
    block[2 * at + 1] = tail;
  }

  /** Says that there are too many pairs while they are read, not in the end. */
  #addBlock(): void {
    checkedSize('pairs', this.#size, PAIRS);
    this.#blocks.push(new Int32Array(2 * BLOCK));
  }

  /**
   * The distinct pairs as a Relation, with each head and tail replaced by its rank. Empties the list: at the size of
   * twenty million pairs, keeping both would be the peak of the program's memory.
   */
  toRelation(headRank: Int32Array, tailRank: Int32Array): Relation {
    const size = checkedSize('pairs', this.#size, PAIRS);
    const blocks = this.#blocks;
    this.#blocks = [];
    this.#size = 0;

    // sort by tail, reading from the blocks and dropping each one behind
    const nextTail = new Int32Array(tailRank.length + 1);
    for (let i = 0; i < size; i++) nextTail[tailRank[blocks[i >> BLOCK_BITS][2 * (i & (BLOCK - 1)) + 1]] + 1]++;
    for (let t = 0; t < tailRank.length; t++) nextTail[t + 1] += nextTail[t];
    const heads = new Int32Array(size);
    const tails = new Int32Array(size);
    for (let b = 0; b < blocks.length; b++) {
      const block = blocks[b];
      const numPairs = Math.min(BLOCK, size - b * BLOCK);
      for (let i = 0; i < numPairs; i++) {
        const tail = tailRank[block[2 * i + 1]];
        const at = nextTail[tail]++;
        heads[at] = headRank[block[2 * i]];
        tails[at] = tail;
      }
      blocks[b] = new Int32Array(0); // a view would keep all of it alive
    }
    return sortedByHead(heads, tails, headRank.length, tailRank.length);
  }
}

/** Pairs sorted by tail become a relation: a stable counting sort by head, then repeats closed up. */
function sortedByHead(heads: Int32Array, tails: Int32Array, numHeads: number, numTails: number): Relation {
  const next = countStarts(heads, numHeads);
  const outHeads = new Int32Array(heads.length);
  const outTails = new Int32Array(heads.length);
  for (let i = 0; i < heads.length; i++) {
    const at = next[heads[i]]++;
    outHeads[at] = heads[i];
    outTails[at] = tails[i];
  }
  let size = 0;
  for (let i = 0; i < heads.length; i++) {
    if (i > 0 && outHeads[i] === outHeads[i - 1] && outTails[i] === outTails[i - 1]) continue;
    outHeads[size] = outHeads[i];
    outTails[size++] = outTails[i];
  }
  const repeats = size < heads.length;
  return new Relation(
    numHeads,
    numTails,
    repeats ? outHeads.slice(0, size) : outHeads,
    repeats ? outTails.slice(0, size) : outTails,
  );
}

/** Where the entries of each id would begin if sorted: (numIds + 1). */
function countStarts(ids: Int32Array, numIds: number): Int32Array {
  const starts = new Int32Array(numIds + 1);
  checkedSize('pairs', ids.length, PAIRS);
  for (let i = 0; i < ids.length; i++) starts[ids[i] + 1]++;
  for (let id = 0; id < numIds; id++) starts[id + 1] += starts[id];
  return starts;
}
