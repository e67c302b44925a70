// Reviews in a folder, by an embedded PostgreSQL (PGlite). One process may use the folder at a time. What is acknowledged has
// been handed to the operating system, so it outlives the process, however that ends; a failure of power is another matter,
// since PGlite never waits for the disk: who needs that takes a server.

import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { InputError } from '../../errors.ts';
import { type Database, type Queries, sqlState, UnavailableError } from './connection.ts';
import { FolderLock } from './folder-lock.ts';

const LOCK = 'reviews.lock';
const DATA = 'database';
const DRAFT = 'database.draft';
const EXPECTED = 'a folder for reviews';

export class EmbeddedDatabase implements Database {
  readonly isShared = false;
  readonly #pglite: PGlite;
  readonly #lock: FolderLock;
  readonly #folder: string;
  #closing: Promise<void> | undefined;

  private constructor(pglite: PGlite, lock: FolderLock, folder: string) {
    this.#pglite = pglite;
    this.#lock = lock;
    this.#folder = folder;
  }

  static async open(folder: string): Promise<EmbeddedDatabase> {
    await prepareFolder(folder);
    const lock = await FolderLock.take(join(folder, LOCK)).catch((error) => {
      throw error instanceof InputError ? error : unusable(folder, error);
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
    throw unusable(folder, error);
  });
  const stranger = (await readdir(folder)).find((name) => name !== DATA && name !== DRAFT && !name.startsWith(LOCK));
  if (stranger === undefined) return;
  const cure = 'Name an empty folder, or one that does not exist yet.';
  throw new InputError({ file: folder, got: `a folder with "${stranger}"`, expected: EXPECTED, cure });
}

function unusable(folder: string, error: Error): InputError {
  const cure = 'Name a folder that may be written, on a disk with room.';
  return new InputError({ file: folder, got: `"${error.message}"`, expected: EXPECTED, cure }, { cause: error });
}

/** Under another name first: where this is cut short, the next one begins anew. */
async function initialise(folder: string): Promise<void> {
  const draft = join(folder, DRAFT);
  await (await start(draft)).close();
  await rename(draft, join(folder, DATA));
}

async function start(data: string): Promise<PGlite> {
  const { PGlite } = await import('@electric-sql/pglite');
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
