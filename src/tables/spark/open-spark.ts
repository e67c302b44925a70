// Tables on a Spark cluster, through Spark Connect (3.5 and newer). Statements run where the data is; only rows of answers come here.

import { InputError } from '../../errors.ts';
import { optional } from '../../optional.ts';
import type { ColumnBatch, RunOptions, TableEngine } from '../engine.ts';
import { type ChannelOptions, openChannel } from './channel.ts';
import { readColumns } from './columns.ts';
import { parseConnectionString, type SparkAddress } from './connection-string.ts';
import { explained } from './failures.ts';
import type { ExecuteResponse } from './messages.ts';
import { execute } from './operation.ts';
import { OPENING_DELAYS_MS } from './retries.ts';
import { Session, type SqlPlan } from './session.ts';

export interface SparkOptions extends ChannelOptions {
  /** Settings of the session, such as spark.sql.shuffle.partitions. */
  readonly config?: Readonly<Record<string, string>>;
  /** Pauses before a call to a server that does not answer is made again; more than a minute in all by default. */
  readonly retryDelaysMs?: readonly number[];
  /** The same for the first call. */
  readonly openingDelaysMs?: readonly number[];
}

/** Connects to a server, given as `sc://HOST:PORT/;name=value`, and makes a session on it. */
export async function openSpark(url: string, options: SparkOptions = {}): Promise<TableEngine> {
  const address = parseConnectionString(url);
  const flechette = await optional('Spark', ['@grpc/grpc-js', '@uwdata/flechette'], () => import('@uwdata/flechette'));
  const channel = await openChannel(address, options);
  const session = new Session(channel, address);
  const server = `sc://${address.target}`;
  const { openingDelaysMs = OPENING_DELAYS_MS, config = {} } = options;
  try {
    checkVersion(server, await session.version(openingDelaysMs));
    if (Object.keys(config).length > 0) await session.configure(config, openingDelaysMs);
  } catch (error) {
    const told = await explained(error, server, session);
    channel.close();
    throw told;
  }
  return new SparkEngine({
    address,
    server,
    session,
    options,
    close: () => channel.close(),
    read: (b) => readColumns(flechette, b),
  });
}

const OLDEST = [3, 5]; // streams can be reattached since

function checkVersion(server: string, version: string): void {
  const [major, minor] = version.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  throw new InputError({
    file: server,
    got: version === '' ? 'a server that does not tell its version' : `Spark ${version}`,
    expected: 'Spark 3.5 or newer',
    cure: 'Use a newer Spark.',
  });
}

interface Parts {
  readonly address: SparkAddress;
  /** The address without secrets. */
  readonly server: string;
  readonly session: Session;
  readonly options: SparkOptions;
  read(arrow: Uint8Array): ColumnBatch;
  close(): void;
}

class SparkEngine implements TableEngine {
  readonly name = 'spark';
  readonly #parts: Parts;
  readonly #running = new Set<AbortController>();
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async run(sql: string, options: RunOptions = {}): Promise<void> {
    const plan = { command: { sqlCommand: { sql, input: { sql: { query: sql } } } } };
    for await (const _ of this.#execute(plan, options)) {
      // the answers say only that it is done
    }
  }

  async *query(sql: string, options: RunOptions = {}): AsyncGenerator<ColumnBatch> {
    for await (const { arrowBatch } of this.#execute({ root: { sql: { query: sql } } }, options)) {
      if (arrowBatch?.data && arrowBatch.rowCount) yield this.#parts.read(arrowBatch.data);
    }
  }

  async *#execute(plan: SqlPlan, { signal, onProgress }: RunOptions): AsyncGenerator<ExecuteResponse> {
    if (this.#isClosed) throw new Error('The connection to Spark is closed.');
    const { session, server, options } = this.#parts;
    const stop = new AbortController();
    const onAbort = () => stop.abort();
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted) onAbort();
    this.#running.add(stop);
    const tell = onProgress && risingShare(onProgress);
    try {
      for await (const answer of execute(session, plan, { ...options, signal: stop.signal })) {
        tell?.(shareOf(answer));
        yield answer;
      }
      tell?.(1);
    } catch (error) {
      throw await explained(error, server, session);
    } finally {
      signal?.removeEventListener('abort', onAbort);
      this.#running.delete(stop);
    }
  }

  /** Stops what runs. The session ends, too, unless the address named one: that one is somebody else's. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const stop of this.#running) stop.abort();
    const { session, address, close } = this.#parts;
    if (address.sessionId === undefined) await session.release().catch(() => {}); // the server ends it after an hour
    close();
  }
}

/** Tasks done of those in the stages so far; undefined in answers of other kinds. */
function shareOf({ executionProgress }: ExecuteResponse): number | undefined {
  const stages = executionProgress?.stages ?? [];
  const numTasks = stages.reduce((sum, { numTasks = 0 }) => sum + numTasks, 0);
  if (numTasks === 0) return undefined;
  return stages.reduce((sum, { numCompletedTasks = 0 }) => sum + numCompletedTasks, 0) / numTasks;
}

/** Later stages make the share fall; nobody wants to see that. */
function risingShare(onProgress: (share: number) => void): (share: number | undefined) => void {
  let highest = 0;
  return (share) => {
    if (share === undefined || share <= highest) return;
    highest = share;
    onProgress(share);
  };
}
