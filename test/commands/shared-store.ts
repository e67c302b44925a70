// One store of reviews for the tests of a file. To open an embedded database takes seconds; commands that open a folder get
// this one instead, and may close it as they like.

import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { type NewReview, ReviewStore } from '../../src/serving/reviews/review-store.ts';
import { copyOfEmptyStore } from '../serving/reviews/embedded.ts';

/** Registers the store with the file; `holding` puts reviews into it and returns the folder to name in a command. */
export function shareStore(): { holding(reviews: readonly NewReview[]): Promise<string> } {
  let folder: string;
  let store: ReviewStore;

  beforeAll(async () => {
    folder = await copyOfEmptyStore();
    store = await ReviewStore.open(folder);
  }, 60_000);
  afterEach(() => vi.restoreAllMocks());
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  return {
    async holding(reviews) {
      for (const { id } of await store.list({ limit: 10_000 })) await store.undo(id);
      for (const { id, undoneAt } of (await store.vocabulary.all()).reverse()) {
        if (undoneAt === undefined) await store.vocabulary.undo(id);
      }
      await store.decide(reviews);
      const open = ReviewStore.open;
      vi.spyOn(ReviewStore, 'open').mockImplementation(async (where, ...rest) =>
        where.includes('://') ? open.call(ReviewStore, where, ...rest) : lent(store),
      );
      return folder;
    },
  };
}

/** The store itself, but for `close`. */
function lent(store: ReviewStore): ReviewStore {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'close') return async () => {};
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
