// Numbers on the command line, checked where they are read.

import { InvalidArgumentError } from 'commander';

export function parseNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('Expected a number.');
  return value;
}

/** A whole number, 0 or more. */
export function parseWhole(text: string): number {
  const value = parseNumber(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new InvalidArgumentError('Expected a whole number, 0 or more.');
  return value;
}
