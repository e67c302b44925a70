// A store of reviews in memory, which can be sent away: for tests of what is above it.

import type { ClaimAsked, Claimed, ClaimPair, HeldPair } from '../../../src/serving/people/claim-store.ts';
import type { LogEntry, LogFilter } from '../../../src/serving/people/log-store.ts';
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
import { MemoryUsers } from './memory-users.ts';

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
  readonly claims = new MemoryClaims();
  readonly log = { list: (filter: LogFilter & { limit: number }) => this.#logList(filter), all: () => this.#logAll() };
  readonly users = new MemoryUsers();
  #reviews: Change[] = [];
  readonly #log: LogEntry[] = [];
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
      this.#record(review, decision, curator);
      this.claims.letGo(review);
      return { review, isNew: true };
    });
  }

  async undo(id: string, who = ''): Promise<Review | undefined> {
    this.#check();
    const found = this.#open().find((one) => one.id === id);
    if (found !== undefined) this.#record(found, 'undo', who);
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

  async tagsGiven(): Promise<string[]> {
    return [];
  }

  async changedSince(revision: bigint | number | string): Promise<Change[]> {
    this.#check();
    return this.#reviews.filter((one) => Number(one.revision) > Number(revision));
  }

  async lastRevision(): Promise<string> {
    this.#check();
    return String(this.#revision);
  }

  #record({ object, tag, id: review }: Review, action: string, who: string): void {
    const id = String(this.#log.length + 1);
    this.#log.push({ id, at: this.now, who, action, object, tag, detail: { review } });
  }

  async #logList({ who, actions, limit }: LogFilter & { limit: number }): Promise<LogEntry[]> {
    this.#check();
    const found = this.#log.filter(
      (one) => (who === undefined || one.who === who) && (actions === undefined || actions.includes(one.action)),
    );
    return found.reverse().slice(0, limit);
  }

  async *#logAll(): AsyncGenerator<LogEntry> {
    this.#check();
    yield* this.#log;
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

/** Claims that never run out. */
class MemoryClaims {
  readonly #held = new Map<string, HeldPair & { readonly session: string }>();

  async take({ session, who, limit, candidates }: ClaimAsked): Promise<Claimed> {
    await this.release(session);
    const pairs: ClaimPair[] = [];
    for (let some = candidates(); some !== undefined && pairs.length < limit; some = candidates()) {
      for (const { object, tag } of some) {
        const key = `${object}\0${tag}`;
        if (pairs.length === limit || this.#held.has(key)) continue;
        this.#held.set(key, { object, tag, who, session });
        pairs.push({ object, tag });
      }
    }
    return { pairs, at: '2026-03-04T10:00:00.000000Z', until: '2026-03-04T10:02:00.000000Z' };
  }

  async release(session: string): Promise<number> {
    const own = [...this.#held].filter(([, one]) => one.session === session);
    for (const [key] of own) this.#held.delete(key);
    return own.length;
  }

  letGo({ object, tag }: ClaimPair): void {
    this.#held.delete(`${object}\0${tag}`);
  }

  async heldByOthers(asking: string): Promise<HeldPair[]> {
    const others = [...this.#held.values()].filter(({ session }) => session !== asking);
    return others.map(({ object, tag, who }) => ({ object, tag, who }));
  }

  async atWork(asking: string): Promise<{ who: string; numSessions: number }[]> {
    const others = [...this.#held.values()].filter(({ session }) => session !== asking);
    const names = [...new Set(others.map(({ who }) => who))].sort();
    return names.map((who) => ({
      who,
      numSessions: new Set(others.filter((one) => one.who === who).map(({ session }) => session)).size,
    }));
  }
}
