// What only a server has: it may be away, slow, or not let us in, and several instances may start at once.

import { createServer, type Server } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import { UnavailableError } from '../../../src/serving/reviews/database.ts';
import { MIGRATIONS, migrate } from '../../../src/serving/reviews/migrations.ts';
import { openDatabase, ReviewStore } from '../../../src/serving/reviews/review-store.ts';
import { ServerDatabase } from '../../../src/serving/reviews/server-database.ts';
import { type PostgresServer, secrets, startPostgres, whyNoPostgres } from './postgres.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 }); // databases take seconds to start, more on a busy machine

/** What it throws, whose text and inside never show a password. */
async function failureOf(work: Promise<unknown>): Promise<Error> {
  const error = await work.then(
    () => new Error('nothing was thrown'),
    (thrown: Error) => thrown,
  );
  const shown = JSON.stringify([error.message, error.stack, error, error.cause, (error.cause as Error)?.message]);
  for (const secret of [...secrets, 'hunter2']) expect(shown).not.toContain(secret);
  return error;
}

describe('a server that is not there', () => {
  it('is unavailable, and passwords stay unsaid', async () => {
    const refused = await failureOf(ReviewStore.open('postgres://me:hunter2@127.0.0.1:1/reviews'));
    expect(refused).toBeInstanceOf(UnavailableError);
    expect(refused.message).toMatch(/^postgres:\/\/127\.0\.0\.1:1\/reviews does not answer: .*ECONNREFUSED/);
    const socket = await failureOf(ReviewStore.open('postgresql://me:hunter2@/reviews?host=/nowhere'));
    expect(socket).toBeInstanceOf(UnavailableError);
    for (const url of ['postgres://me:hunter2@host:port/x', 'postgres://me:hunter2/@:x/y']) {
      expect(await failureOf(ReviewStore.open(url))).toBeInstanceOf(InputError);
    }
  });

  it('is unavailable, too, where it takes a connection and says nothing', async () => {
    const silent: Server = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as { port: number };
    const url = `postgres://me:hunter2@127.0.0.1:${port}/x`;
    expect(await failureOf(ServerDatabase.open(url, { connectMs: 100 }))).toBeInstanceOf(UnavailableError);
  });
});

describe.skipIf(whyNoPostgres !== undefined)('a server', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.remove());

  it('that goes away is unavailable, and is used again when it is back', async () => {
    const store = await ReviewStore.open(await server.database('healing'));
    onTestFinished(() => store.close());
    const accept = (object: string) => store.decide([{ object, tag: 'x', decision: 'accept' }]);
    await Promise.all(['a', 'b', 'c', 'd'].map(accept)); // several connections
    const under = Promise.allSettled(Array.from({ length: 20 }, (_, i) => accept(`under ${i}`)));
    await server.stop();
    for (const result of await under) {
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(UnavailableError);
    }
    expect(await store.isThere()).toBe(false);
    const questions = [accept('e'), store.undo('1'), store.list({ limit: 1 }), store.counts(), store.changedSince(0)];
    for (const question of questions) expect(await failureOf(question)).toBeInstanceOf(UnavailableError);
    await server.start();
    expect(await store.isThere()).toBe(true);
    expect((await accept('a'))[0].isNew).toBe(false);
    expect((await accept('e'))[0].isNew).toBe(true);
  });

  it('whose connections are cut between and amid transactions loses nothing', async () => {
    const url = await server.database('cut');
    const store = await ReviewStore.open(url);
    onTestFinished(() => store.close());
    const admin = new pg.Client(url);
    await admin.connect();
    onTestFinished(() => admin.end());
    const acknowledged = new Set<string>();
    const deciding = Array.from({ length: 4 }, async (_, w) => {
      for (let i = 0; i < 30; i++) {
        const object = `${w} ${i}`;
        await store.decide([{ object, tag: 'x', decision: 'reject' }]).then(
          () => acknowledged.add(object),
          (error) => expect(error).toBeInstanceOf(UnavailableError),
        );
      }
    });
    for (let i = 0; i < 5; i++) {
      await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tagloom'");
    }
    await Promise.all(deciding);
    const kept = new Set((await store.list({ limit: 1000 })).map(({ object }) => object));
    for (const object of acknowledged) expect(kept).toContain(object);
    expect(acknowledged.size).toBeGreaterThan(0);
  });

  it('whose disk is full is not there until a write succeeds', async () => {
    const database = await openDatabase(await server.database('full'));
    onTestFinished(() => database.close());
    const full = database.transaction(({ query }) =>
      query("do $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$"),
    );
    await expect(full).rejects.toThrow(UnavailableError);
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
    expect(await database.isThere()).toBe(false);
    await database.transaction(({ query }) => query('create table roomy (a int)'));
    expect(await database.isThere()).toBe(true);
  });

  it('gets its tables once when several instances start at once', async () => {
    const url = await server.database('starting');
    const stores = await Promise.all(Array.from({ length: 4 }, () => ReviewStore.open(url)));
    for (const [i, store] of stores.entries()) {
      const [{ isNew }] = await store.decide([{ object: 'o', tag: 'x', decision: 'accept' }]);
      expect(isNew).toBe(i === 0);
      await store.close();
    }
  });

  it('is refused where a newer tagloom wrote there, or nobody may enter, or text has another encoding', async () => {
    const url = await server.database('newer');
    const database = await openDatabase(url);
    await migrate(database, [...MIGRATIONS, ['select 1']]);
    await database.close();
    await expect(ReviewStore.open(url)).rejects.toThrow(/A newer tagloom wrote them/);

    const wrong = await failureOf(ReviewStore.open(url.replace(/:[^:@]+@/, ':hunter2@')));
    expect(wrong).toBeInstanceOf(InputError);
    expect(wrong.message).toMatch(/password authentication failed.*Check user and password in the URL\.$/);
    const without = await failureOf(ReviewStore.open(url.replace(/:[^:@]+@/, '@')));
    expect(without.message).toContain('Check user and password');
    const absent = await failureOf(ReviewStore.open(url.replace(/newer$/, 'nowhere')));
    expect(absent.message).toMatch(/database "nowhere" does not exist.*createdb/);
    const bytes = await server.database('bytes', "encoding 'SQL_ASCII' template template0");
    expect((await failureOf(ReviewStore.open(bytes))).message).toMatch(/got a database in SQL_ASCII, expected UTF8/);
    expect((await failureOf(ReviewStore.open(`${url}?sslmode=require`))).message).toMatch(/SSL.*Check sslmode/);
  });

  it('lets in who may only read', async () => {
    const url = await server.database('reading');
    await (await ReviewStore.open(url)).close();
    const admin = new pg.Client(url);
    await admin.connect();
    await admin.query("create role reader login password 'r'");
    await admin.query('grant usage on schema tagloom to reader');
    await admin.query('grant select on all tables in schema tagloom to reader');
    await admin.end();
    const store = await ReviewStore.open(url.replace(/\/\/[^@]+@/, '//reader:r@'));
    onTestFinished(() => store.close());
    expect(await store.counts()).toEqual({ accepted: 0, rejected: 0, unsure: 0 });
    await expect(store.decide([{ object: 'a', tag: 'b', decision: 'accept' }])).rejects.toThrow(/permission denied/);
  });

  it('is not waited for without end', async () => {
    const url = await server.database('slow');
    const database = await ServerDatabase.open(url, { statementMs: 50 });
    onTestFinished(() => database.close());
    expect(await failureOf(database.query('select pg_sleep(60)'))).toBeInstanceOf(UnavailableError);
    const inside = database.transaction(({ query }) => query('select pg_sleep(60)'));
    expect(await failureOf(inside)).toBeInstanceOf(UnavailableError);
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
    const stranger = new Error('of the work itself');
    await expect(database.transaction(() => Promise.reject(stranger))).rejects.toBe(stranger);
  });
});
