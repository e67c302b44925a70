// Claims: cards of the queue that are in someone's hands, so that no two people work on the same one. A session (one tab, one
// program) holds a set of them for a while, and asking again renews or replaces it. Only the clock of the database counts.

import type { Database, Queries } from '../reviews/database.ts';
import { inTurn } from '../reviews/writing.ts';

/** A card of the queue. */
export interface ClaimPair {
  readonly object: string;
  readonly tag: string;
}

/** A card and who holds it. */
export interface HeldPair extends ClaimPair {
  /** Empty where nobody said. */
  readonly who: string;
}

/** What a session asks to hold. */
export interface ClaimAsked {
  readonly session: string;
  readonly who: string;
  readonly limit: number;
  /** What it could hold, the best first, in portions: undefined at the end. */
  readonly candidates: () => readonly ClaimPair[] | undefined;
}

/** What the session holds from now on; nothing else. */
export interface Claimed {
  readonly pairs: readonly ClaimPair[];
  /** By the clock of the database, ISO 8601 with microseconds. */
  readonly at: string;
  readonly until: string;
}

/** Someone at work, in how many sessions. */
export interface Presence {
  readonly who: string;
  readonly numSessions: number;
}

export const CLAIM_MS = 120_000;
const TIME = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`;
/** Pairs that someone else may not hold: unexpired claims of other sessions. */
const OF_OTHERS = 'claims.until > clock_timestamp() and claims.session <> $1';

/** Which cards are in whose hands. */
export class ClaimStore {
  readonly #database: Database;
  readonly #claimMs: number;

  constructor(database: Database, claimMs = CLAIM_MS) {
    this.#database = database;
    this.#claimMs = claimMs;
  }

  /** The first candidates that are open and that nobody else holds. */
  take({ session, who, limit, candidates }: ClaimAsked): Promise<Claimed> {
    return inTurn(this.#database, async (queries) => {
      const [{ at, until }] = await queries.query<{ at: string; until: string }>(
        `select to_char(now at time zone 'UTC', ${TIME}) as at,
          to_char((now + $1::float8 * interval '1 ms') at time zone 'UTC', ${TIME}) as until
        from (select clock_timestamp() as now) as clock`,
        [this.#claimMs],
      );
      await queries.query('delete from tagloom.claims where session = $1 or until <= clock_timestamp()', [session]);
      const pairs: ClaimPair[] = [];
      for (let some = candidates(); some !== undefined && pairs.length < limit; some = candidates())
        pairs.push(...(await takeSome(queries, some, [session, who, until, limit - pairs.length])));
      return { pairs, at, until };
    });
  }

  /** Gives how many it held. */
  release(session: string): Promise<number> {
    return inTurn(this.#database, async ({ query }) => {
      const rows = await query('delete from tagloom.claims where session = $1 returning 1', [session]);
      return rows.length;
    });
  }

  /** What others than a session hold. */
  async heldByOthers(session: string): Promise<HeldPair[]> {
    return this.#database.query<HeldPair>(
      `select object, tag, who from tagloom.claims where ${OF_OTHERS} order by who, object, tag`,
      [session],
    );
  }

  /** Who else is at work, by name. */
  async atWork(session: string): Promise<Presence[]> {
    const rows = await this.#database.query<{ who: string; sessions: string }>(
      `select who, count(distinct session)::text as sessions from tagloom.claims where ${OF_OTHERS}
      group by who order by who`,
      [session],
    );
    return rows.map(({ who, sessions }) => ({ who, numSessions: Number(sessions) }));
  }
}

/** In the order of the candidates. */
async function takeSome({ query }: Queries, candidates: readonly ClaimPair[], rest: readonly unknown[]) {
  const [session, who, until, limit] = rest;
  const objects = candidates.map(({ object }) => object);
  const taken = await query<ClaimPair>(
    `insert into tagloom.claims (object, tag, session, who, until)
    select object, tag, $1, $2, $3::timestamptz
    from (select distinct on (object, tag) object, tag, place
      from unnest($5::text[], $6::text[]) with ordinality as candidate (object, tag, place)
      order by object, tag, place) as candidate
    where not exists (select from tagloom.reviews where reviews.object = candidate.object
        and reviews.tag = candidate.tag and undone_at is null)
      and not exists (select from tagloom.claims where claims.object = candidate.object
        and claims.tag = candidate.tag)
    order by place limit $4
    returning object, tag`,
    [session, who, until, limit, objects, candidates.map(({ tag }) => tag)],
  );
  const keys = new Set(taken.map(keyOf));
  return candidates.filter((pair) => keys.delete(keyOf(pair))).map(({ object, tag }) => ({ object, tag }));
}

function keyOf({ object, tag }: ClaimPair): string {
  return `${object}\0${tag}`;
}

/** What was decided is in nobody's hands any more. */
export async function releasePairs({ query }: Queries, pairs: readonly ClaimPair[]): Promise<void> {
  await query(
    `delete from tagloom.claims using unnest($1::text[], $2::text[]) as decided (object, tag)
    where claims.object = decided.object and claims.tag = decided.tag`,
    [pairs.map(({ object }) => object), pairs.map(({ tag }) => tag)],
  );
}
