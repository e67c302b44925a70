// Changes of the vocabulary in a list: for tests of what is above the database.

import type { Changes, NewChange, TagDecision } from '../../../src/serving/vocabulary/change-table.ts';
import type { VocabularyChange } from '../../../src/serving/vocabulary/declaration.ts';
import { VocabularyStore } from '../../../src/serving/vocabulary/vocabulary-store.ts';

interface Reviewed extends TagDecision {
  readonly revision: string;
}

export class MemoryChanges implements Changes {
  readonly #nextRevision: () => string;
  readonly #reviews: () => readonly Reviewed[];
  #changes: VocabularyChange[] = [];

  constructor(nextRevision: () => string, reviews: () => readonly Reviewed[] = () => []) {
    this.#nextRevision = nextRevision;
    this.#reviews = reviews;
  }

  /** A store on a list of its own. */
  static store(): VocabularyStore {
    let revision = 0;
    const changes = new MemoryChanges(() => String(++revision));
    return new VocabularyStore({ read: (work) => work(changes), write: (work) => work(changes) });
  }

  async all(): Promise<VocabularyChange[]> {
    return [...this.#changes];
  }

  async since(revision: string): Promise<VocabularyChange[]> {
    const found = this.#changes.filter((one) => Number(one.revision) > Number(revision));
    return found.sort((a, b) => Number(a.revision) - Number(b.revision));
  }

  async insert(change: NewChange): Promise<VocabularyChange> {
    const revision = this.#nextRevision();
    const stored = { id: String(this.#changes.length + 1), ...change, at: '2026-03-04T10:00:00.000Z', revision };
    this.#changes.push(stored);
    return stored;
  }

  async markUndone(id: string, curator: string): Promise<VocabularyChange> {
    const at = this.#changes.findIndex((one) => one.id === id);
    const undone = { undoneAt: '2026-03-04T11:00:00.000Z', undoneBy: curator, revision: this.#nextRevision() };
    this.#changes[at] = { ...this.#changes[at], ...undone };
    return this.#changes[at];
  }

  async decisionsAbout(tags: readonly string[], after: VocabularyChange, limit: number): Promise<TagDecision[]> {
    return this.#reviews()
      .filter(({ tag, revision }) => tags.includes(tag) && Number(revision) > Number(after.revision))
      .map(({ object, tag, decision, curator }) => ({ object, tag, decision, curator }))
      .slice(0, limit);
  }
}
