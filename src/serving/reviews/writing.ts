// How those who write take turns, over all instances: by a lock that lasts as long as their transaction. So ids and revisions
// become visible in their order, and what a writer has checked stays true until it is done.

import type { Database, Queries } from './database.ts';
import { LOCK_SPACE } from './migrations.ts';

const WRITE_LOCK = 1;

/** All of it or nothing, one after the other. */
export function inTurn<Result>(database: Database, work: (queries: Queries) => Promise<Result>): Promise<Result> {
  return database.transaction(async (queries) => {
    await queries.query('select pg_advisory_xact_lock($1, $2)', [LOCK_SPACE, WRITE_LOCK]);
    return work(queries);
  });
}
