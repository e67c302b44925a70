// What every table reader (delimited text, Parquet, lists in memory) shares: which columns are wanted, what a row looks
// like to the code that takes it, and how names are cleaned. A row with a blank name is left out and counted.

import { basename, utf8Text } from '#platform';
import { InputError } from '../../errors.ts';
import type { Listener } from '../../listener.ts';
import { type Span, trimName } from '../name.ts';

export interface TableOptions extends Listener {
  /** Columns that may be blank without the row being left out. */
  readonly mayBeBlank?: readonly string[];
}

/** One row: `start[c]` and `end[c]` bound the trimmed field of wanted column c. Reused: copy what you keep. */
export interface Row {
  bytes: Uint8Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
  line: number;
}

export function fieldText(row: Row, column: number): string {
  return utf8Text(row.bytes, row.start[column], row.end[column]);
}

export interface SinkOptions extends TableOptions {
  /** What a row's number counts, for warnings; "on line" is the default. */
  readonly numbered?: 'on line' | 'in row';
}

/** Takes fields from a reader, hands whole rows to `onRow`. */
export class RowSink {
  readonly #path: string;
  readonly #columns: readonly string[];
  readonly #options: SinkOptions;
  readonly #onRow: (row: Row) => void;
  readonly #row: Row;
  readonly #span: Span = { start: 0, end: 0 };
  readonly #required: Uint8Array; // by column
  #blankColumn = -1; // of the current row
  #numBlank = 0;
  #firstBlank = '';

  constructor(path: string, columns: readonly string[], options: SinkOptions, onRow: (row: Row) => void) {
    this.#path = path;
    this.#columns = columns;
    this.#options = options;
    this.#onRow = onRow;
    this.#row = {
      bytes: new Uint8Array(0),
      start: new Int32Array(columns.length),
      end: new Int32Array(columns.length),
      line: 0,
    };
    this.#required = Uint8Array.from(columns, (column) => (options.mayBeBlank?.includes(column) ? 0 : 1));
  }

  begin(bytes: Uint8Array, line: number): void {
    this.#row.bytes = bytes;
    this.#row.line = line;
    this.#blankColumn = -1;
  }

  field(column: number, start: number, end: number): void {
    const span = this.#span;
    trimName(span, this.#row.bytes, start, end);
    this.#row.start[column] = span.start;
    this.#row.end[column] = span.end;
    if (span.start === span.end && this.#required[column] !== 0) this.#blankColumn = column;
  }

  end(): void {
    if (this.#blankColumn < 0) this.#onRow(this.#row);
    else if (this.#numBlank++ === 0)
      this.#firstBlank = `a blank ${this.#columns[this.#blankColumn]} ${this.#options.numbered ?? 'on line'} ${this.#row.line}`;
  }

  /** Says once, at the end of the file, how many rows were left out. */
  finish(): void {
    if (this.#numBlank === 0) return;
    const rows = this.#numBlank === 1 ? '1 row' : `${this.#numBlank} rows`;
    this.#options.warn?.(
      `${basename(this.#path)}: left out ${rows} with a blank name; the first has ${this.#firstBlank}.`,
    );
  }
}

const encoder = new TextEncoder();

/** Writes texts as rows into a sink, through one buffer that every row uses again: a sink wants bytes. */
export class TextRowWriter {
  readonly #sink: RowSink;
  readonly #end: Int32Array; // by column
  #bytes = new Uint8Array(1 << 10);

  constructor(sink: RowSink, numColumns: number) {
    this.#sink = sink;
    this.#end = new Int32Array(numColumns);
  }

  /** `textOf` gives the text of each column. */
  push(line: number, textOf: (column: number) => string): void {
    const numColumns = this.#end.length;
    let size = 0;
    for (let c = 0; c < numColumns; c++) {
      const text = textOf(c);
      const most = size + 3 * text.length; // a UTF-16 unit has at most three bytes
      if (most > this.#bytes.length) this.#grow(2 * most);
      size += encoder.encodeInto(text, this.#bytes.subarray(size)).written;
      this.#end[c] = size;
    }
    this.#sink.begin(this.#bytes, line);
    for (let c = 0; c < numColumns; c++) this.#sink.field(c, c === 0 ? 0 : this.#end[c - 1], this.#end[c]);
    this.#sink.end();
  }

  #grow(numBytes: number): void {
    const larger = new Uint8Array(numBytes);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Reads rows that a program holds in memory as if they stood in a table of that name: the same cleaning, the same warnings. */
export function readRows<Cells extends readonly unknown[]>(
  table: string,
  columns: readonly string[],
  rows: Iterable<Cells>,
  options: TableOptions,
  onRow: (row: Row, cells: Cells) => void,
): void {
  let cells: Cells;
  const sink = new RowSink(table, columns, { ...options, numbered: 'in row' }, (row) => onRow(row, cells));
  const writer = new TextRowWriter(sink, columns.length);
  let number = 0;
  const textOf = (column: number): string => {
    const cell = cells[column];
    if (typeof cell === 'string') return cell;
    const got = `a ${typeof cell} (${String(cell)}) as the ${columns[column]} in row ${number}`;
    throw new InputError({ file: table, got, expected: 'a string', cure: 'Convert it: String(value).' });
  };
  for (cells of rows) {
    number++;
    writer.push(number, textOf);
  }
  sink.finish();
}

/** Where each wanted column stands in the file. Names are matched without regard to case; their order is free. */
export function pickColumns(path: string, columns: readonly string[], header: readonly string[]): number[] {
  const names = header.map((name) => name.toLowerCase());
  return columns.map((column) => {
    const found = names.indexOf(column.toLowerCase());
    if (found < 0) {
      const shown = header.slice(0, 8).map((name) => JSON.stringify(name.slice(0, 60)));
      const cure = `Name a column "${column}" in the first line.`;
      throw new InputError({
        file: path,
        line: 1,
        got: `the columns ${shown.join(', ')}`,
        expected: wantedColumns(columns),
        cure,
      });
    }
    if (names.lastIndexOf(column.toLowerCase()) !== found) {
      const got = `two columns named "${column}"`;
      throw new InputError({ file: path, line: 1, got, expected: 'one', cure: 'Rename or remove one of them.' });
    }
    return found;
  });
}

export function wantedColumns(columns: readonly string[]): string {
  return `the column${columns.length === 1 ? '' : 's'} ${columns.map((column) => `"${column}"`).join(' and ')}`;
}
