// Joins the parts of the suggestions to all objects. All are checked against each other before anything is written, and each
// against its checksum while it is copied.

import { openFile, readFailure, sha256 } from '#platform';
import { CancelledError, InputError } from '../../errors.ts';
import { writeFile } from '../../files.ts';
import type { Listener } from '../../listener.ts';
import { SUGGESTION_FORMATS } from '../recommend/suggestion-lines.ts';
import { damaged, type FoundPart, findPart, type PartOrigin } from './part-file.ts';

export interface MergedParts {
  readonly numParts: number;
  readonly numObjects: number;
}

/** Writes what `suggest --all` would have written without parts; the file is whole or not there. */
export async function mergeParts(
  paths: readonly string[],
  target: string,
  listener: Listener = {},
): Promise<MergedParts> {
  const found: FoundPart[] = [];
  for (const path of paths) found.push(await findPart(path)); // one open file at a time: there may be thousands
  const parts = completeParts(found);
  await writeFile(target, wholeDocument(parts, listener), { signal: listener.signal });
  return { numParts: parts.length, numObjects: parts[0].identity.numObjects };
}

/** The parts in order, if they are all of one whole, each of them once. */
export function completeParts(found: readonly FoundPart[]): FoundPart[] {
  const whole = commonOrigin(found);
  for (const part of found) refuseForeign(part, whole);
  const byNumber = new Map<number, FoundPart>();
  for (const part of found) {
    const { part: number, of } = part.identity;
    const other = byNumber.get(number);
    if (other !== undefined) {
      const got = `part ${number}/${of} a second time`;
      const cure = `Name only one of ${other.path} and ${part.path}.`;
      throw new InputError({ file: part.path, got, expected: 'each part once', cure });
    }
    byNumber.set(number, part);
  }
  refuseMissing(byNumber, whole.identity.of);
  return [...byNumber.values()].sort((a, b) => a.identity.part - b.identity.part);
}

/** One of those that most agree with: a single foreign part is then the one that is named. */
function commonOrigin(found: readonly FoundPart[]): FoundPart {
  const groups = new Map<string, FoundPart[]>();
  for (const part of found) {
    const { of, model, numObjects, format, options } = part.identity;
    const key = JSON.stringify([of, model, numObjects, format, Object.entries(options).sort()]);
    groups.set(key, [...(groups.get(key) ?? []), part]);
  }
  const [largest] = [...groups.values()].sort((a, b) => b.length - a.length);
  if (largest !== undefined) return largest[0];
  throw new InputError({ got: 'no part', expected: 'all parts of a whole', cure: 'Name the files.' });
}

function refuseForeign({ path, identity }: FoundPart, { path: otherPath, identity: other }: FoundPart): void {
  const difference = differenceOf(identity, other);
  if (difference === undefined) return;
  const [got, expected] = difference;
  const cure = `Leave it out, or write it again as ${otherPath} was written.`;
  throw new InputError({ file: path, got, expected: `${expected}, as in ${otherPath}`, cure });
}

/** What a part has and what it should have. */
function differenceOf(one: PartOrigin, other: PartOrigin): readonly [got: string, expected: string] | undefined {
  if (one.of !== other.of) return [`one of ${one.of} parts`, `one of ${other.of}`];
  if (one.model !== other.model || one.numObjects !== other.numObjects) {
    return [`a part of another model (${one.model.slice(0, 8)})`, `of the model ${other.model.slice(0, 8)}`];
  }
  if (one.format !== other.format) return [`a part in ${one.format}`, other.format];
  const names = new Set([...Object.keys(one.options), ...Object.keys(other.options)]);
  for (const name of names) {
    const [mine, theirs] = [one.options[name], other.options[name]];
    if (mine !== theirs) return [optionText(name, mine), optionText(name, theirs)];
  }
  return undefined;
}

function optionText(name: string, value: string | undefined): string {
  return value === undefined ? `no --${name}` : `--${name} ${value}`;
}

const MOST_NAMED = 10;

function refuseMissing(byNumber: ReadonlyMap<number, FoundPart>, of: number): void {
  if (byNumber.size === of) return;
  const missing: number[] = [];
  for (let part = 1; part <= of; part++) if (!byNumber.has(part)) missing.push(part);
  const named = missing.slice(0, MOST_NAMED).map((part) => `${part}/${of}`);
  const more = missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} more` : '';
  const got = `${byNumber.size} of ${of} parts, without ${named.join(', ')}${more}`;
  const cure = `Write what is missing: tagloom suggest MODEL --all --part ${named[0]} -o FILE, with the same options.`;
  throw new InputError({ got, expected: 'all of them', cure });
}

async function* wholeDocument(parts: readonly FoundPart[], listener: Listener): AsyncGenerator<string | Uint8Array> {
  const { opening, separator, closing } = SUGGESTION_FORMATS[parts[0].identity.format];
  yield opening;
  let isEmpty = true;
  for (const [i, part] of parts.entries()) {
    listener.progress?.('merging', i, parts.length);
    if (part.numBytes > 0 && !isEmpty) yield separator;
    if (part.numBytes > 0) isEmpty = false;
    yield* itemsOf(part, listener);
  }
  yield closing(isEmpty);
}

const CHUNK_BYTES = 1 << 20;

/** The items of a part as they are, once they are known to be what was written. */
async function* itemsOf(
  { path, identity, firstLine, start, numBytes, checksum }: FoundPart,
  { signal }: Listener,
): AsyncGenerator<Uint8Array> {
  const failure = (error: unknown) => readFailure(error, path, 'a part of suggestions');
  const hash = sha256().update(firstLine);
  const file = await openFile(path).catch((error) => {
    throw failure(error);
  });
  try {
    for (let at = 0; at < numBytes; ) {
      if (signal?.aborted) throw new CancelledError();
      const chunk = new Uint8Array(Math.min(CHUNK_BYTES, numBytes - at));
      const size = await file.read(chunk, start + at).catch((error) => {
        throw failure(error);
      });
      if (size === 0) throw damaged(path, identity); // it was cut since its end was read
      hash.update(chunk.subarray(0, size));
      yield chunk.subarray(0, size);
      at += size;
    }
  } finally {
    await file.close();
  }
  if (hash.hex() !== checksum) throw damaged(path, identity);
}
