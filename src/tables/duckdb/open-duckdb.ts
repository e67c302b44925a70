// DuckDB as a table engine: in this process, out of core. What does not fit into its memory limit goes to a temporary folder.

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { CancelledError, InputError } from '../../errors.ts';
import { writeFailure } from '../../file-failures.ts';
import { optional } from '../../optional.ts';
import type { ColumnBatch, RunOptions, TableEngine } from '../engine.ts';
import { batchOf, columnReaders } from './columns.ts';
import { duckdbFailure, type Limits } from './failures.ts';

export interface DuckdbOptions {
  /** Such as "4GB"; by default what DuckDB takes, four fifths of the machine's. */
  readonly memoryLimit?: string | undefined;
  /** What does not fit goes to a folder of its own in here, which is removed in the end; by default the system's. */
  readonly temporaryFolder?: string | undefined;
  /** By default all cores. */
  readonly threads?: number | undefined;
}

const PROGRESS_MS = 200; // between two looks at how far a statement is
const INTERRUPT_MS = 20; // between two interrupts of a statement that goes on

/** `close` it: its temporary folder goes then. */
export async function openDuckdb(options: DuckdbOptions = {}): Promise<TableEngine> {
  const { memoryLimit, threads } = options;
  const { DuckDBInstance } = await optional('--engine duckdb', ['@duckdb/node-api'], () => import('@duckdb/node-api'));
  if (memoryLimit !== undefined && numBytesOf(memoryLimit) === undefined) {
    const cure = 'Write it as 4GB or 500MB.';
    throw new InputError({ got: `a memory limit of "${memoryLimit}"`, expected: 'a number of bytes', cure });
  }
  const folder = await temporaryFolder(options.temporaryFolder ?? tmpdir());
  const instance = await DuckDBInstance.create(':memory:', {
    temp_directory: folder,
    preserve_insertion_order: 'false', // what has an order is sorted; keeping that of files costs memory
    ...(memoryLimit !== undefined && { memory_limit: memoryLimit }),
    ...(threads !== undefined && { threads: `${Math.max(1, threads)}` }),
  }).catch(async (error) => {
    await rm(folder, { recursive: true, force: true });
    throw duckdbFailure(error, { memoryLimit: memoryLimit ?? 'default', temporaryFolder: folder });
  });
  const connection = await instance.connect();
  await connection.run('SET enable_progress_bar = true; SET enable_progress_bar_print = false');
  return new Duckdb(instance, connection, { memoryLimit: memoryLimit ?? 'amount', temporaryFolder: folder });
}

const UNITS: Readonly<Record<string, number>> = {
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KIB: 2 ** 10,
  MIB: 2 ** 20,
  GIB: 2 ** 30,
  TIB: 2 ** 40,
};

/** The bytes of a size such as 4GB; undefined where it is none. */
export function numBytesOf(size: string): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([KMGT]i?B)$/i.exec(size.trim()) ?? [];
  return number === undefined ? undefined : Math.round(Number(number) * UNITS[unit.toUpperCase()]);
}

async function temporaryFolder(parent: string): Promise<string> {
  try {
    await mkdir(parent, { recursive: true });
    return await mkdtemp(join(parent, 'tagloom-duckdb-'));
  } catch (error) {
    throw writeFailure(error, parent, 'a folder for temporary tables');
  }
}

class Duckdb implements TableEngine {
  readonly name = 'duckdb';
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection; // one for all: temporary views belong to it
  readonly #limits: Limits;

  constructor(instance: DuckDBInstance, connection: DuckDBConnection, limits: Limits) {
    this.#instance = instance;
    this.#connection = connection;
    this.#limits = limits;
  }

  async run(sql: string, options: RunOptions = {}): Promise<void> {
    await this.#watched(options, () => this.#connection.run(sql));
  }

  async *query(sql: string, options: RunOptions = {}): AsyncIterable<ColumnBatch> {
    const result = await this.#watched(options, () => this.#connection.stream(sql));
    const [names, readers] = [result.columnNames(), columnReaders(result.columnTypes())];
    for (;;) {
      const chunk = await this.#watched(options, () => result.fetchChunk());
      if (chunk === null || chunk.rowCount === 0) return;
      yield batchOf(chunk, names, readers);
    }
  }

  async close(): Promise<void> {
    this.#connection.closeSync();
    this.#instance.closeSync();
    await rm(this.#limits.temporaryFolder, { recursive: true, force: true });
  }

  /** Interrupts the work where the signal says so, and says how far it is meanwhile. */
  async #watched<Result>({ signal, onProgress }: RunOptions, work: () => Promise<Result>): Promise<Result> {
    if (signal?.aborted) throw new CancelledError();
    let interrupting: NodeJS.Timeout | undefined;
    const interrupt = () => {
      // DuckDB forgets an interrupt that comes before the statement has begun
      interrupting = setInterval(() => this.#connection.interrupt(), INTERRUPT_MS);
      this.#connection.interrupt();
    };
    signal?.addEventListener('abort', interrupt, { once: true });
    const timer = onProgress && setInterval(() => this.#report(onProgress), PROGRESS_MS);
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted) throw new CancelledError();
      throw duckdbFailure(error, this.#limits);
    } finally {
      clearInterval(timer);
      clearInterval(interrupting);
      signal?.removeEventListener('abort', interrupt);
    }
  }

  /** DuckDB says -1 to the end where it knew nothing when it was asked first: then nothing is reported. */
  #report(onProgress: (share: number) => void): void {
    const { percentage } = this.#connection.progress;
    if (percentage >= 0) onProgress(Math.min(1, percentage / 100));
  }
}
