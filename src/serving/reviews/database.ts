// What a database is to the reviews, whichever it is: queries, transactions, and an error for when it is away.

/** The database does not answer now: it is away, too slow or full. Trying again later may help. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}

/** Where statements are sent. */
export interface Queries {
  /** One statement; its parameters are $1, $2, … */
  query<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
}

/** A PostgreSQL, embedded or a server. */
export interface Database extends Queries {
  /** Whether other programs may write to it meanwhile. */
  readonly isShared: boolean;
  /** All of it or, where anything throws, nothing. */
  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /** Whether it answers, and can be written to as far as anyone knows. */
  isThere(): Promise<boolean>;
  close(): Promise<void>;
}

/** The five characters a database gives its errors, if this is one of them (SQLSTATE). */
export function sqlState(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}
