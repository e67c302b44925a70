// What curators decided, kept in a database. A review is of a pair of names, so it outlives any model. Who decides first wins,
// in the database and not in the program: a unique index over (object, tag) holds the reviews that were not undone.
//
// Those who write take turns, by a lock that lasts as long as their transaction. So a batch and what it finds in its way are
// seen at one moment, two batches never wait for each other in a circle, and ids and revisions become visible in their order:
// whoever has seen all changes up to a revision has to ask only for higher ones.

import { cleanName } from '../../data/name.ts';
import { InputError } from '../../errors.ts';
import type { Database, Queries } from './database.ts';
import { EmbeddedDatabase } from './embedded-database.ts';
import { LOCK_SPACE, migrate } from './migrations.ts';
import { ServerDatabase } from './server-database.ts';

/** What became of a suggestion. */
export type Decision = 'accept' | 'reject';

/** A decision as it is stored. */
export interface Review {
  readonly id: string;
  readonly object: string;
  readonly tag: string;
  readonly decision: Decision;
  readonly curator: string;
  /** ISO 8601, UTC. */
  readonly decidedAt: string;
  /** A whole number as text: every change of any review has a new one, higher than all before. */
  readonly revision: string;
}

/** A review as a change left it. */
export interface Change extends Review {
  readonly isUndone: boolean;
}

/** A decision to be stored. */
export interface NewReview {
  readonly object: string;
  readonly tag: string;
  readonly decision: Decision;
  /** Default ''. */
  readonly curator?: string | undefined;
}

/** A decision that was stored, or the earlier one it meets. */
export interface Decided {
  readonly review: Review;
  /** False: someone was first, and the review is theirs. */
  readonly isNew: boolean;
}

/** Which decisions to list. */
export interface ReviewFilter {
  readonly object?: string | undefined;
  readonly tag?: string | undefined;
  readonly decision?: Decision | undefined;
  /** The id of the last review of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
}

const WRITE_LOCK = 1;
const PAGE = 1000;
const MAX_BYTES = 2500; // of object and tag together: an entry of the index holds 2,704
const MAX_ID = 2n ** 63n - 1n;

// as text, since they may be too large for a number; to sort, say reviews.id: a plain id would be the text
const COLUMNS = 'id::text, object, tag, decision, curator, decided_at, undone_at, revision::text';

interface Row {
  readonly id: string;
  readonly object: string;
  readonly tag: string;
  readonly decision: Decision;
  readonly curator: string;
  readonly decided_at: Date;
  readonly undone_at: Date | null;
  readonly revision: string;
}

/** How a store of reviews is opened. */
export interface StoreOptions {
  /** Hears of what is not as it should be, such as another process that took over. */
  readonly warn?: ((message: string) => void) | undefined;
}

/** Decisions about suggestions, kept in a folder or on a PostgreSQL server. */
export class ReviewStore {
  readonly #database: Database;

  private constructor(database: Database) {
    this.#database = database;
  }

  /** `where`: a folder, or a postgres:// URL. Close it when done. */
  static async open(where: string, options: StoreOptions = {}): Promise<ReviewStore> {
    const database = await openDatabase(where, options);
    try {
      await migrate(database);
      return new ReviewStore(database);
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** Whether other instances may decide meanwhile. */
  get isShared(): boolean {
    return this.#database.isShared;
  }

  /** All or none; of several for one pair the first counts. Answers come in the order of the questions. */
  async decide(reviews: readonly NewReview[]): Promise<Decided[]> {
    const clean = reviews.map(cleaned);
    if (clean.length === 0) return [];
    const columns = (['object', 'tag', 'decision', 'curator'] as const).map((key) => clean.map((one) => one[key]));
    return this.#writing(async ({ query }) => {
      const added = await query<{ id: string }>(
        `insert into tagloom.reviews (object, tag, decision, curator)
        select object, tag, decision, curator
        from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality
          as new (object, tag, decision, curator, place) order by place
        on conflict (object, tag) where undone_at is null do nothing
        returning id::text`,
        columns,
      );
      const winners = await query<Row>(
        `select ${COLUMNS} from tagloom.reviews
        join unnest($1::text[], $2::text[]) with ordinality as asked (object, tag, place) using (object, tag)
        where undone_at is null order by place`,
        columns.slice(0, 2),
      );
      const fresh = new Set(added.map(({ id }) => id));
      // the first of several questions about a pair is the one that made the review
      return winners.map((row) => ({ review: toReview(row), isNew: fresh.delete(row.id) }));
    });
  }

  /** What was undone; undefined where there is no such review, or not any more. */
  async undo(id: string): Promise<Review | undefined> {
    if (!isId(id)) return undefined;
    return this.#writing(async ({ query }) => {
      const [row] = await query<Row>(
        `update tagloom.reviews set undone_at = clock_timestamp(), revision = nextval('tagloom.revisions')
        where id = $1 and undone_at is null returning ${COLUMNS}`,
        [id],
      );
      return row && toReview(row);
    });
  }

  /** Newest first. */
  async list({ object, tag, decision, after, limit }: ReviewFilter): Promise<Review[]> {
    if (after !== undefined && !isId(after)) {
      throw new InputError({
        got: `the id "${after}"`,
        expected: 'that of a review',
        cure: 'Begin at the first page.',
      });
    }
    const rows = await this.#database.query<Row>(
      `select ${COLUMNS} from tagloom.reviews
      where undone_at is null and ($1::text is null or object = $1) and ($2::text is null or tag = $2)
        and ($3::text is null or decision = $3) and ($4::bigint is null or id < $4)
      order by reviews.id desc limit $5`,
      [object && cleanText(object), tag && cleanText(tag), decision, after, limit].map((value) => value ?? null),
    );
    return rows.map(toReview);
  }

  /** The oldest first. */
  async *all(decision: Decision): AsyncGenerator<Review> {
    for (let last = '0'; ; ) {
      const rows = await this.#database.query<Row>(
        `select ${COLUMNS} from tagloom.reviews
        where undone_at is null and decision = $1 and id > $2 order by reviews.id limit $3`,
        [decision, last, PAGE],
      );
      yield* rows.map(toReview);
      if (rows.length < PAGE) return;
      last = rows[rows.length - 1].id;
    }
  }

  async counts(): Promise<{ accepted: number; rejected: number }> {
    const [{ accepted, rejected }] = await this.#database.query<{ accepted: string; rejected: string }>(
      `select (count(*) filter (where decision = 'accept'))::text as accepted,
        (count(*) filter (where decision = 'reject'))::text as rejected
      from tagloom.reviews where undone_at is null`,
    );
    return { accepted: Number(accepted), rejected: Number(rejected) };
  }

  /**
   * Reviews decided or undone after a revision, as they are now, in the order of their revisions; at most `limit`. Begin at 0
   * and go on from the last revision received: none is ever passed over, since revisions become visible in their order.
   */
  async changedSince(revision: bigint | number | string, limit = PAGE): Promise<Change[]> {
    const rows = await this.#database.query<Row>(
      `select ${COLUMNS} from tagloom.reviews where revision > $1 order by reviews.revision limit $2`,
      [String(revision), limit],
    );
    return rows.map((row) => ({ ...toReview(row), isUndone: row.undone_at !== null }));
  }

  isThere(): Promise<boolean> {
    return this.#database.isThere();
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  /** One after the other, over all instances. */
  #writing<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.#database.transaction(async (queries) => {
      await queries.query('select pg_advisory_xact_lock($1, $2)', [LOCK_SPACE, WRITE_LOCK]);
      return work(queries);
    });
  }
}

/** `where`: a folder, or a postgres:// URL. Close it when done. */
export async function openDatabase(where: string, { warn }: StoreOptions = {}): Promise<Database> {
  if (/^postgres(ql)?:\/\//i.test(where)) return ServerDatabase.open(where);
  const [, scheme] = /^([a-z][a-z0-9+.-]+):\/\//i.exec(where) ?? []; // never more of it: there may be a password
  if (scheme === undefined) return EmbeddedDatabase.open(where, warn);
  const expected = 'a folder or a postgres:// URL';
  throw new InputError({ got: `a ${scheme}:// URL for the reviews`, expected, cure: 'Name a folder.' });
}

function toReview(row: Row): Review {
  const { id, object, tag, decision, curator, decided_at, revision } = row;
  return { id, object, tag, decision, curator, decidedAt: decided_at.toISOString(), revision };
}

function cleaned({ object, tag, decision, curator = '' }: NewReview): Required<NewReview> {
  const clean = { object: cleanText(object), tag: cleanText(tag), decision, curator: cleanText(curator) };
  for (const key of ['object', 'tag'] as const) {
    if (clean[key] === '') throw new InputError({ got: `a blank ${key}`, expected: 'its name', cure: 'Name it.' });
  }
  const numBytes = Buffer.byteLength(clean.object) + Buffer.byteLength(clean.tag);
  if (numBytes > MAX_BYTES || Buffer.byteLength(clean.curator) > MAX_BYTES) {
    const expected = `${MAX_BYTES} bytes or less`;
    throw new InputError({ got: 'names that are too long', expected, cure: 'Use shorter names.' });
  }
  return clean;
}

/** As names are cleaned when data is read, so that they are the same; but a NUL is a mistake, and no database text holds it. */
function cleanText(text: string): string {
  if (!text.includes('\0')) return cleanName(text);
  const got = `${JSON.stringify(text.slice(0, 40))}, which holds a NUL`;
  throw new InputError({ got, expected: 'a name without it', cure: 'Remove the NUL.' });
}

function isId(text: string): boolean {
  return /^\d{1,19}$/.test(text) && BigInt(text) <= MAX_ID;
}
