// The open suggestions of all objects: a few slots for each, in typed arrays. A slot is the place of one suggestion.

import { checkedSize } from '../../size-limits.ts';
import type { TagScore } from '../recommend/ranking.ts';

export const EMPTY = -1;

export class Slots {
  readonly perObject: number;
  readonly tags: Int32Array; // (numObjects, perObject); EMPTY where there is none
  readonly scores: Float32Array; // likewise
  /** The confidence; of models without one, the score. */
  readonly worths: Float64Array; // likewise

  constructor(numObjects: number, perObject: number) {
    const size = checkedSize('entries', numObjects * perObject, 'suggestions to review');
    this.perObject = perObject;
    this.tags = new Int32Array(size).fill(EMPTY);
    this.scores = new Float32Array(size);
    this.worths = new Float64Array(size);
  }

  objectOf(slot: number): number {
    return Math.floor(slot / this.perObject);
  }

  of(object: number): number[] {
    return Array.from({ length: this.perObject }, (_, i) => object * this.perObject + i);
  }

  /** The suggestions of an object instead of those it had, the best first. */
  set(object: number, found: readonly TagScore[]): void {
    for (const [i, slot] of this.of(object).entries()) {
      const one = found.at(i);
      this.tags[slot] = one?.tag ?? EMPTY;
      this.scores[slot] = one?.score ?? 0;
      this.worths[slot] = one?.confidence ?? one?.score ?? 0;
    }
  }

  /** One suggestion less. */
  remove(object: number, tag: number): void {
    for (const slot of this.of(object)) if (this.tags[slot] === tag) this.tags[slot] = EMPTY;
  }
}
