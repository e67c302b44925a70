// What curators decided in the end: of all changes of a pair the last one counts.

import type { Change } from '../serving/reviews/review-store.ts';
import type { CountedReview } from '../serving/training/training-messages.ts';

/** Reviews in the order of their changes; what is known of a pair is its last one. */
export class LatestReviews {
  readonly #byPair = new Map<string, CountedReview>();

  add(changes: readonly CountedReview[]): void {
    for (const { object, tag, decision, isUndone } of changes) {
      this.#byPair.set(`${object}\0${tag}`, { object, tag, decision, isUndone }); // no name holds a NUL
    }
  }

  *[Symbol.iterator](): Generator<CountedReview> {
    yield* this.#byPair.values();
  }
}

/** A review that stands, as the store tells of it, for what works on changes. */
export function asChange(review: CountedReview, revision: number): Change {
  return { ...review, id: '', curator: '', note: '', decidedAt: '', revision: String(revision) };
}
