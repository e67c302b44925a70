// Reviews in a folder, by an embedded PostgreSQL (PGlite). One process may use the folder at a time. What is acknowledged has
// been handed to the operating system, so it outlives the process, however that ends; a failure of power is another matter,
// since PGlite never waits for the disk: who needs that takes a server.

import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { InputError } from '../../errors.ts';
import { listFolder, writeFailure } from '../../files.ts';
import { LockFile } from '../../lock-file.ts';
import { optional } from '../../optional.ts';
import { type Database, type Queries, sqlState, UnavailableError } from './database.ts';

const LOCK = 'reviews.lock';
const DATA = 'database';
const DRAFT = 'database.draft';
const EXPECTED = 'a folder for reviews';

export class EmbeddedDatabase implements Database {
  readonly isShared = false;
  readonly #pglite: PGlite;
  readonly #lock: LockFile;
  readonly #folder: string;
  #closing: Promise<void> | undefined;

  private constructor(pglite: PGlite, lock: LockFile, folder: string) {
    this.#pglite = pglite;
    this.#lock = lock;
    this.#folder = folder;
  }

  static async open(folder: string): Promise<EmbeddedDatabase> {
    await prepareFolder(folder);
    const lock = await LockFile.take(join(folder, LOCK), (who) => inUse(folder, who)).catch((error) => {
      throw writeFailure(error, folder, EXPECTED);
    });
    try {
      const data = join(folder, DATA);
      await rm(join(folder, DRAFT), { recursive: true, force: true });
      if (!(await exists(data))) await initialise(folder);
      return new EmbeddedDatabase(await start(data), lock, folder);
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  query<Row>(sql: string, params: readonly unknown[] = []): Promise<Row[]> {
    return this.#translating(async () => (await this.#pglite.query<Row>(sql, [...params])).rows);
  }

  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.#translating(() =>
      this.#pglite.transaction((inner) =>
        work({
          query: async <Row>(sql: string, params: readonly unknown[] = []) =>
            (await inner.query<Row>(sql, [...params])).rows,
        }),
      ),
    );
  }

  isThere(): Promise<boolean> {
    return this.query('select 1').then(
      () => true,
      () => false,
    );
  }

  close(): Promise<void> {
    this.#closing ??= this.#pglite.close().finally(() => this.#lock.release());
    return this.#closing;
  }

  async #translating<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!isFailure(error)) throw error;
      throw new UnavailableError(`${this.#folder} cannot be used: ${(error as Error).message}.`, { cause: error });
    }
  }
}

/** Not a mistake in a query: the disk is full, or the database stopped. */
function isFailure(error: unknown): boolean {
  return /^(53|57|58|XX)/.test(sqlState(error) ?? '') || error instanceof WebAssembly.RuntimeError;
}

async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error) => {
    throw writeFailure(error, folder, EXPECTED);
  });
  const stranger = (await listFolder(folder)).find((name) => name !== DATA && name !== DRAFT && !name.startsWith(LOCK));
  if (stranger === undefined) return;
  const cure = 'Name an empty folder, or one that does not exist yet.';
  throw new InputError({ file: folder, got: `a folder with "${stranger}"`, expected: EXPECTED, cure });
}

/** Another process uses the folder. */
export class InUseError extends InputError {}

function inUse(folder: string, who: string): InUseError {
  const cure = 'Stop that process or name another folder; several instances at once need a postgres:// URL.';
  return new InUseError({
    file: folder,
    got: `a folder that ${who} uses`,
    expected: 'one that nobody else uses',
    cure,
  });
}

/** Under another name first: if this is interrupted, the next start begins again. */
async function initialise(folder: string): Promise<void> {
  const draft = join(folder, DRAFT);
  await (await start(draft)).close();
  await rename(draft, join(folder, DATA));
}

async function start(data: string): Promise<PGlite> {
  const { PGlite } = await optional(
    'a folder of reviews',
    ['@electric-sql/pglite'],
    () => import('@electric-sql/pglite'),
  );
  try {
    return await PGlite.create(data, { relaxedDurability: false });
  } catch (error) {
    const got = `a database that does not open (${(error as Error).message})`;
    const cure = 'Make room if the disk is full; else put back a copy of the folder, or name another one.';
    throw new InputError({ file: data, got, expected: 'one that tagloom wrote', cure }, { cause: error });
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
