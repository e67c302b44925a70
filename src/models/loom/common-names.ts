// Counts in how many objects names occur, to keep the common ones. Names met once in a long while are forgotten again, so that
// memory is bounded whatever the texts are.

import { Vocabulary } from '../../data/vocabulary.ts';

const MAX_NAMES = 1 << 22; // counted at once

export class CommonNames {
  #counts = new Map<string, number>();
  #forgotten = 1; // names of fewer objects than this were dropped

  /** The names of one object, each once. */
  add(names: Iterable<string>): void {
    const counts = this.#counts;
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    if (counts.size > MAX_NAMES) this.#forget();
  }

  /** Those in at least `least` objects, and how rare they are. */
  finish(least: number, numObjects: number): { readonly names: Vocabulary; readonly scales: Float32Array } {
    const names = Vocabulary.from([...this.#counts].filter(([, count]) => count >= least).map(([name]) => name));
    const counts = Array.from({ length: names.size }, (_, id) => this.#counts.get(names.name(id)) ?? 0);
    return { names, scales: rarities(counts, numObjects) };
  }

  #forget(): void {
    this.#forgotten++;
    this.#counts = new Map([...this.#counts].filter(([, count]) => count >= this.#forgotten));
    if (this.#counts.size > MAX_NAMES / 2) this.#forget();
  }
}

/** ln((1 + n) / (1 + count)) + 1, and nothing for what no object has. */
export function rarities(counts: ArrayLike<number>, numObjects: number): Float32Array {
  return Float32Array.from(counts, (count) => (count === 0 ? 0 : Math.log((1 + numObjects) / (1 + count)) + 1));
}
