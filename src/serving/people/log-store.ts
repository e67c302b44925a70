// Who did what: a row for each action, written in the same transaction as what it tells, never changed. Other kinds of actions
// record themselves by one line: `await record(queries, [{ who, action: 'vocabulary.merge', tag }])`, inside `inTurn`.

import { InputError } from '../../errors.ts';
import type { Database, Queries } from '../reviews/database.ts';

/** An action to be recorded. */
export interface NewLogEntry {
  /** Empty where nobody said. */
  readonly who: string;
  /** One word, or two with a dot between: accept, user.add. */
  readonly action: string;
  readonly object?: string | undefined;
  readonly tag?: string | undefined;
  /** Whatever else belongs to it; never a secret. */
  readonly detail?: Readonly<Record<string, unknown>> | undefined;
}

/** An action as it was recorded. */
export interface LogEntry {
  readonly id: string;
  /** ISO 8601, UTC, by the clock of the database. */
  readonly at: string;
  readonly who: string;
  readonly action: string;
  readonly object?: string;
  readonly tag?: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Which entries to list. */
export interface LogFilter {
  /** '' finds the entries without a name. */
  readonly who?: string | undefined;
  /** One of these; all where undefined. */
  readonly actions?: readonly string[] | undefined;
  readonly object?: string | undefined;
  readonly tag?: string | undefined;
  /** From this time on. */
  readonly since?: Date | undefined;
  /** Before this time. */
  readonly until?: Date | undefined;
}

const PAGE = 1000;
const COLUMNS = 'id::text, at, who, action, object, tag, detail';
const MATCHES = `($1::text is null or who = $1) and ($2::text[] is null or action = any($2))
  and ($3::text is null or object = $3) and ($4::text is null or tag = $4)
  and ($5::float8 is null or at >= to_timestamp($5)) and ($6::float8 is null or at < to_timestamp($6))`;

/** In the order given. Call it inside `inTurn`: so entries become visible in the order of their ids. */
export async function record({ query }: Queries, entries: readonly NewLogEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await query(
    `insert into tagloom.log (who, action, object, tag, detail)
    select who, action, object, tag, detail::jsonb
    from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) with ordinality
      as new (who, action, object, tag, detail, place) order by place`,
    [
      entries.map(({ who }) => who),
      entries.map(({ action }) => action),
      entries.map(({ object = null }) => object),
      entries.map(({ tag = null }) => tag),
      entries.map(({ detail = {} }) => JSON.stringify(detail)),
    ],
  );
}

interface Row {
  readonly id: string;
  readonly at: Date;
  readonly who: string;
  readonly action: string;
  readonly object: string | null;
  readonly tag: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Who did what. */
export class LogStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Newest first; `after`: the id of the last entry of the page before. */
  async list(filter: LogFilter & { readonly after?: string | undefined; readonly limit: number }): Promise<LogEntry[]> {
    const { after, limit } = filter;
    if (after !== undefined && !/^\d{1,18}$/.test(after)) {
      const got = `the id ${JSON.stringify(after)}`;
      throw new InputError({ got, expected: 'that of an entry of the log', cure: 'Begin at the first page.' });
    }
    const rows = await this.#database.query<Row>(
      `select ${COLUMNS} from tagloom.log where ${MATCHES} and ($7::bigint is null or id < $7)
      order by log.id desc limit $8`,
      [...paramsOf(filter), after ?? null, limit],
    );
    return rows.map(toEntry);
  }

  /** The oldest first, from behind an entry on. */
  async after(id: string, limit: number, filter: LogFilter = {}): Promise<LogEntry[]> {
    const rows = await this.#database.query<Row>(
      `select ${COLUMNS} from tagloom.log where ${MATCHES} and id > $7 order by log.id limit $8`,
      [...paramsOf(filter), id, limit],
    );
    return rows.map(toEntry);
  }

  /** All that match, the oldest first, a page in memory at a time. */
  async *all(filter: LogFilter = {}): AsyncGenerator<LogEntry> {
    for (let last = '0'; ; ) {
      const entries = await this.after(last, PAGE, filter);
      yield* entries;
      if (entries.length < PAGE) return;
      last = entries[entries.length - 1].id;
    }
  }
}

function paramsOf({ who, actions, object, tag, since, until }: LogFilter): unknown[] {
  const seconds = (time: Date | undefined) => (time === undefined ? null : time.getTime() / 1000);
  return [who ?? null, actions ?? null, object ?? null, tag ?? null, seconds(since), seconds(until)];
}

function toEntry({ id, at, who, action, object, tag, detail }: Row): LogEntry {
  return {
    ...{ id, at: at.toISOString(), who, action },
    ...(object !== null && { object }),
    ...(tag !== null && { tag }),
    detail,
  };
}
