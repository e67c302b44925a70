// A part of the suggestions to all objects, as one file: a first line that says what it is a part of, the items of the document
// (suggestion-lines.ts), and a last line with their length and a checksum, without which the part is not whole.

import { type OpenFile, openFile, readFailure, sha256, utf8Text } from '#platform';
import { InputError } from '../../errors.ts';
import type { ObjectSuggestions } from '../recommend/recommender.ts';
import { type FormatName, SUGGESTION_FORMATS } from '../recommend/suggestion-lines.ts';

/** Which of how many parts, counted from 1. */
export interface PartNumber {
  readonly part: number;
  readonly of: number;
}

/** What all parts of a whole have in common. */
export interface PartOrigin {
  readonly of: number;
  /** The fingerprint of the model. */
  readonly model: string;
  readonly numObjects: number;
  readonly format: FormatName;
  /** What else decides on the answers, by the names of the command line. */
  readonly options: Readonly<Record<string, string>>;
}

export type PartIdentity = PartOrigin & PartNumber;

/** A part that was found in a file; its items are `numBytes` from `start` on. */
export interface FoundPart {
  readonly path: string;
  readonly identity: PartIdentity;
  readonly firstLine: string;
  readonly start: number;
  readonly numBytes: number;
  readonly checksum: string;
}

export const MAX_PARTS = 1_000_000; // object numbers times parts are still exact
const VERSION = 1;
const FIRST = '# tagloom part ';
const LAST = '# end of part ';
const LINE_BYTES = 4096; // no first or last line is longer

/** The objects of a part: contiguous, and all parts together are all objects. */
export function partRange({ part, of }: PartNumber, numObjects: number): { first: number; end: number } {
  return { first: Math.floor(((part - 1) * numObjects) / of), end: Math.floor((part * numObjects) / of) };
}

/** The text of a part, piece by piece. */
export async function* partText(
  identity: PartIdentity,
  found: AsyncIterable<ObjectSuggestions>,
): AsyncGenerator<string> {
  const { separator, item } = SUGGESTION_FORMATS[identity.format];
  const firstLine = `${FIRST}${JSON.stringify({ version: VERSION, ...identity })}\n`;
  yield firstLine;
  const hash = sha256().update(firstLine);
  let [numBytes, before] = [0, ''];
  for await (const one of found) {
    const text = `${before}${item(one)}`;
    hash.update(text);
    numBytes += Buffer.byteLength(text);
    before = separator;
    yield text;
  }
  const endsLine = numBytes === 0 || identity.format === 'tsv';
  yield `${endsLine ? '' : '\n'}${LAST}${JSON.stringify({ bytes: numBytes, checksum: hash.hex() })}\n`;
}

/** Reads the first and the last line of a part. What lies between is checked when it is copied. */
export async function findPart(path: string): Promise<FoundPart> {
  const whenMissing = 'Name the parts that "tagloom suggest --all --part" wrote.';
  const failure = (error: unknown) => readFailure(error, path, 'a part of suggestions', whenMissing);
  const file = await openFile(path).catch((error) => {
    throw failure(error);
  });
  try {
    return await readEnds(file, path);
  } catch (error) {
    throw failure(error);
  } finally {
    await file.close();
  }
}

async function readEnds(file: OpenFile, path: string): Promise<FoundPart> {
  const head = await textAt(file, 0);
  const firstLine = head.slice(0, head.indexOf('\n') + 1);
  const identity = identityIn(firstLine, path);
  const tail = await textAt(file, Math.max(0, file.size - LINE_BYTES));
  const lastStart = tail.lastIndexOf('\n', tail.length - 2) + 1;
  const end = parsed(tail.slice(lastStart), LAST);
  if (!tail.endsWith('\n') || !isEnd(end)) throw cutOff(path, identity);
  const start = Buffer.byteLength(firstLine);
  const between = file.size - Buffer.byteLength(tail.slice(lastStart)) - start - end.bytes;
  if (between !== 0 && between !== 1) throw cutOff(path, identity); // 1: the end of a line of JSON
  return { path, identity, firstLine, start, numBytes: end.bytes, checksum: end.checksum };
}

async function textAt(file: OpenFile, position: number): Promise<string> {
  const bytes = new Uint8Array(LINE_BYTES);
  return utf8Text(bytes, 0, await file.read(bytes, position));
}

function identityIn(firstLine: string, path: string): PartIdentity {
  const found = parsed(firstLine, FIRST);
  if (isIdentity(found)) return found;
  const isOther = typeof found === 'object' && found !== null && (found as { version?: unknown }).version !== VERSION;
  throw new InputError({
    file: path,
    got: isOther ? 'a part of another version of tagloom' : 'a file that is not a part',
    expected: 'one that "tagloom suggest --all --part" wrote',
    cure: isOther ? 'Use the tagloom that wrote it.' : 'Name the parts only.',
  });
}

/** The JSON behind a mark; undefined where there is none. */
function parsed(line: string, mark: string): unknown {
  if (!line.startsWith(mark)) return undefined;
  try {
    return JSON.parse(line.slice(mark.length));
  } catch {
    return undefined;
  }
}

function isIdentity(value: unknown): value is PartIdentity {
  if (typeof value !== 'object' || value === null) return false;
  const { version, part, of, model, numObjects, format, options } = value as Record<string, unknown>;
  return (
    version === VERSION &&
    isCount(part) &&
    isCount(of) &&
    isCount(numObjects) &&
    part >= 1 &&
    part <= of &&
    of <= MAX_PARTS &&
    typeof model === 'string' &&
    Object.hasOwn(SUGGESTION_FORMATS, String(format)) &&
    typeof options === 'object' &&
    options !== null &&
    Object.values(options).every((one) => typeof one === 'string')
  );
}

function isEnd(value: unknown): value is { readonly bytes: number; readonly checksum: string } {
  if (typeof value !== 'object' || value === null) return false;
  const { bytes, checksum } = value as Record<string, unknown>;
  return isCount(bytes) && typeof checksum === 'string';
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** A part without its last line, or with another length than that says. */
function cutOff(path: string, part: PartNumber): InputError {
  return broken(path, part, 'a part that is cut off', 'a whole one');
}

/** A part whose contents are not what was once written. */
export function damaged(path: string, part: PartNumber): InputError {
  return broken(path, part, 'contents that differ from their checksum', 'what was once written');
}

function broken(file: string, { part, of }: PartNumber, got: string, expected: string): InputError {
  return new InputError({ file, got, expected, cure: `Copy it again, or write it again with --part ${part}/${of}.` });
}
