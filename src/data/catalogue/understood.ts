// What was understood of the data a user passed: the format, what each column is and why, how tags are separated. A command shows
// it before it does anything, so that a wrong guess is seen at once and corrected with an option.

import type { ColumnRole } from './column-names.ts';
import type { UnderstoodColumn } from './columns.ts';

/** What `loadCatalogue` found a file or a folder to hold. */
export interface Understood {
  /** The name of the file or folder. */
  readonly source: string;
  /** "CSV with commas", for instance. */
  readonly format: string;
  /** "UTF-8", for instance; '' where the format leaves no choice. */
  readonly encoding: string;
  /** Rows of a file; objects of a folder. */
  readonly numRows: number;
  /** Every column, what it is and why. A column without a role is left out. */
  readonly columns: readonly UnderstoodColumn[];
  /** How tags are written: "separated by ;", for instance. '' for a folder. */
  readonly tagStyle: string;
  /** Different tags. */
  readonly numTags: number;
  /** True where objects are named by the numbers of their rows. */
  readonly hasRowNumbers: boolean;
}

const LABELS: readonly (readonly [ColumnRole, string])[] = [
  ['id', 'id'],
  ['title', 'title'],
  ['text', 'text'],
  ['tags', 'tags'],
  ['url', 'link'],
  ['image', 'picture'],
];
const MAX_LEFT_OUT = 12;

/** A few lines for a person. */
export function understoodText(understood: Understood): string {
  const { source, format, encoding, numRows, columns, hasRowNumbers, tagStyle, numTags } = understood;
  const noun = tagStyle === '' ? 'object' : 'row'; // a folder has several tables
  const rows = `${numRows.toLocaleString('en')} ${noun}${numRows === 1 ? '' : 's'}`;
  const lines = [`${source}: ${[format, ...(encoding === '' ? [] : [encoding]), rows].join(', ')}`];
  const add = (label: string, text: string) => lines.push(`  ${label.padEnd(8)}  ${text}`);
  for (const [role, label] of LABELS) {
    const names = columns.filter((column) => column.role === role).map(({ name }) => name);
    if (role === 'id' && hasRowNumbers) add(label, 'the numbers of the rows');
    if (names.length === 0) continue;
    const shown = names.length > MAX_LEFT_OUT ? [...names.slice(0, MAX_LEFT_OUT), '…'] : names;
    const style = tagStyle === '' ? '' : ` (${tagStyle})`;
    add(
      label,
      role === 'tags' ? `${shown.join(', ')}${style}, ${numTags.toLocaleString('en')} different` : shown.join(', '),
    );
  }
  const left = columns.filter(({ role }) => role === undefined).map(({ name, why }) => `${name} (${why})`);
  const more = left.length > MAX_LEFT_OUT ? `, and ${left.length - MAX_LEFT_OUT} more` : '';
  if (left.length > 0) add('left out', left.slice(0, MAX_LEFT_OUT).join(', ') + more);
  return lines.join('\n');
}
