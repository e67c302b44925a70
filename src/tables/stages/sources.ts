// The data as views with fixed columns and clean names: data_tagged (object, tag), data_interact (person, object), data_objects
// (object). A row with a blank name is left out, as in memory.

import { cleaned, type Dialect, type TableFiles } from '../dialect.ts';

export interface DataFiles {
  readonly tagged: TableFiles;
  readonly interact?: TableFiles | undefined;
  /** Tables that say something about objects: each of them may name some that the others do not. */
  readonly objects: readonly TableFiles[];
}

export const SOURCES = ['data_tagged', 'data_interact', 'data_objects'] as const;

/** Statements after which the views are there. */
export function sourceViews(dialect: Dialect, { tagged, interact, objects }: DataFiles): string[] {
  const none = (columns: string) => `SELECT ${columns} WHERE 1 = 0`;
  const objectRows = objects.map((_, i) => cleanRows(dialect, `files_objects_${i}`, { object: 'object' }));
  return [
    ...dialect.viewOf('files_tagged', tagged),
    view('data_tagged', cleanRows(dialect, 'files_tagged', { object: 'object', tag: 'tag' })),
    ...(interact ? dialect.viewOf('files_interact', interact) : []),
    view(
      'data_interact',
      interact
        ? cleanRows(dialect, 'files_interact', { person: 'user', object: 'object' })
        : none(`'' AS person, '' AS object`),
    ),
    ...objects.flatMap((files, i) => dialect.viewOf(`files_objects_${i}`, files)),
    view('data_objects', objectRows.length > 0 ? objectRows.join('\nUNION ALL\n') : none(`'' AS object`)),
  ];
}

function view(name: string, query: string): string {
  return `CREATE OR REPLACE TEMPORARY VIEW ${name} AS\n${query}`;
}

/** `columns`: from the name here to the one in the file. */
function cleanRows(dialect: Dialect, table: string, columns: Readonly<Record<string, string>>): string {
  const names = Object.keys(columns);
  // with the table before it: where the column is missing, "user" alone would be the name of the one logged in
  const fields = names.map((name) => `${cleaned(dialect, `${table}.${dialect.column(columns[name])}`)} AS ${name}`);
  return `SELECT ${names.join(', ')} FROM (SELECT ${fields.join(', ')} FROM ${table}) AS clean
WHERE ${names.map((name) => `${name} <> ''`).join(' AND ')}`;
}
