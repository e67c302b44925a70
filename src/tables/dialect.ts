// What differs between the SQL of DuckDB and of Spark: reading and writing files, text, and a row of numbers. Statements are
// written once (stages/) and ask a dialect for these few words.

import { resolve, sep } from 'node:path';
import type { TableEngine } from './engine.ts';

/** What one table is read from: files, all of one format, or a table of a catalogue. */
export interface TableFiles {
  readonly format: 'tsv' | 'csv' | 'parquet' | 'table';
  /** Names, not globs. Of a catalogue's table: its quoted name. */
  readonly paths: readonly string[];
  /** A folder that holds these files and none of another table, where there is one: short to name, however many they are. */
  readonly folder?: string;
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
  /** A statement after which what `writing` left at `*.parquet` in a folder is a view. */
  viewOfWritten(name: string, folder: string): string;
  /** A sum of whole numbers that may exceed 64 bits. */
  wideSum(expression: string): string;
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
    const list = `[${paths.map((path) => this.literal(asIs(path))).join(', ')}]`;
    return [`CREATE OR REPLACE TEMPORARY VIEW ${name} AS SELECT * FROM ${this.#reader(format, list)}`];
  }

  #reader(format: TableFiles['format'], list: string): string {
    if (format === 'table') throw new Error('Got a table of a catalogue when expected files.'); // refused before
    if (format === 'parquet') return `read_parquet(${list}, union_by_name = true)`;
    const quotes = format === 'tsv' ? `quote = '', escape = ''` : `quote = '"', escape = '"'`;
    const separator = this.literal(SEPARATORS[format]);
    return `read_csv(${list}, delim = ${separator}, ${quotes}, header = true, all_varchar = true, union_by_name = true)`;
  }

  writing(query: string, path: string): string {
    return `COPY (\n${query}\n) TO ${this.literal(path)} (FORMAT parquet, COMPRESSION zstd)`;
  }

  viewOfWritten(name: string, folder: string): string {
    const files = this.literal(`${asIs(folder)}/*.parquet`);
    return `CREATE OR REPLACE TEMPORARY VIEW ${name} AS SELECT * FROM read_parquet(${files})`;
  }

  wideSum(expression: string): string {
    return `sum(${expression})`; // of 128 bits
  }

  replaced(expression: string, pattern: string, by: string): string {
    return `regexp_replace(${expression}, ${this.literal(pattern)}, ${this.literal(by)}, 'g')`;
  }

  numbers(first: number, last: number): string {
    return `(SELECT range AS n FROM range(${first}, ${last + 1}))`;
  }
}

/** A path of DuckDB in which no character stands for others. */
function asIs(path: string): string {
  return path.replace(/[*?[]/g, '[$&]');
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

  /** A view has one path here: a folder, or a glob that stands for all files. */
  viewOf(name: string, files: TableFiles): string[] {
    const { format, paths, folder } = files;
    const view = `CREATE OR REPLACE TEMPORARY VIEW ${name}`;
    if (format === 'table') return [`${view} AS SELECT * FROM ${paths[0]}`];
    const isFolder = folder !== undefined && paths.length > 1;
    const options = [
      `path ${this.literal(isFolder ? escaped(uriOf(folder)) : globOf(paths.map(uriOf)))}`,
      ...(isFolder ? [`recursiveFileLookup 'true'`, `pathGlobFilter '*.${format}*'`] : []),
      ...this.#options(format),
    ];
    return [`${view} USING ${format === 'parquet' ? 'parquet' : 'csv'} OPTIONS (${options.join(', ')})`];
  }

  /** A row with too few or too many fields is an error, and so is a file whose header is another: Spark would guess. */
  #options(format: 'tsv' | 'csv' | 'parquet'): string[] {
    if (format === 'parquet') return [`mergeSchema 'true'`];
    const quotes = format === 'tsv' ? [`quote ''`] : [`quote '"'`, `escape '"'`, `multiLine 'true'`];
    const strict = [`mode 'FAILFAST'`, `columnPruning 'false'`, `enforceSchema 'false'`];
    return [`header 'true'`, `sep ${this.literal(SEPARATORS[format])}`, ...quotes, ...strict];
  }

  writing(query: string, path: string): string {
    return `INSERT OVERWRITE DIRECTORY ${this.literal(uriOf(path))} USING parquet\n${query}`;
  }

  viewOfWritten(name: string, folder: string): string {
    const path = this.literal(`${escaped(uriOf(folder))}/*.parquet`);
    return `CREATE OR REPLACE TEMPORARY VIEW ${name} USING parquet OPTIONS (path ${path})`;
  }

  wideSum(expression: string): string {
    return `sum(CAST(${expression} AS DECIMAL(20, 0)))`;
  }

  replaced(expression: string, pattern: string, by: string): string {
    return `regexp_replace(${expression}, ${this.literal(pattern)}, ${this.literal(by)})`;
  }

  numbers(first: number, last: number): string {
    return `(SELECT id AS n FROM range(${first}, ${last + 1}))`;
  }
}

/** Whether a path is an address that only Spark opens: s3a://bucket/folder. */
export function isUri(path: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(path);
}

/** A path of this machine as an address: without a scheme, it would be one of the cluster's own file system. */
export function uriOf(path: string): string {
  return isUri(path) ? path : `file://${resolve(path).split(sep).join('/')}`;
}

/** Characters that would stand for others in a path of Spark. */
function escaped(path: string): string {
  return path.replace(/[\\*?[\]{},]/g, '\\$&');
}

function globOf(uris: readonly string[]): string {
  if (uris.length === 1) return escaped(uris[0]);
  const folder = commonFolder(uris);
  return `${escaped(folder)}{${uris.map((uri) => escaped(uri.slice(folder.length))).join(',')}}`;
}

/** The folder that paths share, with the slash behind it; '' where there is none. */
export function commonFolder(paths: readonly string[]): string {
  let end = 0;
  while (end < paths[0].length && paths.every((path) => path[end] === paths[0][end])) end++;
  return paths[0].slice(0, paths[0].lastIndexOf('/', end - 1) + 1);
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
