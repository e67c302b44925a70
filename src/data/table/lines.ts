// Text as lines, for formats whose rows are no plain delimited fields. Blank lines are passed over, a byte order mark
// and carriage returns at line ends are dropped. Bytes that are not UTF-8 stop the reading with file and line.

import { isUtf8, utf8Text } from '#platform';
import { InputError } from '../../errors.ts';
import type { Listener } from '../../listener.ts';
import { joined, nameOf, notUtf8, readChunks, readLatin1Chunks, type Source } from './source.ts';

export interface Line {
  readonly text: string;
  readonly number: number; // from 1
}

export interface LineOptions extends Listener {
  readonly latin1?: boolean;
}

const NEWLINE = 0x0a;
const MAX_LINE_BYTES = 1 << 26; // the longest known line, one user's 7,762 games, has 1 MB

export function readLines(source: Source, options: LineOptions = {}): AsyncGenerator<Line> {
  return linesFrom(nameOf(source), options.latin1 ? readLatin1Chunks(source, options) : readChunks(source, options));
}

/** The same from chunks of bytes; `path`: what errors call them. A line is there as soon as its end was read. */
export async function* linesFrom(path: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let rest: Uint8Array = new Uint8Array(0);
  let number = 1;
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : joined([rest, chunk]);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    yield* linesOf(path, bytes.subarray(0, end), number);
    number += countNewlines(bytes.subarray(0, end));
    rest = bytes.slice(end);
    if (rest.length > MAX_LINE_BYTES) throw tooLong(path, number);
  }
  yield* linesOf(path, rest, number);
}

function* linesOf(path: string, bytes: Uint8Array, first: number): Generator<Line> {
  if (!isUtf8(bytes)) throw invalidUtf8(path, bytes, first);
  const lines = utf8Text(bytes, 0, bytes.length).split('\n');
  for (let i = 0; i < lines.length; i++) {
    let text = lines[i].endsWith('\r') ? lines[i].slice(0, -1) : lines[i];
    if (first + i === 1 && text.startsWith('\ufeff')) text = text.slice(1);
    if (text.trim() !== '') yield { text, number: first + i };
  }
}

function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let i = bytes.indexOf(NEWLINE); i >= 0; i = bytes.indexOf(NEWLINE, i + 1)) count++;
  return count;
}

function invalidUtf8(path: string, bytes: Uint8Array, first: number): InputError {
  let line = first;
  for (let start = 0; start < bytes.length; line++) {
    const next = bytes.indexOf(NEWLINE, start) + 1 || bytes.length;
    if (!isUtf8(bytes.subarray(start, next))) break;
    start = next;
  }
  return notUtf8(path, line);
}

function tooLong(path: string, line: number): InputError {
  const got = `a line of more than ${MAX_LINE_BYTES.toLocaleString('en')} bytes`;
  const cure = 'Check that this is a text file with one record a line.';
  return new InputError({ file: path, line, got, expected: 'shorter lines', cure });
}
