// What a review store keeps beside verdicts: that someone was not sure, notes, who decided and when. One suite over both
// databases.

import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { MIGRATIONS, migrate } from '../../../src/serving/reviews/migrations.ts';
import { type Decision, type NewReview, openDatabase, ReviewStore } from '../../../src/serving/reviews/review-store.ts';
import { tempFolder } from '../../temp-folder.ts';
import { emptyStoreFolder } from './embedded.ts';
import { type PostgresServer, startPostgres, whyNoPostgres } from './postgres.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 }); // databases take seconds to start, more on a busy machine

let server: PostgresServer;
let numDatabases = 0;

const BACKENDS = [
  { kind: 'an embedded database', where: emptyStoreFolder, bare: tempFolder },
  ...(whyNoPostgres === undefined
    ? [{ kind: 'a server', where: nextDatabase, bare: nextDatabase }] // none is ever used twice
    : []),
];

function nextDatabase(): Promise<string> {
  return server.database(`notes ${numDatabases++}`);
}

beforeAll(async () => {
  if (whyNoPostgres === undefined) server = await startPostgres();
});
afterAll(() => server?.remove());

async function opened(where: string): Promise<ReviewStore> {
  const store = await ReviewStore.open(where);
  onTestFinished(() => store.close());
  return store;
}

const review = (decision: Decision, object: string, tag: string, more: Partial<NewReview> = {}): NewReview => ({
  ...{ object, tag, decision },
  ...more,
});
const shown = (reviews: readonly { object: string; tag: string; decision: string }[]) =>
  reviews.map(({ object, tag, decision }) => `${decision} ${object} ${tag}`);

describe.each(BACKENDS)('a review store in $kind', ({ where, bare }) => {
  it('lets a verdict take the place of "unsure", in one step, and nothing the place of a verdict', async () => {
    const store = await opened(await where());
    const [{ review: doubt, isNew }] = await store.decide([review('unsure', 'a', 'x', { curator: 'Ada' })]);
    expect(isNew).toBe(true);
    expect(await store.decide([review('unsure', 'a', 'x', { curator: 'Bob' })])).toEqual([
      { review: doubt, isNew: false },
    ]);
    const before = doubt.revision;
    const [verdict] = await store.decide([review('reject', 'a', 'x', { curator: 'Bob' })]);
    expect(verdict).toMatchObject({ isNew: true, review: { decision: 'reject', curator: 'Bob' } });
    const changes = await store.changedSince(before);
    expect(changes.map(({ id, isUndone }) => ({ id, isUndone }))).toEqual([
      { id: doubt.id, isUndone: true },
      { id: verdict.review.id, isUndone: false },
    ]);
    for (const decision of ['unsure', 'accept'] as const) {
      expect(await store.decide([review(decision, 'a', 'x')])).toEqual([{ review: verdict.review, isNew: false }]);
    }
    expect(shown(await store.list({ limit: 9 }))).toEqual(['reject a x']);
    await store.undo(verdict.review.id);
    expect(await store.list({ limit: 9 }), 'the doubt does not come back').toEqual([]);
  });

  it('decides by the first of a batch about a pair, "unsure" or not', async () => {
    const store = await opened(await where());
    await store.decide([review('unsure', 'a', 'x'), review('unsure', 'b', 'x'), review('unsure', 'c', 'x')]);
    const batch = [review('accept', 'a', 'x'), review('unsure', 'b', 'x'), review('accept', 'b', 'x')];
    const decided = await store.decide(batch);
    expect(decided.map(({ isNew }) => isNew)).toEqual([true, false, false]);
    expect(shown(await store.list({ limit: 9 })).sort()).toEqual(['accept a x', 'unsure b x', 'unsure c x']);
  });

  it('counts no "unsure" among what is exported', async () => {
    const store = await opened(await where());
    await store.decide([review('accept', 'a', 'x'), review('unsure', 'a', 'y'), review('reject', 'a', 'z')]);
    const found = [];
    for (const verdict of ['accept', 'reject'] as const) {
      for await (const one of store.all(verdict)) found.push(one.tag);
    }
    expect(found).toEqual(['x', 'z']);
  });

  it('keeps a note of up to 1,000 characters, line by line', async () => {
    const store = await opened(await where());
    const note = '  See the manual.\r\nPage\t12 \n';
    const [{ review: kept }] = await store.decide([review('reject', 'a', 'x', { note })]);
    expect(kept.note).toBe('See the manual.\nPage 12');
    expect((await store.list({ limit: 1 }))[0].note).toBe(kept.note);
    expect((await store.changedSince(0))[0].note).toBe(kept.note);
    const [{ review: long }] = await store.decide([review('accept', 'b', 'x', { note: 'ü'.repeat(1000) })]);
    expect(long.note).toHaveLength(1000);
    const tooLong = store.decide([review('accept', 'c', 'x', { note: 'n'.repeat(1001) })]);
    await expect(tooLong).rejects.toThrow(/got a note of 1001 characters, expected 1000 or less/);
    await expect(store.decide([review('accept', 'c', 'x', { note: 'a\0b' })])).rejects.toThrow(/holds a NUL/);
  });

  it('finds and counts by who decided and since when', async () => {
    const store = await opened(await where());
    await store.decide([
      review('accept', 'a', 'x', { curator: 'Ada' }),
      review('unsure', 'b', 'x', { curator: 'Ada' }),
      review('reject', 'c', 'x'),
    ]);
    const [{ decidedAt: middle }] = await store.list({ limit: 1 });
    await new Promise((resolve) => setTimeout(resolve, 5)); // so that the clock moves on
    const [{ review: last }] = await store.decide([review('accept', 'd', 'x', { curator: 'Bob' })]);
    const since = new Date(last.decidedAt);
    expect(since.getTime()).toBeGreaterThan(new Date(middle).getTime());
    expect(shown(await store.list({ curator: 'Ada', limit: 9 }))).toEqual(['unsure b x', 'accept a x']);
    expect(shown(await store.list({ curator: '', limit: 9 }))).toEqual(['reject c x']);
    expect(shown(await store.list({ since, limit: 9 }))).toEqual(['accept d x']);
    expect(shown(await store.list({ curator: 'Ada', since, limit: 9 }))).toEqual([]);
    expect(shown(await store.list({ curator: ' Ada ', decision: 'unsure', limit: 9 }))).toEqual(['unsure b x']);
    expect(await store.counts()).toEqual({ accepted: 2, rejected: 1, unsure: 1 });
    expect(await store.counts({ curator: 'Ada' })).toEqual({ accepted: 1, rejected: 0, unsure: 1 });
    expect(await store.counts({ since })).toEqual({ accepted: 1, rejected: 0, unsure: 0 });
    expect(await store.counts({ since, curator: '' })).toEqual({ accepted: 0, rejected: 0, unsure: 0 });
    for (const year of ['0000', '9999']) {
      expect(await store.counts({ since: new Date(`${year}-01-01T00:00:00Z`) })).toMatchObject({
        accepted: year === '0000' ? 2 : 0,
      });
    }
    expect(await store.curators(9)).toEqual([
      { curator: 'Ada', numReviews: 2 },
      { curator: '', numReviews: 1 },
      { curator: 'Bob', numReviews: 1 },
    ]);
    expect(await store.curators(1)).toHaveLength(1);
    await store.undo(last.id);
    expect(await store.counts({ since })).toEqual({ accepted: 0, rejected: 0, unsure: 0 });
  });

  it('takes over what an older version kept', async () => {
    const place = await bare();
    const database = await openDatabase(place);
    await migrate(database, MIGRATIONS.slice(0, 1));
    await database.query(
      "insert into tagloom.reviews (object, tag, decision, curator) values ('a', 'x', 'accept', 'Ada')",
    );
    await database.close();
    const store = await opened(place);
    expect(await store.list({ limit: 9 })).toMatchObject([{ object: 'a', decision: 'accept', note: '' }]);
    const [{ isNew }] = await store.decide([review('unsure', 'b', 'x')]);
    expect(isNew).toBe(true);
  });
});
