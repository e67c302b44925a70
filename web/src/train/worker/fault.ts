// An error as the page shows it: what went wrong, and what to do about it with the fields of the page.

import { InputError } from '../../../../src/errors.ts';
import type { Fault } from './messages.ts';

/** What the library says of the command line, as the page has it; the first that fits counts. */
const FIELDS: readonly (readonly [RegExp, string])[] = [
  [/--backend cpu/g, 'choose "Processor" as the engine'],
  [/Name it with --tags NAME\./g, 'Choose “tags” for it below.'],
  [/(name|pass) another( column)? with --(id|tags)\b/gi, 'choose another column below'],
  [/Name one with --text\b/g, 'Choose one below'],
  [/add it with --tags\b/g, 'choose “tags” to add it'],
  [/: pass --separator ("[^"]*")/g, ': choose $1 as the separator'],
  [/ \(--[a-z-]+\)/g, ''],
  [/pass that file instead of the folder/g, 'drop that file alone'],
  [/or pass one file that/g, 'or drop one file that'],
];

/** Words of the library in those of the page. */
export function onPage(text: string): string {
  return FIELDS.reduce((words, [option, field]) => words.replaceAll(option, field), text);
}

export function faultOf(error: unknown): Fault {
  if (error instanceof InputError) {
    const { cure } = error.problem;
    const text = error.message.slice(0, -cure.length).trim();
    return {
      text: onPage(text),
      cure: onPage(cure),
      isBug: false,
    };
  }
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { text, cure: 'Load the page again, or try with less data.', isBug: true };
}
