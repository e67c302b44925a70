// Reviews in a folder, by an embedded PostgreSQL (PGlite). One process may use the folder at a time. What is acknowledged has
// been handed to the operating system, so it outlives the process, however that ends; a failure of power is another matter,
// since PGlite never waits for the disk: who needs that takes a server.
//
// Nothing is acknowledged unless the lock was still held after the commit: then the data was in the files before any other
// process took over, and that one has it. Whoever lost the lock is unavailable for good and leaves the files alone.

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { PGlite } from '@electric-sql/pglite';
import { InputError } from '../../errors.ts';
import { writeFailure } from '../../file-failures.ts';
import { listFolder, makeFolder } from '../../files.ts';
import { LockFile } from '../../lock-file.ts';
import { optional } from '../../optional.ts';
import { type Database, type Queries, sqlState, UnavailableError } from './database.ts';
import { claimData, clearOlder, isData, leaveData } from './generations.ts';

const LOCK = 'reviews.lock';
const PROBE = `${LOCK}.probe`;
const PROBE_BYTES = 1 << 18; // what a few decisions may need: new pages of a table and its indexes
const PROBE_MS = 1_000;
const PAUSE_MS = 1_000; // others wait twenty times as long before they take over
const EXPECTED = 'a folder for reviews';
const BUFFERS = '16MB'; // by default 128, all of which it clears at every start

export class EmbeddedDatabase implements Database {
  readonly isShared = false;
  readonly #pglite: PGlite;
  readonly #lock: LockFile;
  readonly #folder: string;
  readonly #data: string;
  #checkedAt = 0;
  #closing: Promise<void> | undefined;
  #probe: { readonly until: number; readonly passes: Promise<boolean> } | undefined;

  private constructor(pglite: PGlite, lock: LockFile, folder: string, data: string) {
    this.#pglite = pglite;
    this.#lock = lock;
    this.#folder = folder;
    this.#data = data;
  }

  /** `warn` hears of it when another process takes over. */
  static async open(folder: string, warn?: (message: string) => void): Promise<EmbeddedDatabase> {
    await prepareFolder(folder);
    const lock = await LockFile.take(join(folder, LOCK), (who) => inUse(folder, who)).catch((error) => {
      throw writeFailure(error, folder, EXPECTED);
    });
    let data: string | undefined;
    try {
      data = await claimData(folder, lock, async (draft) => (await start(draft)).close()).catch((error) => {
        throw writeFailure(error, folder, EXPECTED);
      });
      if (data === undefined) throw inUse(folder, 'another process');
      const pglite = await start(data);
      if (lock.isHeld()) await clearOlder(data);
      lock.onLost((who) => warn?.(lostTo(folder, who)));
      return new EmbeddedDatabase(pglite, lock, folder, data);
    } catch (error) {
      if (data !== undefined && lock.isHeld()) await leaveData(data);
      await lock.release();
      throw error;
    }
  }

  query<Row>(sql: string, params: readonly unknown[] = []): Promise<Row[]> {
    return this.#holding(async () => (await this.#pglite.query<Row>(sql, [...params])).rows);
  }

  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.#holding(() =>
      this.#pglite.transaction(async (inner) => {
        const query = async <Row>(sql: string, params: readonly unknown[] = []) => {
          this.#requireLockAfterPause();
          return (await inner.query<Row>(sql, [...params])).rows;
        };
        const result = await work({ query });
        this.#requireLockAfterPause();
        return result;
      }),
    );
  }

  async isThere(): Promise<boolean> {
    const answers = await this.query('select 1').then(
      () => true,
      () => false,
    );
    return answers && this.#takesWrites();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close().finally(() => this.#lock.release());
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (!this.#lock.isHeld()) return; // closing would write
    await this.#pglite.close();
    if (this.#lock.isHeld()) await leaveData(this.#data);
  }

  /** Asks the disk once a second at most, however often it is asked itself. */
  #takesWrites(): Promise<boolean> {
    const now = performance.now();
    if (this.#probe === undefined || now >= this.#probe.until) {
      this.#probe = { until: now + PROBE_MS, passes: isWritable(join(this.#folder, PROBE)) };
    }
    return this.#probe.passes;
  }

  /** What `work` gives, if it can be acknowledged. */
  async #holding<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#requireLockAfterPause();
    const result = await work().catch((error) => {
      if (!isFailure(error)) throw error;
      throw new UnavailableError(`${this.#folder} cannot be used: ${(error as Error).message}.`, { cause: error });
    });
    this.#requireLock();
    return result;
  }

  /** Shortens, but cannot close, the time in which a process that was paused writes to its folder: that is why it is its own. */
  #requireLockAfterPause(): void {
    if (Math.abs(Date.now() - this.#checkedAt) > PAUSE_MS) this.#requireLock();
  }

  #requireLock(): void {
    this.#checkedAt = this.#lock.isHeld() ? Date.now() : 0;
    if (this.#checkedAt > 0) return;
    throw new UnavailableError(`${this.#folder} cannot be used: another process took it over.`);
  }
}

/** Whether a file can be written that is as large as what decisions need. */
async function isWritable(path: string): Promise<boolean> {
  try {
    await writeFile(path, new Uint8Array(PROBE_BYTES));
    return true;
  } catch {
    return false;
  } finally {
    await rm(path, { force: true }).catch(() => {});
  }
}

/** Not a mistake in a query: the disk is full, or the database stopped. */
function isFailure(error: unknown): boolean {
  return /^(53|57|58|XX)/.test(sqlState(error) ?? '') || error instanceof WebAssembly.RuntimeError;
}

async function prepareFolder(folder: string): Promise<void> {
  await makeFolder(folder).catch((error) => {
    throw writeFailure(error, folder, EXPECTED);
  });
  const stranger = (await listFolder(folder)).find((name) => !isData(name) && !name.startsWith(LOCK));
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

function lostTo(folder: string, who: string): string {
  return (
    `${who} took over the reviews in ${folder} while this process was paused or silent. Reviews are answered with 503 from ` +
    'now on. Stop this process, or start it again with another store; several instances at once need a postgres:// URL.'
  );
}

async function start(data: string): Promise<PGlite> {
  const { PGlite } = await optional(
    'a folder of reviews',
    ['@electric-sql/pglite'],
    () => import('@electric-sql/pglite'),
  );
  try {
    const startParams = [...PGlite.defaultStartParams, '-c', `shared_buffers=${BUFFERS}`];
    return await withPatientCompiler(() => PGlite.create(data, { relaxedDurability: false, startParams }));
  } catch (error) {
    const got = `a database that does not open (${(error as Error).message})`;
    const cure = 'Make room if the disk is full; else put back a copy of the folder, or name another one.';
    throw new InputError({ file: data, got, expected: 'one that tagloom wrote', cure }, { cause: error });
  }
}

const BUDGET = '--wasm-tiering-budget';
const [PATIENCE, DEFAULT_PATIENCE] = [30_000_000, 1_800_000]; // of Node 20; later ones are patient by themselves
const IS_IMPATIENT = /^11\./.test(process.versions.v8);

/** A database that starts runs most of its code once or twice: optimising it takes longer than running it as it is. */
async function withPatientCompiler<Result>(work: () => Promise<Result>): Promise<Result> {
  if (!IS_IMPATIENT) return work();
  setFlagsFromString(`${BUDGET}=${PATIENCE}`);
  try {
    return await work();
  } finally {
    setFlagsFromString(`${BUDGET}=${DEFAULT_PATIENCE}`);
  }
}
