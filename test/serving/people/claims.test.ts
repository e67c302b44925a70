// Claims in a database: no card in two hands, whatever the order of who asks; expiry by the clock of the database alone.

import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { ClaimPair } from '../../../src/serving/people/claim-store.ts';
import { ReviewStore } from '../../../src/serving/reviews/review-store.ts';
import { emptyStoreFolder } from '../reviews/embedded.ts';
import { whyNoPostgres } from '../reviews/postgres.ts';
import { emptyStore } from './empty-store.ts';

const CARDS = Array.from({ length: 8 }, (_, i) => ({ object: `o${i}`, tag: 't' }));

function portions(pairs: readonly ClaimPair[], size = 3): () => readonly ClaimPair[] | undefined {
  let from = 0;
  return () => {
    const some = pairs.slice(from, from + size);
    from += size;
    return some.length === 0 ? undefined : some;
  };
}

const take = (store: ReviewStore, session: string, limit: number, cards = CARDS) =>
  store.claims.take({ session, who: session, limit, candidates: portions(cards) });

describe('claims', () => {
  it('go by the order asked for, over several portions, and end with the limit', async () => {
    const store = await emptyStore();
    expect((await take(store, 'a', 5)).pairs).toEqual(CARDS.slice(0, 5));
    expect((await take(store, 'b', 5)).pairs).toEqual(CARDS.slice(5));
    expect((await take(store, 'a', 2, [...CARDS].reverse())).pairs).toEqual([CARDS[4], CARDS[3]]);
    expect((await take(store, 'b', 5, CARDS.slice(0, 4))).pairs).toEqual(CARDS.slice(0, 3));
  });

  it('are let go by a decision, and come back with its undo', async () => {
    const store = await emptyStore();
    await take(store, 'a', 1);
    const [{ review }] = await store.decide([{ ...CARDS[0], decision: 'accept', curator: 'a' }]);
    expect(await store.claims.heldByOthers('b')).toEqual([]);
    expect((await take(store, 'b', 1)).pairs).toEqual([CARDS[1]]); // decided is not open
    await store.undo(review.id, 'a');
    expect((await take(store, 'c', 1)).pairs).toEqual([CARDS[0]]);
  });

  // the embedded database has no clock of its own
  it.skipIf(whyNoPostgres !== undefined)(
    'run out by the clock of the database, whatever the clock here says',
    async () => {
      const store = await emptyStore({ claimMs: 150 });
      const first = await take(store, 'a', 1);
      vi.setSystemTime('2001-01-01'); // only Date: an instance whose clock is wrong
      try {
        expect((await take(store, 'b', 1)).pairs).toEqual([CARDS[1]]);
        await vi.waitFor(async () => expect((await take(store, 'b', 1)).pairs).toEqual([CARDS[0]]), { interval: 20 });
        const second = await take(store, 'b', 1);
        expect(second.at > first.until).toBe(true);
      } finally {
        vi.useRealTimers();
      }
    },
  );

  it('are never two at once for a card, in any order of claims, decisions, undos and releases', {
    timeout: 60_000,
  }, async () => {
    const store = await ReviewStore.open(await emptyStoreFolder());
    const step = fc.record({
      kind: fc.constantFrom('take', 'take', 'take', 'decide', 'undo', 'release'),
      session: fc.constantFrom('a', 'b', 'c'),
      limit: fc.integer({ min: 1, max: 4 }),
      card: fc.nat(CARDS.length - 1),
    });
    const property = fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const holds = new Map<string, Set<string>>([
        ['a', new Set()],
        ['b', new Set()],
        ['c', new Set()],
      ]);
      const decided = new Map<string, string>();
      for (const { kind, session, limit, card } of steps) {
        const { object } = CARDS[card];
        if (kind === 'take') {
          const { pairs } = await take(store, session, limit);
          holds.set(session, new Set(pairs.map((pair) => pair.object)));
          for (const pair of pairs) expect(decided.has(pair.object)).toBe(false);
        } else if (kind === 'release') {
          await store.claims.release(session);
          holds.set(session, new Set());
        } else if (kind === 'decide' && !decided.has(object)) {
          const [{ review }] = await store.decide([{ ...CARDS[card], decision: 'reject' }]);
          decided.set(object, review.id);
          for (const held of holds.values()) held.delete(object);
        } else if (kind === 'undo' && decided.has(object)) {
          await store.undo(decided.get(object) ?? '');
          decided.delete(object);
        }
        const all = [...holds.values()].flatMap((held) => [...held]);
        expect(new Set(all).size).toBe(all.length);
        expect((await store.claims.heldByOthers('')).map((pair) => pair.object).sort()).toEqual(all.sort());
      }
      for (const id of decided.values()) await store.undo(id);
      for (const session of holds.keys()) await store.claims.release(session);
    });
    await fc.assert(property, { numRuns: 40 });
    await store.close();
  });
});
