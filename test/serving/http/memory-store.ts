// A store of reviews in memory, which can be sent away: for tests of what is above it.

import { UnavailableError } from '../../../src/serving/reviews/database.ts';
import type {
  Change,
  Decided,
  Decision,
  NewReview,
  Review,
  ReviewFilter,
  ReviewStore,
} from '../../../src/serving/reviews/review-store.ts';

export class MemoryStore {
  isAway = false;
  isClosed = false;
  readonly isShared = false;
  /** Decisions wait for it. */
  gate: Promise<unknown> = Promise.resolve();
  numWaiting = 0;
  #reviews: Change[] = [];
  #revision = 0;

  /** As what the service takes. */
  static make(): { memory: MemoryStore; store: ReviewStore } {
    const memory = new MemoryStore();
    return { memory, store: memory as unknown as ReviewStore };
  }

  async decide(asked: readonly NewReview[]): Promise<Decided[]> {
    this.numWaiting++;
    await this.gate;
    this.numWaiting--;
    this.#check();
    return asked.map(({ object, tag, decision, curator = '' }) => {
      const first = this.#open().find((one) => one.object === object && one.tag === tag);
      if (first !== undefined) return { review: first, isNew: false };
      const revision = String(++this.#revision);
      const decidedAt = '2020-01-01T00:00:00.000Z';
      const review = { id: revision, object, tag, decision, curator, decidedAt, revision, isUndone: false };
      this.#reviews.push(review);
      return { review, isNew: true };
    });
  }

  async undo(id: string): Promise<Review | undefined> {
    this.#check();
    const found = this.#open().find((one) => one.id === id);
    if (found === undefined) return undefined;
    const undone = { ...found, isUndone: true, revision: String(++this.#revision) };
    this.#reviews = [...this.#reviews.filter((one) => one !== found), undone];
    return undone;
  }

  async list({ object, tag, decision, after, limit }: ReviewFilter): Promise<Review[]> {
    this.#check();
    return this.#open()
      .filter(
        (one) =>
          [object ?? one.object, tag ?? one.tag, decision ?? one.decision].join() ===
          [one.object, one.tag, one.decision].join(),
      )
      .filter((one) => after === undefined || Number(one.id) < Number(after))
      .sort((a, b) => Number(b.id) - Number(a.id))
      .slice(0, limit);
  }

  async *all(decision: Decision): AsyncGenerator<Review> {
    this.#check();
    yield* this.#open().filter((one) => one.decision === decision);
  }

  async changedSince(revision: bigint | number | string): Promise<Change[]> {
    this.#check();
    return this.#reviews.filter((one) => Number(one.revision) > Number(revision));
  }

  async isThere(): Promise<boolean> {
    return !this.isAway;
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  #open(): Change[] {
    return this.#reviews.filter((one) => !one.isUndone);
  }

  #check(): void {
    if (this.isAway) throw new UnavailableError('The database at secret-host does not answer.');
  }
}
