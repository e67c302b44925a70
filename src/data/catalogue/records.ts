// Delimited text as records and fields, with their places: what reads a catalogue takes the texts of fields, and what writes it
// back copies everything but the cells it changes. Quotes follow RFC 4180; a backslash may escape a quote instead. Nothing is
// refused but a quote that never closes: what a record with too many fields means is for the reader to decide.

import { utf8Text } from '#platform';
import { InputError } from '../../errors.ts';
import { joined } from '../table/source.ts';
import { lastCharacterStart } from './encoding.ts';

/** How records and fields are told apart. All characters are ASCII. */
export interface RecordFormat {
  readonly delimiter: string;
  /** Whether `"` encloses fields. */
  readonly quotes: boolean;
  /** What stands before a quote that is part of the text: another quote, or a backslash. */
  readonly escape: '"' | '\\';
  readonly lineEnd: '\n' | '\r\n' | '\r';
}

/** Longer cells are cut here: a description has thousands of characters, not millions. */
export const MAX_CELL_BYTES = 1 << 20;
const MAX_RECORD_BYTES = 1 << 26;
const [NEWLINE, RETURN, QUOTE, BACKSLASH, SPACE] = [0x0a, 0x0d, 0x22, 0x5c, 0x20];

/** Cuts UTF-8 into records. A record that is not finished waits for the next chunk. */
export class RecordScanner {
  /** Where the current record is: all places below are places in here. Valid during `onRecord`. */
  bytes: Uint8Array = new Uint8Array(0);
  start = 0;
  /** Behind the last field; the line break follows. */
  end = 0;
  /** Behind the line break: `bytes.subarray(start, next)` is the record as it stands in the file. */
  next = 0;
  numFields = 0;
  /** Bounds of field f, its quotes included. */
  fieldStart: Int32Array = new Int32Array(64);
  fieldEnd: Int32Array = new Int32Array(64);
  spanStart = 0;
  spanEnd = 0;
  /** The line that the record begins on, from 1. */
  line = 1;
  /** Cells that were cut because they are longer than MAX_CELL_BYTES. */
  numCut = 0;
  /** Called for blank lines, which are no records, for whoever copies them. */
  onBlank: (() => void) | undefined;
  readonly #path: string;
  readonly #format: RecordFormat;
  readonly #delimiter: number;
  readonly #lineEnd: number;
  #numLines = 1; // that the current record spans
  #waiting: Uint8Array[] = []; // chunks that are not yet part of `bytes`
  #numWaiting = 0; // bytes in them

  constructor(path: string, format: RecordFormat) {
    this.#path = path;
    this.#format = format;
    this.#delimiter = format.delimiter.charCodeAt(0);
    this.#lineEnd = format.lineEnd === '\r' ? RETURN : NEWLINE;
  }

  /** Calls back for every record that is not blank. */
  push(chunk: Uint8Array, onRecord: () => void): void {
    this.#waiting.push(chunk);
    this.#numWaiting += chunk.length;
    // a long record is looked at again when twice as much of it is there, not with every chunk
    if (this.#numWaiting >= this.bytes.length) this.#scan(onRecord);
  }

  /** The last record needs no line break. A quote that is still open is an error, unless only a part of the file was pushed. */
  finish(onRecord: () => void, isWhole = true): void {
    this.#scan(onRecord);
    if (!isWhole || this.bytes.length === 0) return;
    this.#waiting.push(Uint8Array.of(this.#lineEnd));
    this.#scan(onRecord);
    if (this.bytes.length > 0) throw this.#unclosedQuote();
  }

  /** The text of a field, without its quotes. */
  fieldText(field: number): string {
    const { bytes } = this;
    let [start, end] = [this.fieldStart[field], this.fieldEnd[field]];
    const isQuoted = this.#format.quotes && end > start && bytes[start] === QUOTE;
    if (end - start > MAX_CELL_BYTES) {
      this.numCut++;
      end = start + lastCharacterStart(bytes.subarray(start, start + MAX_CELL_BYTES));
      if (!isQuoted) return utf8Text(bytes, start, end);
    }
    if (!isQuoted) return utf8Text(bytes, start, end);
    start++;
    const close = bytes.indexOf(QUOTE, start);
    const isPlain = (close < 0 || close >= end - 1) && this.#format.escape === '"';
    if (isPlain) return utf8Text(bytes, start, close < 0 || close >= end ? end : close);
    return unquoted(utf8Text(bytes, start, end), this.#format.escape);
  }

  /** Whether a field stands in the file as its text is, so that its bytes may be copied; sets `spanStart` and `spanEnd`. */
  hasPlainBytes(field: number): boolean {
    const { bytes } = this;
    let [start, end] = [this.fieldStart[field], this.fieldEnd[field]];
    if (end - start > MAX_CELL_BYTES) return false;
    if (this.#format.quotes && end > start && bytes[start] === QUOTE) {
      const close = bytes.indexOf(QUOTE, start + 1);
      if (close !== end - 1 || this.#format.escape !== '"') return false;
      start++;
      end--;
    }
    this.spanStart = start;
    this.spanEnd = end;
    return true;
  }

  /** Whether the current record is the same as another, whatever ends its line. */
  isSame(record: Uint8Array): boolean {
    const { bytes, start, end } = this;
    return end - start === record.length && record.every((byte, i) => bytes[start + i] === byte);
  }

  fieldTexts(): string[] {
    return Array.from({ length: this.numFields }, (_, field) => this.fieldText(field));
  }

  #scan(onRecord: () => void): void {
    this.bytes =
      this.bytes.length === 0 && this.#waiting.length === 1 ? this.#waiting[0] : joined([this.bytes, ...this.#waiting]);
    this.#waiting = [];
    this.#numWaiting = 0;
    let at = 0;
    while (this.#scanRecord(at)) {
      if (this.#isBlank()) this.onBlank?.();
      else onRecord();
      this.line += this.#numLines;
      at = this.next;
    }
    this.bytes = this.bytes.subarray(at);
    if (this.bytes.length > MAX_RECORD_BYTES) throw this.#unclosedQuote();
  }

  /** Finds the fields of the record at `at`; false where it is not finished. */
  #scanRecord(at: number): boolean {
    const { bytes } = this;
    const [delimiter, lineEnd] = [this.#delimiter, this.#lineEnd];
    const { quotes } = this.#format;
    const { length } = bytes;
    let [field, i] = [0, at];
    this.#numLines = 1;
    this.start = at;
    for (;;) {
      if (field === this.fieldStart.length) this.#growFields();
      this.fieldStart[field] = i;
      if (quotes && i < length && bytes[i] === QUOTE) {
        i = this.#closingQuote(i + 1);
        if (i < 0) return false;
      }
      while (i < length && bytes[i] !== delimiter && bytes[i] !== lineEnd) i++;
      if (i >= length) return false;
      const isLast = bytes[i] === lineEnd;
      this.fieldEnd[field] =
        isLast && lineEnd === NEWLINE && i > this.fieldStart[field] && bytes[i - 1] === RETURN ? i - 1 : i;
      field++;
      i++;
      if (isLast) break;
    }
    this.numFields = field;
    this.end = this.fieldEnd[field - 1];
    this.next = i;
    return true;
  }

  /** The place behind the quote that closes a field whose text begins at `from`; −1 where it is not there. */
  #closingQuote(from: number): number {
    const { bytes } = this;
    const doubled = this.#format.escape === '"';
    for (let i = from; ; ) {
      const quote = bytes.indexOf(QUOTE, i);
      // the byte behind a quote decides what it is
      if (quote < 0 || (doubled && quote + 1 >= bytes.length)) return -1;
      const isEscaped = doubled ? bytes[quote + 1] === QUOTE : isBackslashed(bytes, from, quote);
      if (!isEscaped) {
        for (
          let at = bytes.indexOf(this.#lineEnd, from);
          at >= 0 && at < quote;
          at = bytes.indexOf(this.#lineEnd, at + 1)
        )
          this.#numLines++;
        return quote + 1;
      }
      i = quote + (doubled ? 2 : 1);
    }
  }

  #isBlank(): boolean {
    if (this.numFields > 1) return false;
    for (let i = this.start; i < this.end; i++) if (this.bytes[i] > SPACE) return false;
    return true;
  }

  #growFields(): void {
    for (const name of ['fieldStart', 'fieldEnd'] as const) {
      const larger = new Int32Array(2 * this[name].length);
      larger.set(this[name]);
      this[name] = larger;
    }
  }

  #unclosedQuote(): InputError {
    const isQuote = this.#format.quotes && this.bytes.includes(QUOTE);
    return new InputError({
      file: this.#path,
      line: this.line,
      got: isQuote ? 'a quoted field that does not end' : 'a row without an end',
      expected: isQuote ? 'a closing quote' : 'a line break',
      cure: isQuote
        ? 'Close the quote, or double a quote that is part of the text.'
        : 'Check that this is a text file with one row a line.',
    });
  }
}

/** An odd number of backslashes escapes what follows. */
function isBackslashed(bytes: Uint8Array, from: number, at: number): boolean {
  let count = 0;
  while (at - 1 - count >= from && bytes[at - 1 - count] === BACKSLASH) count++;
  return count % 2 === 1;
}

/** What stands behind an opening quote, as text: escapes undone; behind the closing quote, characters are as they are. */
function unquoted(text: string, escapedBy: '"' | '\\'): string {
  const last = text.length - 1;
  if (escapedBy === '"' && text[last] === '"' && !/[^"]"(?:"")*[^"]/.test(text) && !text.startsWith('"')) {
    return text.slice(0, last).replaceAll('""', '"'); // nothing behind the closing quote, as it should be
  }
  let out = '';
  for (let i = 0; i < text.length; i++) {
    if (escapedBy === '\\' && text[i] === '\\' && (text[i + 1] === '"' || text[i + 1] === '\\')) out += text[++i];
    else if (text[i] !== '"') out += text[i];
    else if (escapedBy === '"' && text[i + 1] === '"') out += text[i++];
    else return out + text.slice(i + 1);
  }
  return out;
}

/** A cell as it stands in a file: in quotes where it needs them, or where `always` says so. */
export function formatField(text: string, format: RecordFormat, always = false): string {
  if (!format.quotes) return text.replace(/[\t\r\n]+/g, ' ').replaceAll(format.delimiter, ' ');
  const needsQuotes = always || /^\s|["\r\n]|\s$/.test(text) || text.includes(format.delimiter);
  if (!needsQuotes) return text;
  const escaped = format.escape === '"' ? text.replaceAll('"', '""') : text.replace(/[\\"]/g, '\\$&');
  return `"${escaped}"`;
}
