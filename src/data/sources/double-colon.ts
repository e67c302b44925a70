// Lines of MovieLens' "::" files with one free text in them. The text may hold "::" itself, or end in ":", so it takes
// whatever the fields on both sides of it leave.

import { InputError } from '../../errors.ts';
import type { Line } from './lines.ts';

/** The fields of a line, trimmed, as many as there are names; the field at `free` is the free text. */
export function splitDoubleColon(path: string, line: Line, names: readonly string[], free: number): string[] {
  const parts = line.text.split('::');
  if (parts.length < names.length || parts.slice(0, free).some((part) => part.trim() === '')) {
    throw new InputError({
      file: path,
      line: line.number,
      got: JSON.stringify(line.text.slice(0, 80)),
      expected: names.join('::'),
      cure: 'Mend or remove this line.',
    });
  }
  const after = parts.splice(parts.length - (names.length - free - 1));
  const middle = parts.splice(free).join('::');
  // "a:::1" is the text "a:" before "::1", as the field behind the text never begins with a colon
  const colons = after[0].match(/^:+/)?.[0] ?? '';
  after[0] = after[0].slice(colons.length);
  return [...parts, middle + colons, ...after].map((part) => part.trim());
}
