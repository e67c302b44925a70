// The pairs of users and objects in a file of the run folder, where they are too many to hold: 4 bytes each, the users of one
// object after those of another. A fit reads them twice from their beginning to their end.

import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFailure } from '../file-failures.ts';
import type { CountedUsers } from '../graph/counted-users.ts';
import type { Listener } from '../listener.ts';
import type { TableEngine } from './engine.ts';
import { inOrder } from './load-tables.ts';
import { numberIn } from './run-stages.ts';

const NAME = 'users-of-objects.pairs';
const BLOCK = 2 ** 20; // pairs written at once

/** After `runStages` with the tables interact and user_weights. */
export async function writePairs(
  engine: TableEngine,
  folder: string,
  numObjects: number,
  listener: Listener,
): Promise<CountedUsers> {
  const numObjectsOf = await readCounts(engine, listener);
  const size = await numberIn(engine, 'SELECT count(*) AS n FROM interact', listener);
  const by = ['object_id', 'user_id'];
  const numUsersOf = new Int32Array(numObjects);
  const path = join(folder, NAME);
  const file = await open(path, 'w').catch((error) => {
    throw writeFailure(error, path, 'a file for the pairs of users and objects');
  });
  try {
    const block = new Int32Array(BLOCK);
    let [used, done] = [0, 0];
    const write = async () => {
      await file.writeFile(new Uint8Array(block.buffer, 0, 4 * used)).catch((error) => {
        throw writeFailure(error, path, 'a file for the pairs of users and objects');
      });
      used = 0;
    };
    for await (const { numRows, columns } of inOrder(
      engine,
      { table: 'interact', columns: by, by, size, numIds: numObjects },
      listener,
    )) {
      const [objects, users] = by.map((name) => columns.get(name) as Int32Array);
      for (let i = 0; i < numRows; i++) {
        numUsersOf[objects[i]]++;
        block[used++] = users[i];
        if (used === BLOCK) await write();
      }
      done += numRows;
      listener.progress?.('reading interact', done, size);
    }
    await write();
  } finally {
    await file.close();
  }
  return { numObjectsOf, numUsersOf, read: (at, length) => readPairs(path, at, length) };
}

/** By user how many objects. */
async function readCounts(engine: TableEngine, listener: Listener): Promise<Int32Array> {
  const size = await numberIn(engine, 'SELECT count(*) AS n FROM user_weights', listener);
  const counts = new Int32Array(size);
  const answer = { table: 'user_weights', columns: ['num_objects'], by: ['user_id'], size, numIds: size };
  let at = 0;
  for await (const { numRows, columns } of inOrder(engine, answer, listener)) {
    counts.set(columns.get('num_objects') as Int32Array, at);
    at += numRows;
  }
  return counts;
}

async function readPairs(path: string, at: number, length: number): Promise<Int32Array> {
  const pairs = new Int32Array(length);
  const bytes = new Uint8Array(pairs.buffer);
  const file = await open(path);
  try {
    for (let done = 0; done < bytes.length; ) {
      const { bytesRead } = await file.read(bytes, done, bytes.length - done, 4 * at + done);
      if (bytesRead === 0) throw new Error(`Got the end of ${path} when expected pair ${at + length}.`);
      done += bytesRead;
    }
  } finally {
    await file.close();
  }
  return pairs;
}
