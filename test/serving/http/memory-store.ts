// A store of reviews in memory, which can be sent away: for tests of what is above it.

import { UnavailableError } from '../../../src/serving/reviews/database.ts';
import type {
  Change,
  CuratorCount,
  Decided,
  Decision,
  DecisionCounts,
  NewReview,
  Review,
  ReviewFilter,
  ReviewStore,
  Verdict,
} from '../../../src/serving/reviews/review-store.ts';
import { VocabularyStore } from '../../../src/serving/vocabulary/vocabulary-store.ts';
import { MemoryChanges } from '../vocabulary/memory-changes.ts';

export class MemoryStore {
  isAway = false;
  isClosed = false;
  /** When decisions are made. */
  now = '2026-03-04T10:00:00.000Z';
  readonly isShared = false;
  readonly vocabulary: VocabularyStore;
  /** Decisions wait for it. */
  gate: Promise<unknown> = Promise.resolve();
  numWaiting = 0;
  #reviews: Change[] = [];
  #revision = 0;

  constructor() {
    const changes = new MemoryChanges(
      () => String(++this.#revision),
      () => this.#open(),
    );
    const use = async <Result>(work: (of: MemoryChanges) => Promise<Result>) => {
      this.#check();
      return work(changes);
    };
    this.vocabulary = new VocabularyStore({ read: use, write: use });
  }

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
    return asked.map(({ object, tag, decision, curator = '', note = '' }) => {
      const first = this.#open().find((one) => one.object === object && one.tag === tag);
      if (first?.decision === 'unsure' && decision !== 'unsure') this.#takeBack(first);
      else if (first !== undefined) return { review: first, isNew: false };
      const revision = String(++this.#revision);
      const { now: decidedAt } = this;
      const review = { id: revision, object, tag, decision, curator, note, decidedAt, revision, isUndone: false };
      this.#reviews.push(review);
      return { review, isNew: true };
    });
  }

  async undo(id: string): Promise<Review | undefined> {
    this.#check();
    const found = this.#open().find((one) => one.id === id);
    return found && this.#takeBack(found);
  }

  #takeBack(found: Change): Change {
    const undone = { ...found, isUndone: true, revision: String(++this.#revision) };
    this.#reviews = [...this.#reviews.filter((one) => one !== found), undone];
    return undone;
  }

  async list({ after, limit, ...filter }: ReviewFilter): Promise<Review[]> {
    this.#check();
    return this.#found(filter)
      .filter((one) => after === undefined || Number(one.id) < Number(after))
      .sort((a, b) => Number(b.id) - Number(a.id))
      .slice(0, limit);
  }

  async counts(filter: Pick<ReviewFilter, 'curator' | 'since'> = {}): Promise<DecisionCounts> {
    this.#check();
    const numOf = (decision: Decision) => this.#found({ ...filter, decision }).length;
    return { accepted: numOf('accept'), rejected: numOf('reject'), unsure: numOf('unsure') };
  }

  async curators(limit: number): Promise<CuratorCount[]> {
    this.#check();
    const names = new Set(this.#open().map(({ curator }) => curator));
    const counts = [...names].map((curator) => ({ curator, numReviews: this.#found({ curator }).length }));
    return counts.sort((a, b) => b.numReviews - a.numReviews).slice(0, limit);
  }

  #found({ object, tag, decision, curator, since }: Omit<ReviewFilter, 'after' | 'limit'>): Change[] {
    return this.#open().filter(
      (one) =>
        [object, tag, decision, curator].every(
          (wanted, i) => wanted === undefined || wanted === [one.object, one.tag, one.decision, one.curator][i],
        ) &&
        (since === undefined || new Date(one.decidedAt) >= since),
    );
  }

  async *all(decision: Verdict): AsyncGenerator<Review> {
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
