// Users and the log in a database: tokens that are kept as hashes only, changes that other instances hear of, who did what.

import { describe, expect, it, vi } from 'vitest';
import { UserDirectory } from '../../../src/serving/people/user-directory.ts';
import { UserNameError } from '../../../src/serving/people/user-store.ts';
import { digestOf } from '../../../src/serving/people/user-tokens.ts';
import { ReviewStore } from '../../../src/serving/reviews/review-store.ts';
import { whyNoPostgres } from '../reviews/postgres.ts';
import { emptyDatabase, emptyStore } from './empty-store.ts';

const BY = { by: 'root', mayLeaveNone: false };

describe('users', () => {
  it('keep the hash of a token and never the token', async () => {
    const store = await emptyStore();
    const { token, user } = await store.users.add(' ann ', 'administrate', BY);
    expect(user.name).toBe('ann');
    expect(token).toMatch(/^tagloom_[\w-]{43}$/); // 256 bits
    const [known] = await store.users.all();
    expect(known.tokenSha256).toEqual(digestOf(token));
    expect(JSON.stringify([known, await store.log.list({ limit: 9 })])).not.toContain(token);
    expect((await store.users.renewToken('ann', 'root')).token).not.toBe(token);
  });

  it('always leave one who can administrate, unless told otherwise', async () => {
    const store = await emptyStore();
    await expect(store.users.add('bob', 'review', BY)).rejects.toThrow(/expected one user with the role administrate/);
    expect(await store.users.all()).toEqual([]); // nothing half done
    await store.users.add('ann', 'administrate', BY);
    await expect(store.users.setRole('ann', 'read', BY)).rejects.toThrow(/nobody could administrate/);
    await expect(store.users.remove('ann', BY)).rejects.toThrow(/nobody could administrate/);
    await store.users.add('bob', 'administrate', BY);
    await store.users.remove('ann', BY);
    await expect(store.users.setRole('ann', 'read', BY)).rejects.toThrow(/which no user has/);
    await store.users.remove('bob', { ...BY, mayLeaveNone: true });
    const directory = await UserDirectory.open(store.users, { isShared: false });
    expect([directory.hasUsers, directory.users]).toEqual([true, []]); // closed to all, not open to anyone
  });

  it('take no name twice, and no blank one', async () => {
    const store = await emptyStore();
    await store.users.add('ann', 'administrate', BY);
    const refused = (name: string) => store.users.add(name, 'read', BY).catch((error: unknown) => error);
    expect(await refused('ann')).toBeInstanceOf(UserNameError);
    for (const name of ['', '  ', 'x'.repeat(201), 'a\0']) {
      const error = await refused(name);
      expect(error).toMatchObject({ problem: { expected: 'a name of 1 to 200 characters' } });
      expect(error).not.toBeInstanceOf(UserNameError); // which is for names that somebody has, or nobody
    }
  });
});

describe('the log', () => {
  it('tells who decided, undid and changed users, in the order it happened', async () => {
    const store = await emptyStore();
    await store.users.add('ann', 'administrate', BY);
    const [{ review }] = await store.decide([
      { object: 'o', tag: 't', decision: 'unsure', curator: 'ann', note: 'hm' },
      { object: 'p', tag: 't', decision: 'reject', curator: 'ann' },
    ]);
    await store.decide([{ object: 'o', tag: 't', decision: 'accept', curator: 'bob' }]); // instead of what ann put aside
    const [{ review: again }] = await store.decide([{ object: 'o', tag: 't', decision: 'accept', curator: 'eve' }]);
    await store.undo(again.id, 'eve');
    const all: unknown[] = [];
    for await (const { who, action, object, detail } of store.log.all()) all.push([who, action, object, detail.review]);
    expect(all).toEqual([
      ['root', 'user.add', undefined, undefined],
      ['ann', 'unsure', 'o', review.id],
      ['ann', 'reject', 'p', expect.any(String)],
      ['bob', 'undo', 'o', review.id],
      ['bob', 'accept', 'o', again.id],
      ['eve', 'undo', 'o', again.id], // eve's own accept came second and is none
    ]);
    const found = async (filter: object) => (await store.log.list({ limit: 9, ...filter })).map(({ action }) => action);
    expect(await found({ who: 'ann' })).toEqual(['reject', 'unsure']);
    expect(await found({ actions: ['undo', 'accept'], object: 'o' })).toEqual(['undo', 'accept', 'undo']);
    expect(await found({ tag: 'elsewhere' })).toEqual([]);
    expect(await found({ since: new Date('2001-01-01'), until: new Date('2002-01-01') })).toEqual([]);
    expect((await store.log.list({ limit: 9, who: 'ann' }))[1].detail).toMatchObject({ note: 'hm' });
    const [first, second] = await store.log.list({ limit: 2 });
    const next = await store.log.list({ limit: 2, after: second.id });
    expect(Number(next[0].id)).toBe(Number(first.id) - 2);
  });
});

describe.skipIf(whyNoPostgres !== undefined)('on a server', () => {
  it('a change of a user counts at another instance within a second', async () => {
    const url = await emptyDatabase();
    const [one, two] = [await ReviewStore.open(url), await ReviewStore.open(url)];
    const [here, there] = await Promise.all(
      [one, two].map((store) => UserDirectory.open(store.users, { isShared: store.isShared, pollMs: 20 })),
    );
    const { token } = await here.change((users) => users.add('ann', 'administrate', BY));
    expect(here.ofToken(token)).toEqual({ name: 'ann', role: 'administrate' });
    await vi.waitFor(() => expect(there.ofToken(token)?.name).toBe('ann'));
    await here.change((users) => users.remove('ann', { ...BY, mayLeaveNone: true }));
    expect(here.ofToken(token)).toBeUndefined();
    await vi.waitFor(() => expect(there.ofToken(token)).toBeUndefined());
    await Promise.all([here.close(), there.close(), one.close(), two.close()]);
  });

  it('claims of two instances and many sessions are never for the same card', async () => {
    const url = await emptyDatabase();
    const stores = await Promise.all([ReviewStore.open(url), ReviewStore.open(url)]);
    const cards = Array.from({ length: 60 }, (_, i) => ({ object: `o${i}`, tag: 't' }));
    const claimed = await Promise.all(
      Array.from({ length: 20 }, (_, i) => {
        const portions = [cards];
        const candidates = () => portions.pop();
        return stores[i % 2].claims.take({ session: `s${i}`, who: '', limit: 3, candidates });
      }),
    );
    const all = claimed.flatMap(({ pairs }) => pairs.map(({ object }) => object));
    expect([all.length, new Set(all).size]).toEqual([60, 60]);
    await Promise.all(stores.map((store) => store.close()));
  });
});
