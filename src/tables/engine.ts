// What a table engine does: it runs SQL and returns columns. Engines differ in a few words of their dialect (dialect.ts) and in nothing else.

/** A column of a batch: numbers in typed arrays, names as strings; null where SQL says so. */
export type Column =
  | Float64Array
  | Int32Array
  | BigInt64Array
  | readonly (string | null)[]
  | readonly (readonly unknown[] | null)[];

/** Rows of an answer, column by column. */
export interface ColumnBatch {
  readonly numRows: number;
  readonly columns: ReadonlyMap<string, Column>;
}

export interface TableEngine {
  readonly name: 'duckdb' | 'spark';
  /** A statement whose rows nobody reads. */
  run(sql: string, options?: RunOptions): Promise<void>;
  /** The rows of a query, in batches as they come. */
  query(sql: string, options?: RunOptions): AsyncIterable<ColumnBatch>;
  close(): Promise<void>;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  /** From 0 to 1, where the engine knows. */
  readonly onProgress?: (share: number) => void;
}
