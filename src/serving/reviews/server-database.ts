// Reviews on a PostgreSQL server, through a pool of connections that makes new ones when the server comes back. Errors name
// the server and never the password.

import type { ClientBase, Pool } from 'pg';
import { InputError } from '../../errors.ts';
import { optional } from '../../optional.ts';
import { type Database, type Queries, sqlState, UnavailableError } from './database.ts';

export interface Patience {
  /** For a connection, a new one or one of the pool; 5,000 unless told. */
  readonly connectMs?: number;
  /** For a statement, on the server; 10,000 unless told. */
  readonly statementMs?: number;
}

const MORE_MS = 5_000; // that we wait longer than the server does: it may hang
const MAX_CONNECTIONS = 8;
const FULL_MS = 10_000; // after this, someone may try again: how full the disk of a server is cannot be asked

export class ServerDatabase implements Database {
  readonly isShared = true;
  readonly #pool: Pool;
  readonly #name: string;
  #fullAt: number | undefined; // when a write failed for want of room, unless one succeeded since
  #closing: Promise<void> | undefined;

  private constructor(pool: Pool, name: string) {
    this.#pool = pool;
    this.#name = name;
  }

  static async open(url: string, patience: Patience = {}): Promise<ServerDatabase> {
    const { connectMs = 5_000, statementMs = 10_000 } = patience;
    const answerMs = statementMs + MORE_MS;
    const name = nameOf(url);
    const { Pool } = (await optional('reviews on a PostgreSQL server', ['pg'], () => import('pg'))).default;
    const pool = new Pool({
      connectionString: url,
      application_name: 'tagloom',
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: connectMs,
      statement_timeout: statementMs,
      query_timeout: answerMs,
      idle_in_transaction_session_timeout: answerMs, // whoever hangs there would keep others from writing
      keepAlive: true,
    });
    // a lost connection leaves the pool by itself; without listeners it would end the program
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    const database = new ServerDatabase(pool, name);
    try {
      await database.#checkEntry();
      return database;
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  async query<Row>(sql: string, params: readonly unknown[] = []): Promise<Row[]> {
    try {
      return (await this.#pool.query(sql, [...params])).rows as Row[];
    } catch (error) {
      throw this.#translated(error);
    }
  }

  async transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect().catch((error) => {
      throw this.#translated(error);
    });
    let isBroken = false;
    try {
      await client.query('begin');
      const result = await work(queriesOf(client));
      await client.query('commit');
      this.#fullAt = undefined;
      return result;
    } catch (error) {
      const failure = this.#translated(error);
      isBroken = failure instanceof UnavailableError;
      if (isFull(error)) this.#fullAt = performance.now();
      if (!isBroken) await client.query('rollback').catch(() => (isBroken = true));
      throw failure;
    } finally {
      client.release(isBroken);
    }
  }

  isThere(): Promise<boolean> {
    return this.#pool.query('select 1').then(
      () => this.#fullAt === undefined || performance.now() - this.#fullAt > FULL_MS,
      () => false,
    );
  }

  close(): Promise<void> {
    this.#closing ??= this.#pool.end();
    return this.#closing;
  }

  /** What is wrong for good is found when opening: later, the same errors mean that somebody is at work on the server. */
  async #checkEntry(): Promise<void> {
    const expected = 'a PostgreSQL server that lets us in';
    const result = await this.#pool.query("select current_setting('server_encoding') as encoding").catch((error) => {
      const problem = entryProblem(error);
      if (problem === undefined) throw this.#translated(error);
      throw new InputError({ file: this.#name, got: problem.got, expected, cure: problem.cure });
    });
    const { encoding } = result.rows[0];
    if (encoding === 'UTF8') return;
    const cure = 'Make a database with the encoding UTF8: createdb -E UTF8 -T template0 NAME.';
    throw new InputError({ file: this.#name, got: `a database in ${encoding}`, expected: 'UTF8', cure });
  }

  #translated(error: unknown): unknown {
    if (!isAbsence(error)) return error;
    const reason = (error as Error).message || (error as { code?: string }).code;
    return new UnavailableError(`${this.#name} does not answer: ${reason}.`, { cause: error });
  }
}

function queriesOf(client: ClientBase): Queries {
  return {
    query: async <Row>(sql: string, params: readonly unknown[] = []) =>
      (await client.query(sql, [...params])).rows as Row[],
  };
}

/** The server and the database of a URL: what may be shown. */
function nameOf(url: string): string {
  try {
    const { host, pathname } = new URL(url.replace('@/', '@localhost/')); // "user@/name" means a socket
    return `postgres://${host}${pathname}`;
  } catch {
    const cure = 'Write it as postgres://USER:PASSWORD@HOST:5432/DATABASE, special characters as %XX.';
    throw new InputError({ got: 'a database URL that cannot be read', expected: 'a postgres:// URL', cure });
  }
}

function entryProblem(error: unknown): { got: string; cure: string } | undefined {
  const state = sqlState(error) ?? '';
  const { message } = error as Error;
  if (state.startsWith('28') || message.startsWith('SASL')) {
    return { got: `"${message}"`, cure: 'Check user and password in the URL.' };
  }
  if (state === '3D000') return { got: `"${message}"`, cure: 'Make it: createdb -E UTF8 NAME.' };
  if (/SSL|certificate/i.test(message)) return { got: `"${message}"`, cure: 'Check sslmode in the URL.' };
  return undefined;
}

/** The disk is full or memory used up, or it became a standby, which takes no writes. */
function isFull(error: unknown): boolean {
  const state = sqlState(error) ?? '';
  return state.startsWith('53') || state === '25006';
}

const ABSENT_CODES = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'ENOENT', 'EACCES'], // of the host's name, of a socket's file
]);
const ABSENT_STATES = [
  ...['08', '28', '3D000'], // connection lost; no entry (any more)
  ...['53', '57', '58'], // out of resources; shut down or timed out; system error
  ...['25006', '40001', '40P01', '55P03'], // a standby; conflicts that pass
];
const ABSENT_MESSAGE =
  /^(Connection terminated|Connection ended|timeout exceeded|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed)/i;

function isAbsence(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const state = sqlState(error);
  if (state !== undefined && ABSENT_STATES.some((start) => state.startsWith(start))) return true;
  return ABSENT_CODES.has((error as NodeJS.ErrnoException).code ?? '') || ABSENT_MESSAGE.test(error.message);
}
