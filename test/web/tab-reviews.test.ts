// What was decided in a tab: kept under the fingerprint of its data, undone one by one, and shared with other tabs.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const [A, B] = [
  { object: 'p1', tag: 'tea' },
  { object: 'p2', tag: 'tea' },
];
const items = new Map<string, string>();
let isFull = false;

beforeEach(() => {
  items.clear();
  isFull = false;
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    removeItem: (key: string) => items.delete(key),
    setItem: (key: string, text: string) => {
      if (isFull) throw new DOMException('full', 'QuotaExceededError');
      items.set(key, text);
    },
  });
  vi.stubGlobal('sessionStorage', { getItem: () => null });
});
afterEach(() => vi.unstubAllGlobals());

/** As in a page of its own. */
async function opened(fingerprint: string) {
  vi.resetModules();
  const own = await import('../../web/src/train/tab-reviews.ts');
  own.openReviews(fingerprint);
  return { ...own, actions: () => own.tabReviews.get().actions.map(({ object, action }) => `${object} ${action}`) };
}

describe('reviews in a tab', () => {
  it('are there after a reload with the same data, and not with other data', async () => {
    const first = await opened('one');
    first.act(A, 'accept');
    first.act(B, 'reject');
    expect(first.acceptedOf(first.tabReviews.get())).toEqual([A]);
    const again = await opened('one');
    expect(again.actions()).toEqual(['p1 accept', 'p2 reject']);
    expect((await opened('two')).actions()).toEqual([]);
  });

  it('are undone from the last on, also those of before a reload', async () => {
    (await opened('one')).act(A, 'accept');
    const own = await opened('one');
    own.act(B, 'skip');
    expect(own.undoLast()).toEqual({ ...B, action: 'skip' });
    expect(own.undoLast()).toEqual({ ...A, action: 'accept' });
    expect(own.undoLast()).toBeUndefined();
    expect(items.size).toBe(0);
  });

  it('forget what was skipped with the page, or when it is taken again', async () => {
    const own = await opened('one');
    own.act(A, 'skip');
    own.act(B, 'accept');
    expect((await opened('one')).actions()).toEqual(['p2 accept']);
    own.takeSkipped();
    expect(own.actions()).toEqual(['p2 accept']);
  });

  it('hold one decision for each pair: the last', async () => {
    const own = await opened('one');
    own.act(A, 'accept');
    own.act(A, 'reject');
    expect(own.actions()).toEqual(['p1 reject']);
    expect(own.byPair(own.tabReviews.get().actions)(A)).toBe('reject');
    expect((await opened('one')).actions()).toEqual(['p1 reject']);
  });

  it('lose nothing that another tab decided meanwhile', async () => {
    const [one, other] = [await opened('one'), await opened('one')];
    one.act(A, 'accept');
    other.act(B, 'accept');
    expect((await opened('one')).actions()).toEqual(['p1 accept', 'p2 accept']);
    other.undoLast();
    expect((await opened('one')).actions()).toEqual(['p1 accept']);
  });

  it('say so where the browser does not keep them, and take no nonsense for decisions', async () => {
    items.set('tagloom.tab-reviews.one', '[{"object":"p1"},7,null,{"object":"p1","tag":"x","action":"delete"}]');
    const own = await opened('one');
    expect(own.actions()).toEqual([]);
    isFull = true;
    own.act(A, 'accept');
    expect([own.tabReviews.get().isKept, own.actions()]).toEqual([false, ['p1 accept']]);
    items.set('tagloom.tab-reviews.two', '{');
    expect((await opened('two')).actions()).toEqual([]);
  });
});
