// An error as the page shows it: what went wrong, and what to do about it with the fields of the page.

import { InputError } from '../../../../src/errors.ts';
import type { Fault } from './messages.ts';

/** Options of the command line that a cure may name, as the page has them. */
const FIELDS: readonly (readonly [string, string])[] = [['--backend cpu', 'choose "Processor" as the engine']];

export function faultOf(error: unknown): Fault {
  if (error instanceof InputError) {
    const { cure } = error.problem;
    const text = error.message.slice(0, -cure.length).trim();
    return {
      text,
      cure: FIELDS.reduce((words, [option, field]) => words.replaceAll(option, field), cure),
      isBug: false,
    };
  }
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { text, cure: 'Load the page again, or try with less data.', isBug: true };
}
