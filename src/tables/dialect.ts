// What differs between the SQL of DuckDB and of Spark: reading and writing files, text, and a row of numbers. Statements are
// written once (stages/) and ask a dialect for these few words.

import type { TableEngine } from './engine.ts';

/** The files of one table, all of one format. Paths may be globs. */
export interface TableFiles {
  readonly format: 'tsv' | 'csv' | 'parquet';
  readonly paths: readonly string[];
}

export interface Dialect {
  readonly name: TableEngine['name'];
  /** The type of text. */
  readonly text: string;
  literal(text: string): string;
  /** The name of a column that may be a word of SQL. */
  column(name: string): string;
  /** Statements after which the rows of files are a view. Columns of delimited files are text. */
  viewOf(name: string, files: TableFiles): string[];
  /** A statement that writes the rows of a query: to a file, or a folder of files, at this path. */
  writing(query: string, path: string): string;
  /** Every match of a regular expression becomes `by`; it must mean the same to RE2 and Java. */
  replaced(expression: string, pattern: string, by: string): string;
  /** A table of the whole numbers from `first` to `last`, in a column n. */
  numbers(first: number, last: number): string;
}

const SEPARATORS = { tsv: '\t', csv: ',' } as const;

class DuckdbDialect implements Dialect {
  readonly name = 'duckdb';
  readonly text = 'VARCHAR';

  literal(text: string): string {
    return `'${text.replaceAll("'", "''")}'`;
  }

  column(name: string): string {
    return `"${name}"`;
  }

  viewOf(name: string, { format, paths }: TableFiles): string[] {
    const list = `[${paths.map((path) => this.literal(path)).join(', ')}]`;
    return [`CREATE OR REPLACE TEMPORARY VIEW ${name} AS SELECT * FROM ${this.#reader(format, list)}`];
  }

  #reader(format: TableFiles['format'], list: string): string {
    if (format === 'parquet') return `read_parquet(${list}, union_by_name = true)`;
    const quotes = format === 'tsv' ? `quote = '', escape = ''` : `quote = '"', escape = '"'`;
    const separator = this.literal(SEPARATORS[format]);
    return `read_csv(${list}, delim = ${separator}, ${quotes}, header = true, all_varchar = true, union_by_name = true)`;
  }

  writing(query: string, path: string): string {
    return `COPY (\n${query}\n) TO ${this.literal(path)} (FORMAT parquet, COMPRESSION zstd)`;
  }

  replaced(expression: string, pattern: string, by: string): string {
    return `regexp_replace(${expression}, ${this.literal(pattern)}, ${this.literal(by)}, 'g')`;
  }

  numbers(first: number, last: number): string {
    return `(SELECT range AS n FROM range(${first}, ${last + 1}))`;
  }
}

class SparkDialect implements Dialect {
  readonly name = 'spark';
  readonly text = 'STRING';

  literal(text: string): string {
    return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\t', '\\t')}'`;
  }

  column(name: string): string {
    return `\`${name}\``;
  }

  /** A view has one path here: several files become as many views, and their union. */
  viewOf(name: string, { format, paths }: TableFiles): string[] {
    const nameOf = (i: number) => (paths.length === 1 ? name : `${name}_${i + 1}`);
    const views = paths.map((path, i) => {
      const options = [`path ${this.literal(path)}`, ...this.#options(format)].join(', ');
      const using = format === 'parquet' ? 'parquet' : 'csv';
      return `CREATE OR REPLACE TEMPORARY VIEW ${nameOf(i)} USING ${using} OPTIONS (${options})`;
    });
    if (paths.length === 1) return views;
    const rows = paths.map((_, i) => `SELECT * FROM ${nameOf(i)}`);
    return [...views, `CREATE OR REPLACE TEMPORARY VIEW ${name} AS ${rows.join(' UNION ALL ')}`];
  }

  #options(format: TableFiles['format']): string[] {
    if (format === 'parquet') return [];
    const quotes = format === 'tsv' ? [`quote ''`] : [`quote '"'`, `escape '"'`, `multiLine 'true'`];
    return [`header 'true'`, `sep ${this.literal(SEPARATORS[format])}`, ...quotes];
  }

  writing(query: string, path: string): string {
    return `INSERT OVERWRITE DIRECTORY ${this.literal(path)} USING parquet\n${query}`;
  }

  replaced(expression: string, pattern: string, by: string): string {
    return `regexp_replace(${expression}, ${this.literal(pattern)}, ${this.literal(by)})`;
  }

  numbers(first: number, last: number): string {
    return `(SELECT id AS n FROM range(${first}, ${last + 1}))`;
  }
}

export const DIALECTS: Readonly<Record<TableEngine['name'], Dialect>> = {
  duckdb: new DuckdbDialect(),
  spark: new SparkDialect(),
};

/** A number of double precision: plain decimals are something else in Spark. */
export function double(value: number): string {
  return value.toExponential();
}

// white space of Unicode, control characters and the marks that show nothing, as in data/name.ts
const BLANK =
  '[\\x{00}-\\x{20}\\x{7F}\\x{85}\\x{A0}\\x{1680}\\x{2000}-\\x{200F}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{2060}\\x{3000}\\x{FEFF}]';

/** A name as data/name.ts cleans it; blank where nothing is left. */
export function cleaned(dialect: Dialect, expression: string): string {
  const text = `CAST(${expression} AS ${dialect.text})`;
  const trimmed = dialect.replaced(text, `^${BLANK}+|${BLANK}+$`, '');
  return dialect.replaced(trimmed, '[\\x{00}-\\x{1F}\\x{7F}]', ' ');
}
