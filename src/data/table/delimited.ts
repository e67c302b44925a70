// Delimited text, row by row, without making strings: tab-separated (quotes are ordinary characters), comma-separated
// (RFC 4180: quoted fields may hold commas, doubled quotes and line breaks) and MovieLens' "::". A row reaches its
// reader as bytes and field bounds; a row that does not fit stops the reading with its file and line.

import { isUtf8, utf8Text } from '#platform';
import { InputError } from '../../errors.ts';
import { pickColumns, type Row, RowSink, type TableOptions, wantedColumns } from './row.ts';
import { joined, nameOf, notUtf8, readChunks, readLatin1Chunks, type Source } from './source.ts';

export interface Format {
  /** One or two characters of ASCII. */
  readonly delimiter: string;
  readonly quotes: boolean;
}

export const TSV: Format = { delimiter: '\t', quotes: false };
export const CSV: Format = { delimiter: ',', quotes: true };
export const DOUBLE_COLON: Format = { delimiter: '::', quotes: false };

export interface DelimitedOptions extends TableOptions {
  readonly format: Format;
  /** The names of the columns, for a file whose first row is not a header. */
  readonly header?: readonly string[];
  readonly latin1?: boolean;
}

/** A record, its quotes included, may be this long: longer is a file that is not what its name says. */
export const MAX_RECORD_BYTES = 1 << 20;
const MAX_COLUMNS = 4096;
const [NEWLINE, RETURN, QUOTE] = [0x0a, 0x0d, 0x22];

/** Calls `onRow` for each row, with the wanted columns in the order asked for: see RowSink. */
export async function readDelimited(
  source: Source,
  columns: readonly string[],
  options: DelimitedOptions,
  onRow: (row: Row) => void,
): Promise<void> {
  const path = nameOf(source);
  const scanner = new Scanner(path, options.format);
  const sink = new RowSink(path, columns, options, onRow);
  let picks = options.header ? pickColumns(path, columns, options.header) : undefined;
  let numFields = options.header?.length ?? 0;

  const onRecord = () => {
    if (picks === undefined) {
      const header = scanner.fieldTexts();
      picks = pickColumns(path, columns, header);
      numFields = header.length;
      return;
    }
    if (scanner.numFields !== numFields) throw raggedRow(path, scanner, numFields, options.header);
    sink.begin(scanner.bytes, scanner.line);
    for (let c = 0; c < picks.length; c++) sink.field(c, scanner.fieldStart[picks[c]], scanner.fieldEnd[picks[c]]);
    sink.end();
  };

  const chunks = options.latin1 ? readLatin1Chunks(source, options) : readChunks(source, options);
  for await (const chunk of chunks) scanner.push(chunk, onRecord);
  scanner.finish(onRecord);
  sink.finish();
  if (picks === undefined) {
    const cure = 'Write a header row and the rows below it.';
    throw new InputError({ file: path, got: 'an empty file', expected: wantedColumns(columns), cure });
  }
}

/** The names of the columns, from as much of the file as holds them; an empty file has none. */
export async function readDelimitedHeader(source: Source, options: DelimitedOptions): Promise<string[]> {
  const scanner = new Scanner(nameOf(source), options.format);
  let header: string[] | undefined;
  const onRecord = () => {
    header ??= scanner.fieldTexts();
  };
  for await (const chunk of readChunks(source, options)) {
    scanner.push(chunk, onRecord);
    if (header !== undefined) return header;
  }
  scanner.finish(onRecord);
  return header ?? [];
}

/** Cuts bytes into records and fields. A record that is not finished waits for the next chunk. */
class Scanner {
  bytes: Uint8Array = new Uint8Array(0);
  readonly fieldStart = new Int32Array(MAX_COLUMNS);
  readonly fieldEnd = new Int32Array(MAX_COLUMNS);
  numFields = 0;
  line = 1; // of the first line of the current record
  #numLines = 1; // that the current record spans
  #openQuote = false; // the record ran out inside quotes
  readonly #path: string;
  readonly #delimiter0: number;
  readonly #delimiter1: number; // −1 where the delimiter is one byte
  readonly #quotes: boolean;

  constructor(path: string, format: Format) {
    this.#path = path;
    this.#delimiter0 = format.delimiter.charCodeAt(0);
    this.#delimiter1 = format.delimiter.length > 1 ? format.delimiter.charCodeAt(1) : -1;
    this.#quotes = format.quotes;
  }

  push(chunk: Uint8Array, onRecord: () => void): void {
    const isFirst = this.line === 1 && this.bytes.length === 0;
    this.bytes = this.bytes.length === 0 ? chunk : joined([this.bytes, chunk]);
    let at = isFirst && hasByteOrderMark(this.bytes) ? 3 : 0;
    this.#checkUtf8(at);
    for (;;) {
      const next = this.#quotes ? this.#scanQuoted(at) : this.#scanPlain(at);
      if (next < 0) break;
      if (!this.#isBlankLine(at)) onRecord();
      this.line += this.#numLines;
      at = next;
    }
    if (this.bytes.length - at > MAX_RECORD_BYTES) throw this.#tooLong();
    this.bytes = this.bytes.subarray(at);
  }

  /** The last record needs no line break. */
  finish(onRecord: () => void): void {
    if (this.bytes.length > 0) this.push(new Uint8Array([NEWLINE]), onRecord);
    if (this.bytes.length > 0) throw this.#unclosedQuote(); // nothing else is left waiting
  }

  fieldTexts(): string[] {
    return Array.from({ length: this.numFields }, (_, f) =>
      utf8Text(this.bytes, this.fieldStart[f], this.fieldEnd[f]).trim(),
    );
  }

  /** Finds the fields of the record at `at`; returns where the next begins, or −1 if this one is not finished. */
  #scanPlain(at: number): number {
    const { bytes, fieldStart, fieldEnd } = this;
    const [delimiter0, delimiter1] = [this.#delimiter0, this.#delimiter1];
    const length = bytes.length;
    let field = 0;
    let start = at;
    this.#numLines = 1;
    for (let i = at; i < length; i++) {
      const byte = bytes[i];
      if (byte === NEWLINE) {
        if (i - at > MAX_RECORD_BYTES) throw this.#tooLong();
        fieldStart[field] = start;
        fieldEnd[field] = i > start && bytes[i - 1] === RETURN ? i - 1 : i;
        this.numFields = field + 1;
        return i + 1;
      }
      if (byte === delimiter0 && (delimiter1 < 0 || bytes[i + 1] === delimiter1)) {
        fieldStart[field] = start;
        fieldEnd[field] = i;
        if (++field === MAX_COLUMNS) throw this.#tooManyColumns();
        if (delimiter1 >= 0) i++;
        start = i + 1;
      }
    }
    return -1;
  }

  /** The same with quotes. A quoted field is unquoted in place: doubled quotes close up to the left. */
  #scanQuoted(at: number): number {
    const { bytes, fieldStart, fieldEnd } = this;
    const end = this.#recordEnd(at);
    if (end < 0) return -1;
    if (end - at > MAX_RECORD_BYTES) throw this.#tooLong();
    let field = 0;
    let i = at;
    for (;;) {
      fieldStart[field] = i;
      let out = i;
      let quoted = false;
      for (; i < end; i++) {
        const byte = bytes[i];
        if (byte === QUOTE && (quoted || i === fieldStart[field])) {
          if (quoted && bytes[i + 1] === QUOTE) bytes[out++] = bytes[i++];
          else quoted = !quoted;
        } else if (byte === this.#delimiter0 && !quoted) break;
        else bytes[out++] = byte;
      }
      // at the end of the line, a carriage return belongs to the line break
      fieldEnd[field] = i === end && out > fieldStart[field] && bytes[out - 1] === RETURN ? out - 1 : out;
      if (++field === MAX_COLUMNS) throw this.#tooManyColumns();
      if (i === end) break;
      i++;
    }
    this.numFields = field;
    return end + 1;
  }

  /** Where the line break that ends the record stands, or −1; counts the lines it spans. */
  #recordEnd(at: number): number {
    const bytes = this.bytes;
    let quoted = false;
    let fieldBegins = true;
    this.#numLines = 1;
    for (let i = at; i < bytes.length; i++) {
      const byte = bytes[i];
      if (quoted) {
        if (byte === NEWLINE) this.#numLines++;
        else if (byte === QUOTE && bytes[i + 1] === QUOTE) i++;
        else if (byte === QUOTE) quoted = false;
      } else if (byte === NEWLINE) return i;
      else if (byte === QUOTE && fieldBegins) quoted = true;
      fieldBegins = !quoted && byte === this.#delimiter0;
    }
    this.#openQuote = quoted;
    return -1;
  }

  #isBlankLine(at: number): boolean {
    if (this.numFields > 1) return false;
    for (let i = Math.min(at, this.fieldStart[0]); i < this.fieldEnd[0]; i++) if (this.bytes[i] > 0x20) return false;
    return true;
  }

  /** All lines that are complete must be UTF-8; the rest waits. */
  #checkUtf8(at: number): void {
    const end = this.bytes.lastIndexOf(NEWLINE) + 1;
    if (isUtf8(this.bytes.subarray(at, end))) return;
    let line = this.line;
    for (let start = at; start < end; line++) {
      const next = this.bytes.indexOf(NEWLINE, start) + 1;
      if (!isUtf8(this.bytes.subarray(start, next))) throw notUtf8(this.#path, line);
      start = next;
    }
  }

  #tooLong(): InputError {
    if (this.#openQuote) return this.#unclosedQuote();
    const got = `a line of more than ${MAX_RECORD_BYTES.toLocaleString('en')} bytes`;
    const cure = 'Check that this is a text file with one row a line.';
    return new InputError({ file: this.#path, line: this.line, got, expected: 'shorter rows', cure });
  }

  #unclosedQuote(): InputError {
    const cure = 'Close the quote, or double a quote that is part of the text.';
    const got = 'a quoted field that does not end';
    return new InputError({ file: this.#path, line: this.line, got, expected: 'a closing quote', cure });
  }

  #tooManyColumns(): InputError {
    const got = `more than ${MAX_COLUMNS} fields`;
    const cure = 'Check the delimiter of this file.';
    return new InputError({ file: this.#path, line: this.line, got, expected: 'a row of named columns', cure });
  }
}

function hasByteOrderMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function raggedRow(path: string, scanner: Scanner, numFields: number, names?: readonly string[]): InputError {
  const shown = JSON.stringify(scanner.fieldTexts().join(' | ').slice(0, 60));
  return new InputError({
    file: path,
    line: scanner.line,
    got: `${scanner.numFields} field${scanner.numFields === 1 ? '' : 's'} (${shown})`,
    expected: names ? `${numFields}: ${names.join(', ')}` : `${numFields}, as in the header`,
    cure: 'Mend or remove this row; a name that holds the delimiter must be quoted in CSV.',
  });
}
