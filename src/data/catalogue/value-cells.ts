// Values of JSON and Parquet as cells: texts and lists. What is nested deeper is none, but for a text in an object of its own.

import type { Cell } from './column-look.ts';
import { tagsOfArray } from './tag-lists.ts';

/** A value of JSON or Parquet as a cell. */
export function cellOf(value: unknown): Cell {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  return typeof value === 'object' ? nestedText(value) : '';
}

/** Of {"rendered": "A title", "protected": false}, the only text; of several, the name. */
function nestedText(value: object): string {
  const texts = Object.values(value).filter((one) => typeof one === 'string');
  return texts.length === 1 ? texts[0] : (tagsOfArray([value])[0] ?? '');
}

/** Whether a value of JSON or Parquet has parts with names, which new tags have no place among. */
export function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
