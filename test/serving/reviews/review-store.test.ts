// One suite over both databases.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Decided, type NewReview, ReviewStore } from '../../../src/serving/reviews/review-store.ts';
import { name } from '../../arbitraries.ts';
import { emptyStoreFolder } from './embedded.ts';
import { type PostgresServer, startPostgres, whyNoPostgres } from './postgres.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 }); // databases take seconds to start, more on a busy machine

let server: PostgresServer;
let numDatabases = 0;

const BACKENDS = [
  { kind: 'an embedded database', where: emptyStoreFolder },
  ...(whyNoPostgres === undefined
    ? [{ kind: 'a server', where: () => server.database(`reviews ${numDatabases++}`) }]
    : []),
];

beforeAll(async () => {
  if (whyNoPostgres === undefined) server = await startPostgres();
});
afterAll(() => server?.remove());

async function opened(where: string): Promise<ReviewStore> {
  const store = await ReviewStore.open(where);
  onTestFinished(() => store.close());
  return store;
}

const accept = (object: string, tag: string, curator = ''): NewReview => ({ object, tag, decision: 'accept', curator });
const reject = (object: string, tag: string, curator = ''): NewReview => ({ object, tag, decision: 'reject', curator });
const pairs = (reviews: readonly { object: string; tag: string }[]) => reviews.map(({ object, tag }) => [object, tag]);

describe.each(BACKENDS)('a review store in $kind', ({ where }) => {
  it('keeps what was decided, first come first served, until it is undone', async () => {
    const place = await where();
    const store = await opened(place);
    const [{ review, isNew }] = await store.decide([{ object: 'webpack', tag: 'cli', decision: 'accept' }]);
    expect(isNew).toBe(true);
    expect(review).toEqual({
      id: expect.stringMatching(/^\d+$/),
      ...accept('webpack', 'cli'),
      note: '',
      decidedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      revision: expect.stringMatching(/^\d+$/),
    });
    const [later] = await store.decide([reject('webpack', 'cli', 'Eve')]);
    expect(later).toEqual({ review, isNew: false });
    expect(await store.counts()).toEqual({ accepted: 1, rejected: 0, unsure: 0 });

    const undone = await store.undo(review.id);
    expect(undone).toEqual({ ...review, revision: expect.any(String) });
    expect(Number(undone?.revision)).toBeGreaterThan(Number(review.revision));
    expect(await store.undo(review.id)).toBeUndefined();
    for (const id of ['0', '-1', '', 'x', '9'.repeat(19), '9'.repeat(30)]) expect(await store.undo(id)).toBeUndefined();
    expect(await store.list({ limit: 10 })).toEqual([]);
    const [again] = await store.decide([reject('webpack', 'cli', 'Eve')]);
    expect(again).toMatchObject({ isNew: true, review: { decision: 'reject', curator: 'Eve' } });
    expect(await store.counts()).toEqual({ accepted: 0, rejected: 1, unsure: 0 });

    await store.close();
    expect(await (await opened(place)).list({ limit: 10 })).toEqual([again.review]);
  });

  it('decides many at once, all or none; of two about one pair the first counts', async () => {
    const store = await opened(await where());
    const [{ review: old }] = await store.decide([reject('b', 'x')]);
    const decided = await store.decide([accept('a', 'x'), accept('b', 'x'), reject('a', 'x'), accept('a', 'y')]);
    expect(decided.map(({ isNew }) => isNew)).toEqual([true, false, false, true]);
    expect(decided.map(({ review }) => review.decision)).toEqual(['accept', 'reject', 'accept', 'accept']);
    expect(decided[1].review).toEqual(old);
    expect(decided[2].review).toEqual(decided[0].review);
    expect(await store.decide([])).toEqual([]);
    const bad = { object: 'c', tag: 'x', decision: 'perhaps' as 'accept' };
    await expect(store.decide([accept('c', 'y'), bad])).rejects.toThrow(/check constraint/);
    expect(await store.list({ object: 'c', limit: 10 })).toEqual([]);
    const many = Array.from({ length: 2500 }, (_, i) => accept(`o${i}`, `t${i % 7}`));
    expect((await store.decide(many)).filter(({ isNew }) => isNew)).toHaveLength(2500);
    const streamed = [];
    for await (const review of store.all('accept')) streamed.push(review);
    expect(pairs(streamed)).toEqual(pairs([accept('a', 'x'), accept('a', 'y'), ...many]));
  });

  it('lists the newest first, page by page, by object, tag and decision', async () => {
    const store = await opened(await where());
    const reviews = Array.from({ length: 12 }, (_, i) =>
      (i % 3 === 0 ? reject : accept)(`o${i % 4}`, `t${Math.floor(i / 4)}`),
    );
    await store.decide(reviews);
    const newest = [...reviews].reverse();
    const first = await store.list({ limit: 5 });
    expect(pairs(first)).toEqual(pairs(newest.slice(0, 5)));
    await store.undo(first[4].id); // paging goes on from a review that is no more
    const second = await store.list({ limit: 5, after: first[4].id });
    expect(pairs(second)).toEqual(pairs(newest.slice(5, 10)));
    expect(pairs(await store.list({ object: 'o1', limit: 9 }))).toEqual(pairs(newest.filter((r) => r.object === 'o1')));
    const both = await store.list({ tag: 't0', decision: 'reject', limit: 9 });
    expect(pairs(both)).toEqual(pairs(newest.filter((r) => r.tag === 't0' && r.decision === 'reject')));
    expect(await store.list({ object: '', limit: 9 })).toEqual([]);
    await expect(store.list({ after: 'o1', limit: 1 })).rejects.toThrow(/got the id "o1", expected that of a review/);
  });

  it('brings back any name as data would have it, and refuses what no database holds', async () => {
    const store = await opened(await where());
    await fc.assert(
      fc.asyncProperty(name, name, name, async (object, tag, curator) => {
        const [{ review }] = await store.decide([accept(object, tag, curator)]);
        expect(pairs([review])).toEqual([[object, tag]]);
        expect(await store.list({ object, tag, limit: 2 })).toEqual([review]);
      }),
      { numRuns: 40 },
    );
    const [{ review }] = await store.decide([accept(' a\tb ', '\ud800x')]);
    expect(pairs([review])).toEqual([['a b', '\ufffdx']]);
    await expect(store.decide([accept('a\0b', 'x')])).rejects.toThrow(/got "a\\u0000b", which holds a NUL, expected/);
    await expect(store.decide([accept('a', 'x', '\0')])).rejects.toThrow(/holds a NUL/);
    await expect(store.list({ tag: '\0', limit: 1 })).rejects.toThrow(/holds a NUL/);
    await expect(store.decide([accept('  ', 'x')])).rejects.toThrow(/got a blank object, expected its name/);
    await expect(store.decide([accept('a'.repeat(1600), 'ü'.repeat(500))])).rejects.toThrow(/names that are too long/);
    const long = { object: distinct(1250), tag: distinct(1250) };
    expect((await store.decide([{ ...long, decision: 'accept' }]))[0].review).toMatchObject(long);
  });

  it('tells what changed since a revision, undone reviews as well', async () => {
    const store = await opened(await where());
    const [a, b] = (await store.decide([accept('a', 'x'), reject('b', 'x')])).map(({ review }) => review);
    expect(await store.changedSince(0)).toEqual([
      { ...a, isUndone: false },
      { ...b, isUndone: false },
    ]);
    expect(await store.changedSince(BigInt(b.revision))).toEqual([]);
    const undone = await store.undo(a.id);
    expect(await store.changedSince(b.revision)).toEqual([{ ...undone, isUndone: true }]);
    expect((await store.changedSince(0)).map(({ id }) => id)).toEqual([b.id, a.id]);
    expect((await store.changedSince(0, 1)).map(({ id }) => id)).toEqual([b.id]);
  });
});

describe.skipIf(whyNoPostgres !== undefined)('two review stores on one server', () => {
  it('agree with a model in memory, whoever decides and undoes', async () => {
    const url = await server.database('two');
    const stores = [await opened(url), await opened(url)];
    expect(stores[0].isShared).toBe(true);
    let numRuns = 0;
    const pair = fc.record({ object: fc.constantFrom('a', 'b', 'c'), tag: fc.constantFrom('x', 'y') });
    const who = fc.integer({ min: 0, max: 1 });
    const decide = fc.record({
      who,
      reviews: fc.array(fc.tuple(pair, fc.constantFrom('accept' as const, 'reject' as const)), { maxLength: 4 }),
    });
    const step = fc.oneof(decide, fc.record({ who, undo: pair }));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        const run = `${numRuns++} `;
        const model = new Map<string, { id: string; decision: string; curator: string }>();
        let seen = (await stores[0].changedSince(0, 1e6)).at(-1)?.revision ?? '0';
        const replica = new Map<string, string>(); // of what the other learns from changes alone
        for (const one of steps) {
          const [store, other] = one.who === 0 ? stores : [stores[1], stores[0]];
          const curator = `${one.who}`;
          if ('undo' in one) {
            const key = `${run}${one.undo.object}/${one.undo.tag}`;
            const known = model.get(key);
            const undone = await store.undo(known?.id ?? '0');
            expect(undone?.id).toBe(known?.id);
            model.delete(key);
          } else {
            const reviews = one.reviews.map(([p, decision]) => ({ ...p, object: run + p.object, decision, curator }));
            for (const [i, { review, isNew }] of (await store.decide(reviews)).entries()) {
              const key = `${reviews[i].object}/${reviews[i].tag}`;
              expect(isNew).toBe(!model.has(key));
              if (isNew) model.set(key, { id: review.id, decision: reviews[i].decision, curator });
              expect(review).toMatchObject(model.get(key) ?? {});
            }
          }
          for (const { object, tag, id, isUndone, revision } of await other.changedSince(seen)) {
            if (isUndone) replica.delete(`${object}/${tag}`);
            else replica.set(`${object}/${tag}`, id);
            seen = revision;
          }
          expect(replica).toEqual(new Map([...model].map(([key, { id }]) => [key, id])));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('have one winner for every pair when both decide at the same time, in any order', async () => {
    const url = await server.database('race');
    const stores = [await opened(url), await opened(url)];
    const objects = Array.from({ length: 60 }, (_, i) => `o${i}`);
    const asked = [objects, [...objects].reverse(), objects.slice(20), [...objects.slice(0, 40)].reverse()];
    const answers: Decided[][] = await Promise.all(
      asked.map((list, i) => stores[i % 2].decide(list.map((object) => accept(object, 'x', `${i}`)))),
    );
    const all = answers.flat();
    expect(all.filter(({ isNew }) => isNew)).toHaveLength(objects.length);
    const winners = new Map((await stores[0].list({ limit: 100 })).map((review) => [review.object, review]));
    for (const { review } of all) expect(review).toEqual(winners.get(review.object));
  });

  it('never let a reader pass over a change, however many write', async () => {
    const url = await server.database('order');
    const stores = [await opened(url), await opened(url)];
    const reader = await opened(url);
    let isOver = false;
    const seen = new Set<string>();
    const reading = (async () => {
      for (let revision = '0', last = false; ; ) {
        const changes = await reader.changedSince(revision, 7);
        for (const { id } of changes) seen.add(id);
        revision = changes.at(-1)?.revision ?? revision;
        if (changes.length === 0 && last) return;
        last = isOver;
      }
    })();
    const writers = Array.from({ length: 6 }, async (_, w) => {
      for (let i = 0; i < 25; i++) await stores[w % 2].decide([accept(`${w}`, `${i}`), accept(`${w}`, `${i} too`)]);
    });
    await Promise.all(writers);
    isOver = true;
    await reading;
    expect(seen.size).toBe(300);
  });
});

/** A text that does not get shorter by compression. */
function distinct(length: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (state * 48271) % 2147483647; // the minimal standard generator of Park and Miller
    return String.fromCharCode(33 + (state % 90));
  }).join('');
}
