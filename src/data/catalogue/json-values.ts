// The rows of a JSON file as text, without holding all of it: the lines of JSON Lines, or the elements of one array, cut where each
// ends. An element that is not finished waits for the next chunk.

import { utf8Text } from '#platform';
import { InputError } from '../../errors.ts';
import { joined } from '../table/source.ts';
import type { Dialect } from './dialect.ts';

const [NEWLINE, RETURN, SPACE, QUOTE, COMMA, COLON] = [0x0a, 0x0d, 0x20, 0x22, 0x2c, 0x3a];
const [OPEN_ARRAY, BACKSLASH, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5c, 0x5d, 0x7b, 0x7d];
const MAX_VALUE_BYTES = 1 << 28;

/** Calls back with the text of each row and the line that it begins on. */
export type OnValue = (text: string, line: number) => void;

/** Cuts UTF-8 into the rows of a JSON file. */
export class JsonCutter {
  readonly #path: string;
  readonly #arrayName: string;
  readonly #isLines: boolean;
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0; // where to go on in #bytes
  #waiting: Uint8Array[] = [];
  #numWaiting = 0;
  #line = 1; // at #at
  #nextBreak = -1; // the first line break in #bytes that is not counted; a whole file may be one line
  #place: 'before' | 'inside' | 'behind' = 'before'; // where #at is, seen from the array

  constructor(path: string, { kind, arrayName }: Pick<Dialect, 'kind' | 'arrayName'>) {
    this.#path = path;
    this.#arrayName = arrayName;
    this.#isLines = kind === 'json-lines';
  }

  push(chunk: Uint8Array, onValue: OnValue): void {
    this.#waiting.push(chunk);
    this.#numWaiting += chunk.length;
    // a long value is looked at again when twice as much of it is there
    if (this.#numWaiting >= this.#bytes.length - this.#at) this.#cut(onValue);
  }

  /** An array that is not closed is an error, unless only a part of the file was pushed. */
  finish(onValue: OnValue, isWhole = true): void {
    this.#cut(onValue);
    if (!isWhole) return;
    if (this.#isLines) {
      this.#waiting.push(Uint8Array.of(NEWLINE));
      this.#cut(onValue);
    } else if (this.#place !== 'behind') throw this.#cutShort();
  }

  #cut(onValue: OnValue): void {
    this.#bytes = joined([this.#bytes.subarray(this.#at), ...this.#waiting]);
    this.#at = 0;
    this.#nextBreak = -1;
    this.#waiting = [];
    this.#numWaiting = 0;
    if (this.#isLines) this.#cutLines(onValue);
    else if (this.#place !== 'before' || this.#findArray()) this.#cutElements(onValue);
    if (this.#bytes.length - this.#at > MAX_VALUE_BYTES) throw this.#cutShort();
  }

  #cutLines(onValue: OnValue): void {
    for (;;) {
      const end = this.#bytes.indexOf(NEWLINE, this.#at);
      if (end < 0) return;
      const text = utf8Text(this.#bytes, this.#at, end).trim();
      if (text !== '') onValue(text, this.#line);
      this.#line++;
      this.#at = end + 1;
    }
  }

  #cutElements(onValue: OnValue): void {
    while (this.#place === 'inside') {
      this.#skipSpace(true);
      if (this.#at >= this.#bytes.length) return;
      if (this.#bytes[this.#at] === CLOSE_ARRAY) {
        this.#goTo(this.#at + 1);
        this.#place = 'behind';
        break;
      }
      const end = this.#valueEnd(this.#at);
      if (end < 0) return;
      onValue(utf8Text(this.#bytes, this.#at, end), this.#line);
      this.#goTo(end);
    }
    if (this.#place !== 'behind') return;
    if (this.#arrayName === '') this.#refuseMore();
    this.#at = this.#bytes.length; // other properties of the object are about something else
  }

  /** Rows behind the end of the array would be lost. */
  #refuseMore(): void {
    this.#skipSpace(false);
    if (this.#at >= this.#bytes.length) return;
    const cure = 'Write all objects into one array: of several arrays in one file, jq -s add makes one.';
    const got = 'something behind the end of the array';
    throw new InputError({ file: this.#path, line: this.#line, got, expected: 'one array', cure });
  }

  /** Goes to the first element of the array; false where it is not there yet. */
  #findArray(): boolean {
    this.#skipSpace(false);
    const first = this.#bytes[this.#at];
    if (first === undefined) return false;
    if (this.#arrayName === '') {
      if (first !== OPEN_ARRAY) throw this.#unexpected('an array');
      this.#goTo(this.#at + 1);
      this.#place = 'inside';
      return true;
    }
    if (first === OPEN_OBJECT) this.#goTo(this.#at + 1);
    for (;;) {
      this.#skipSpace(true);
      const [key, keyEnd] = [this.#at, this.#valueEnd(this.#at)];
      if (keyEnd < 0) return false;
      let at = keyEnd;
      while (at < this.#bytes.length && (isSpace(this.#bytes[at]) || this.#bytes[at] === COLON)) at++;
      if (at >= this.#bytes.length) return false;
      if (this.#bytes[at] === OPEN_ARRAY && this.#keyAt(key, keyEnd) === this.#arrayName) {
        this.#goTo(at + 1);
        this.#place = 'inside';
        return true;
      }
      const end = this.#valueEnd(at);
      if (end < 0) return false;
      this.#goTo(end);
    }
  }

  #keyAt(start: number, end: number): unknown {
    try {
      return JSON.parse(utf8Text(this.#bytes, start, end));
    } catch {
      throw this.#unexpected('a property name in quotes');
    }
  }

  /** Where the value at `from` ends; −1 where it does not yet. */
  #valueEnd(from: number): number {
    const bytes = this.#bytes;
    let depth = 0;
    for (let i = from; i < bytes.length; i++) {
      const byte = bytes[i];
      if (byte === QUOTE) {
        i = closingQuote(bytes, i + 1);
        if (i < 0) return -1;
        if (depth === 0) return i + 1;
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        if (depth === 0) return i === from ? i + 1 : i; // behind a number
        if (--depth === 0) return i + 1;
      } else if (depth === 0 && i > from && (byte === COMMA || isSpace(byte))) return i;
    }
    return -1;
  }

  #skipSpace(commas: boolean): void {
    let at = this.#at;
    while (at < this.#bytes.length && (isSpace(this.#bytes[at]) || (commas && this.#bytes[at] === COMMA))) at++;
    this.#goTo(at);
  }

  /** Counts the lines on the way. */
  #goTo(at: number): void {
    while (this.#nextBreak < at) {
      if (this.#nextBreak >= this.#at) this.#line++;
      const next = this.#bytes.indexOf(NEWLINE, this.#nextBreak + 1);
      this.#nextBreak = next < 0 ? Number.POSITIVE_INFINITY : next;
    }
    this.#at = at;
  }

  #unexpected(expected: string): InputError {
    const cure = 'Write an array of objects, or one object a line.';
    const got = 'JSON of another shape';
    return new InputError({ file: this.#path, line: this.#line, got, expected, cure });
  }

  #cutShort(): InputError {
    const got = this.#place === 'before' ? 'JSON without an array of objects' : 'JSON that ends inside its array';
    const cure =
      this.#place === 'before'
        ? 'Write an array of objects, or one object a line (jq -c .).'
        : 'The file was cut short, or a quote or bracket is not closed.';
    return new InputError({ file: this.#path, line: this.#line, got, expected: 'a whole array', cure });
  }
}

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === NEWLINE || byte === RETURN || byte === 0x09;
}

/** The quote that closes a text beginning at `from`; −1 where it is not there. */
function closingQuote(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(QUOTE, from); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let backslashes = 0;
    while (at - 1 - backslashes >= from && bytes[at - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return -1;
}
