// What curators decided, kept in a database. A review is of a pair of names, so it outlives any model. Who decides first wins,
// in the database and not in the program: a unique index over (object, tag) holds the reviews that were not undone. Only an
// "unsure" gives way: the first verdict after it takes its place.
//
// Those who write take turns, by a lock that lasts as long as their transaction. So a batch and what it finds in its way are
// seen at one moment, two batches never wait for each other in a circle, and ids and revisions become visible in their order:
// whoever has seen all changes up to a revision has to ask only for higher ones.

import { InputError } from '../../errors.ts';
import { ClaimStore, releasePairs } from '../people/claim-store.ts';
import { LogStore, type NewLogEntry, record } from '../people/log-store.ts';
import { UserStore } from '../people/user-store.ts';
import { ChangeTable } from '../vocabulary/change-table.ts';
import { VocabularyStore } from '../vocabulary/vocabulary-store.ts';
import { WebhookStore } from '../webhooks/webhook-store.ts';
import { type CleanReview, COLUMNS_OF_NEW, cleaned, cleanText } from './clean-review.ts';
import type { Database, Queries } from './database.ts';
import { EmbeddedDatabase } from './embedded-database.ts';
import { migrate } from './migrations.ts';
import { ServerDatabase } from './server-database.ts';
import { inTurn } from './writing.ts';

/** A decision that counts: the object has the tag, or it has not. */
export type Verdict = 'accept' | 'reject';

/** What became of a suggestion. `unsure` puts it aside: it changes no tags and gives way to any verdict. */
export type Decision = Verdict | 'unsure';

/** A decision as it is stored. */
export interface Review {
  readonly id: string;
  readonly object: string;
  readonly tag: string;
  readonly decision: Decision;
  readonly curator: string;
  /** What the curator wrote about it; may be empty. */
  readonly note: string;
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
  /** At most 1,000 characters; default ''. */
  readonly note?: string | undefined;
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
  /** Who decided; '' finds the reviews without a name. */
  readonly curator?: string | undefined;
  /** Only decisions from this time on. */
  readonly since?: Date | undefined;
  /** The id of the last review of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Decisions by kind. */
export interface DecisionCounts {
  readonly accepted: number;
  readonly rejected: number;
  readonly unsure: number;
}

/** Someone who decided, and on how many. */
export interface CuratorCount {
  /** '' for all who gave no name. */
  readonly curator: string;
  readonly numReviews: number;
}

const PAGE = 1000;
const MAX_ID = 2n ** 63n - 1n;

// as text, since they may be too large for a number; to sort, say reviews.id: a plain id would be the text
const COLUMNS = 'id::text, object, tag, decision, curator, note, decided_at, undone_at, revision::text';

interface Row {
  readonly id: string;
  readonly object: string;
  readonly tag: string;
  readonly decision: Decision;
  readonly curator: string;
  readonly note: string;
  readonly decided_at: Date;
  readonly undone_at: Date | null;
  readonly revision: string;
}

/** How a store of reviews is opened. */
export interface StoreOptions {
  /** Hears of what is not as it should be, such as another process that took over. */
  readonly warn?: ((message: string) => void) | undefined;
  /** For how long a card of the queue is held; default two minutes. */
  readonly claimMs?: number | undefined;
}

/** Decisions about suggestions, kept in a folder or on a PostgreSQL server. */
export class ReviewStore {
  readonly users: UserStore;
  readonly claims: ClaimStore;
  readonly log: LogStore;
  readonly webhooks: WebhookStore;
  /** What is declared about tags; closed with the reviews. @internal */
  readonly vocabulary: VocabularyStore;
  readonly #database: Database;

  private constructor(database: Database, { claimMs }: StoreOptions) {
    this.#database = database;
    this.users = new UserStore(database);
    this.claims = new ClaimStore(database, claimMs);
    this.log = new LogStore(database);
    this.webhooks = new WebhookStore(database);
    this.vocabulary = new VocabularyStore({
      read: (work) => work(new ChangeTable(database)),
      write: (work) => inTurn(database, (queries) => work(new ChangeTable(queries))),
    });
  }

  /** `where`: a folder, or a postgres:// URL. Close it when done. */
  static async open(where: string, options: StoreOptions = {}): Promise<ReviewStore> {
    const database = await openDatabase(where, options);
    try {
      await migrate(database);
      return new ReviewStore(database, options);
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** Whether other instances may decide meanwhile. */
  get isShared(): boolean {
    return this.#database.isShared;
  }

  /**
   * All or none; of several for one pair the first counts. Answers come in the order of the questions. A verdict on what
   * someone was unsure about undoes that review and takes its place.
   */
  async decide(reviews: readonly NewReview[]): Promise<Decided[]> {
    const clean = reviews.map(cleaned);
    if (clean.length === 0) return [];
    const columns = COLUMNS_OF_NEW.map((key) => clean.map((one) => one[key]));
    return inTurn(this.#database, async (queries) => {
      const { query } = queries;
      const given = await giveWay(queries, clean);
      const added = await query<{ id: string }>(
        `insert into tagloom.reviews (object, tag, decision, curator, note)
        select object, tag, decision, curator, note
        from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) with ordinality
          as new (object, tag, decision, curator, note, place) order by place
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
      const decided = winners.map((row) => ({ review: toReview(row), isNew: fresh.delete(row.id) }));
      const ours = decided.filter(({ isNew }) => isNew).map(({ review }) => review);
      await record(queries, [...given, ...ours.map((review) => entryOf(review, review.decision, review.curator))]);
      await releasePairs(queries, clean);
      return decided;
    });
  }

  /** What `who` undid; undefined where there is no such review, or not any more. */
  async undo(id: string, who = ''): Promise<Review | undefined> {
    if (!isId(id)) return undefined;
    const name = cleanText(who);
    return inTurn(this.#database, async (queries) => {
      const [row] = await queries.query<Row>(
        `update tagloom.reviews
        set undone_at = clock_timestamp(), undone_by = $2, revision = nextval('tagloom.revisions')
        where id = $1 and undone_at is null returning ${COLUMNS}`,
        [id, name],
      );
      if (row === undefined) return undefined;
      await record(queries, [entryOf(toReview(row), 'undo', name)]);
      return toReview(row);
    });
  }

  /** Newest first. */
  async list({ object, tag, decision, curator, since, after, limit }: ReviewFilter): Promise<Review[]> {
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
        and ($3::text is null or decision = $3) and ($4::text is null or curator = $4)
        and ($5::float8 is null or decided_at >= to_timestamp($5)) and ($6::bigint is null or id < $6)
      order by reviews.id desc limit $7`,
      [
        ...[object && cleanText(object), tag && cleanText(tag), decision, curator && cleanText(curator)],
        ...[since && secondsOf(since), after, limit],
      ].map((value) => value ?? null),
    );
    return rows.map(toReview);
  }

  /** The oldest first. */
  async *all(decision: Verdict): AsyncGenerator<Review> {
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

  /** What was decided and not undone, of all time and everyone unless told otherwise. */
  async counts({ since, curator }: Pick<ReviewFilter, 'since' | 'curator'> = {}): Promise<DecisionCounts> {
    const rows = await this.#database.query<{ decision: Decision; count: string }>(
      `select decision, count(*)::text as count from tagloom.reviews
      where undone_at is null and ($1::float8 is null or decided_at >= to_timestamp($1))
        and ($2::text is null or curator = $2)
      group by decision`,
      [since && secondsOf(since), curator && cleanText(curator)].map((value) => value ?? null),
    );
    const numOf = (decision: Decision) => Number(rows.find((row) => row.decision === decision)?.count ?? 0);
    return { accepted: numOf('accept'), rejected: numOf('reject'), unsure: numOf('unsure') };
  }

  /** The tags that at least so many objects were given, by name. */
  async tagsGiven(least: number): Promise<string[]> {
    const rows = await this.#database.query<{ tag: string }>(
      `select tag from tagloom.reviews where undone_at is null and decision = 'accept'
      group by tag having count(*) >= $1 order by tag`,
      [least],
    );
    return rows.map(({ tag }) => tag);
  }

  /** Those who decided on most first. */
  async curators(limit: number): Promise<CuratorCount[]> {
    const rows = await this.#database.query<{ curator: string; count: string }>(
      `select curator, count(*)::text as count from tagloom.reviews where undone_at is null
      group by curator order by count(*) desc, curator limit $1`,
      [limit],
    );
    return rows.map(({ curator, count }) => ({ curator, numReviews: Number(count) }));
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

  /** That of the last change of any review; '0' before the first. */
  async lastRevision(): Promise<string> {
    const [{ revision }] = await this.#database.query<{ revision: string }>(
      'select coalesce(max(revision), 0)::text as revision from tagloom.reviews',
    );
    return revision;
  }

  isThere(): Promise<boolean> {
    return this.#database.isThere();
  }

  close(): Promise<void> {
    return this.#database.close();
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

/**
 * Undoes what others were unsure about and a verdict comes for now; of several about a pair the first is the one that counts.
 * Gives what to record of it.
 */
async function giveWay({ query }: Queries, reviews: readonly CleanReview[]): Promise<NewLogEntry[]> {
  const firsts = new Map<string, CleanReview>();
  for (const one of reviews) {
    const key = `${one.object}\0${one.tag}`;
    if (!firsts.has(key)) firsts.set(key, one);
  }
  const verdicts = [...firsts.values()].filter(({ decision }) => decision !== 'unsure');
  const given = await query<Row & { readonly undone_by: string }>(
    `update tagloom.reviews
    set undone_at = clock_timestamp(), undone_by = verdict.who, revision = nextval('tagloom.revisions')
    from unnest($1::text[], $2::text[], $3::text[]) as verdict (object, tag, who)
    where reviews.object = verdict.object and reviews.tag = verdict.tag
      and undone_at is null and decision = 'unsure'
    returning reviews.id::text, reviews.object, reviews.tag, decision, curator, note, decided_at, undone_at,
      revision::text, undone_by`,
    [verdicts.map(({ object }) => object), verdicts.map(({ tag }) => tag), verdicts.map(({ curator }) => curator)],
  );
  return given.map((row) => entryOf(toReview(row), 'undo', row.undone_by));
}

/** What is recorded of a decision, or of its undoing. */
function entryOf({ id, object, tag, decision, note, revision }: Review, action: string, who: string): NewLogEntry {
  const isUndo = action === 'undo';
  const detail = { review: id, revision, ...(isUndo && { decision }), ...(!isUndo && note !== '' && { note }) };
  return { who, action, object, tag, detail };
}

function toReview(row: Row): Review {
  const { id, object, tag, decision, curator, note, decided_at, revision } = row;
  return { id, object, tag, decision, curator, note, decidedAt: decided_at.toISOString(), revision };
}

/** As PostgreSQL counts them: any date of JavaScript's is a time of its own. */
function secondsOf(time: Date): number {
  return time.getTime() / 1000;
}

function isId(text: string): boolean {
  return /^\d{1,19}$/.test(text) && BigInt(text) <= MAX_ID;
}
