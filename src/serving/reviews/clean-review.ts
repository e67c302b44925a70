// Decisions as they may be stored: names cleaned as when data is read, nothing too long.

import { cleanName } from '../../data/name.ts';
import { InputError } from '../../errors.ts';

/** Of a note. */
export const MAX_NOTE = 1000;
const MAX_BYTES = 2500; // of object and tag together: an entry of the index holds 2,704

export const COLUMNS_OF_NEW = ['object', 'tag', 'decision', 'curator', 'note'] as const;

interface Given {
  readonly object: string;
  readonly tag: string;
  readonly decision: string;
  readonly curator?: string | undefined;
  readonly note?: string | undefined;
}

export type CleanReview = Readonly<Record<(typeof COLUMNS_OF_NEW)[number], string>>;

export function cleaned({ object, tag, decision, curator = '', note = '' }: Given): CleanReview {
  const names = { object: cleanText(object), tag: cleanText(tag), curator: cleanText(curator) };
  const clean = { ...names, decision, note: cleanNote(note) };
  for (const key of ['object', 'tag'] as const) {
    if (clean[key] === '') throw new InputError({ got: `a blank ${key}`, expected: 'its name', cure: 'Name it.' });
  }
  const numBytes = Buffer.byteLength(clean.object) + Buffer.byteLength(clean.tag);
  if (numBytes > MAX_BYTES || Buffer.byteLength(clean.curator) > MAX_BYTES) {
    const expected = `${MAX_BYTES} bytes or less`;
    throw new InputError({ got: 'names that are too long', expected, cure: 'Use shorter names.' });
  }
  return clean;
}

/** Lines stay lines. */
function cleanNote(note: string): string {
  const clean = note.split(/\r?\n/).map(cleanText).join('\n').trim();
  if (clean.length <= MAX_NOTE) return clean;
  const got = `a note of ${clean.length} characters`;
  throw new InputError({ got, expected: `${MAX_NOTE} or less`, cure: 'Shorten the note.' });
}

/** As names are cleaned when data is read, so that they are the same; but a NUL is a mistake, and no database text holds it. */
export function cleanText(text: string): string {
  if (!text.includes('\0')) return cleanName(text);
  const got = `${JSON.stringify(text.slice(0, 40))}, which holds a NUL`;
  throw new InputError({ got, expected: 'a name without it', cure: 'Remove the NUL.' });
}
