// Opens the table engine that a person asked for.

import { totalmem } from 'node:os';
import { InputError } from '../errors.ts';
import { numBytesOf, openDuckdb } from './duckdb/open-duckdb.ts';
import type { TableEngine } from './engine.ts';
import { openSpark } from './spark/open-spark.ts';

export interface EngineRequest {
  readonly name: TableEngine['name'];
  /** Such as "4GB"; by default half of the machine's. */
  readonly memoryLimit?: string | undefined;
  readonly temporaryFolder?: string | undefined;
  readonly threads?: number | undefined;
  /** Of a Spark Connect server: sc://host:15002 */
  readonly spark?: string | undefined;
}

export interface OpenedEngine {
  readonly engine: TableEngine;
  /** Bytes that a statement should do with; undefined where the engine knows best. */
  readonly memory: number | undefined;
}

/** An overflow is an error, as it is by default since Spark 4. */
const SPARK_CONFIG = { 'spark.sql.ansi.enabled': 'true' };

/** The caller closes it. */
export async function openEngine(request: EngineRequest): Promise<OpenedEngine> {
  const { name, temporaryFolder, threads } = request;
  switch (name) {
    case 'duckdb': {
      const memoryLimit = request.memoryLimit ?? `${Math.round(machineMemory() / 2e6)}MB`;
      const engine = await openDuckdb({ memoryLimit, temporaryFolder, threads });
      return { engine, memory: numBytesOf(memoryLimit) };
    }
    case 'spark': {
      const { spark: url = '' } = request;
      if (url === '') {
        const cure = 'Add --spark sc://HOST:15002, or set SPARK_REMOTE.';
        throw new InputError({ got: '--engine spark without an address', expected: 'a Spark Connect server', cure });
      }
      return { engine: await openSpark(url, { config: SPARK_CONFIG }), memory: undefined };
    }
    default:
      return name satisfies never;
  }
}

/** Bytes that this process may have: the machine's, or those of its container. */
export function machineMemory(): number {
  const allowed = process.constrainedMemory();
  return allowed > 0 && allowed < totalmem() ? allowed : totalmem();
}
