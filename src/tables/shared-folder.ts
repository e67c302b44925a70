// Whether Spark and this machine see the same folder, asked before hours of counting: each writes there, and the other looks.

import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CancelledError, InputError } from '../errors.ts';
import { writeFailure } from '../file-failures.ts';
import type { Listener } from '../listener.ts';
import { DIALECTS, uriOf } from './dialect.ts';
import type { TableEngine } from './engine.ts';
import { numberIn, optionsOf } from './run-stages.ts';
import { SparkError } from './spark/spark-error.ts';

const CURE =
  'Mount the folder at the same path on this machine, the server and all workers, or let Spark write elsewhere: --run-folder s3a://BUCKET/FOLDER.';
const NUM_FILES = 8; // so that, most likely, every worker writes one

/** Refuses a folder that only one side sees, or that Spark may not write to. */
export async function checkShared(engine: TableEngine, folder: string, listener: Listener): Promise<void> {
  const probe = join(folder, `_probe-${randomUUID()}`);
  try {
    await mkdir(join(probe, 'ours'), { recursive: true });
    for (let i = 0; i < NUM_FILES; i++) await writeFile(join(probe, 'ours', `${i}.csv`), 'seen\n1\n');
    await isSeenThere(engine, folder, join(probe, 'ours'), listener);
    await isSeenHere(engine, folder, join(probe, 'theirs'), listener);
  } catch (error) {
    throw writeFailure(error, folder, 'a folder for the tables of a run');
  } finally {
    await rm(probe, { recursive: true, force: true }).catch(() => {}); // files of another user stay
  }
}

async function isSeenThere(engine: TableEngine, folder: string, ours: string, listener: Listener): Promise<void> {
  const sql = `SELECT count(*) AS n FROM csv.\`${uriOf(ours).replaceAll('`', '``')}\``;
  const numSeen = await numberIn(engine, sql, listener).catch((error: unknown) => ignored(error));
  if (numSeen === 2 * NUM_FILES) return;
  throw notShared(folder, 'a folder that Spark does not see');
}

async function isSeenHere(engine: TableEngine, folder: string, theirs: string, listener: Listener): Promise<void> {
  const { spark } = DIALECTS;
  const query = `SELECT id FROM range(0, ${NUM_FILES}, 1, ${NUM_FILES})`;
  await engine.run(spark.writing(query, theirs), optionsOf(listener));
  const names = await readdir(theirs).catch(() => []);
  const numSeen = names.filter((name) => /^part-.*\.parquet$/.test(name)).length;
  if (numSeen === NUM_FILES) return;
  throw notShared(folder, 'a folder in which we do not see what Spark writes');
}

/** Not to find files is an answer; not to be there is none. */
function ignored(error: unknown): number {
  if (error instanceof CancelledError || !((error as Error).cause instanceof SparkError)) throw error;
  return 0;
}

function notShared(file: string, got: string): InputError {
  return new InputError({ file, got, expected: 'one that this machine and all workers share', cure: CURE });
}
