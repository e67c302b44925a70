// The queue in a tab: what is in focus after a decision or a skip, and a count that falls.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Review } from '../../web/src/api/shapes.ts';
import { noteReviews } from '../../web/src/state/decisions.ts';
import {
  countOpen,
  DEFAULT_FILTER,
  loadMore,
  moveOn,
  moveTo,
  openQueue,
  queue,
  reloadQueue,
  skipActive,
} from '../../web/src/state/queue-state.ts';
import { standings } from '../../web/src/state/standings.ts';

const rowOf = (tag: string, confidence = 0.9) => ({ object: 'o', title: 'O', tag, score: 1, confidence });
let pages: { tags: string[]; numOpen: number; numLikely?: number }[];
let asked: URL[];

beforeEach(() => {
  asked = [];
  vi.stubGlobal('fetch', async (address: string) => {
    const url = new URL(address, 'http://localhost');
    if (url.pathname === '/v1/model') return new Response(JSON.stringify({ knowsConfidence: true }));
    asked.push(url);
    const page = pages[Number(url.searchParams.get('cursor') ?? 0)];
    const next = asked.length < pages.length ? { next: String(asked.length) } : {};
    const suggestions = page.tags.map((tag) => rowOf(tag));
    return new Response(JSON.stringify({ suggestions, isComplete: true, ...page, ...next }));
  });
});
afterEach(() => {
  standings.set(new Map());
  vi.unstubAllGlobals();
});

async function opened(...given: typeof pages): Promise<void> {
  pages = given;
  reloadQueue(DEFAULT_FILTER);
  await vi.waitFor(() => expect(queue.get().isLoading).toBe(false));
}

function decided(tag: string): void {
  const review: Review = { id: tag, object: 'o', tag, decision: 'accept', curator: '', note: '', decidedAt: '' };
  noteReviews([{ pair: rowOf(tag), review, isOurs: true }]);
}

const active = () => queue.get().rows[queue.get().active]?.tag;

describe('the queue', () => {
  it('asks for what is likely unless told otherwise, and by group', async () => {
    await opened({ tags: ['a'], numOpen: 1 });
    expect(asked[0].search).toBe('?limit=100&minConfidence=0.5');
    openQueue({ ...DEFAULT_FILTER, minConfidence: 0, group: 'tag' });
    await vi.waitFor(() => expect(queue.get().isLoading).toBe(false));
    expect(asked[1].search).toBe('?limit=100&group=tag');
    openQueue({ ...DEFAULT_FILTER, minConfidence: 0, group: 'tag' }); // is loaded
    expect(asked).toHaveLength(2);
  });

  it('comes back to what was skipped last of all, in the order of skipping', async () => {
    await opened({ tags: ['a', 'b', 'c', 'd'], numOpen: 4 });
    skipActive();
    expect(active()).toBe('b');
    skipActive();
    expect(active()).toBe('c');
    for (const tag of ['c', 'd']) {
      decided(tag);
      moveOn();
    }
    expect(active()).toBe('a');
    skipActive();
    expect(active()).toBe('b');
    decided('b');
    moveOn();
    expect(active()).toBe('a');
    skipActive(); // the only one left
    expect(active()).toBe('a');
    decided('a');
    moveOn();
    expect(active()).toBeUndefined();
  });

  it('goes to what the next page brings before it comes back to what was skipped', async () => {
    await opened({ tags: ['a', 'b'], numOpen: 3 }, { tags: ['b', 'c'], numOpen: 3 });
    skipActive();
    decided('b');
    moveTo(1);
    loadMore();
    await vi.waitFor(() => expect(queue.get().rows).toHaveLength(3));
    moveOn();
    expect(active()).toBe('c');
  });

  it('counts down with each decision, and up when it is taken back', async () => {
    await opened({ tags: ['a', 'b', 'c'], numOpen: 12, numLikely: 7 });
    expect(countOpen(queue.get())).toEqual({ numOpen: 12, numLikely: 7 });
    decided('a');
    decided('b');
    expect(countOpen(queue.get())).toEqual({ numOpen: 10, numLikely: 5 });
    standings.set(new Map());
    expect(countOpen(queue.get())).toEqual({ numOpen: 12, numLikely: 7 });
  });
});
