// What is written about objects, where only Spark can open it: each table comes here as a CSV file, which is then read as any other.

import { mkdir, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isTextTable } from '../../data/objects-table.ts';
import { writeFailure } from '../../file-failures.ts';
import type { Listener } from '../../listener.ts';
import { DIALECTS } from '../dialect.ts';
import type { RunOptions, TableEngine } from '../engine.ts';
import type { DataFiles } from '../stages/sources.ts';

const { spark: dialect } = DIALECTS;

/** Writes the tables below a folder; the paths of the files. After the views of the data are there. */
export async function fetchObjects(
  engine: TableEngine,
  { objects }: DataFiles,
  folder: string,
  { signal }: Listener,
): Promise<string[]> {
  const paths: string[] = [];
  for (const [i, { paths: sources }] of objects.entries()) {
    // a text is called as its file is
    const [stem] = basename(sources[0]).split('.');
    const name = isTextTable(basename(sources[0])) ? stem : 'objects';
    paths.push(join(folder, `${i}`, `${name}.csv`));
    try {
      await mkdir(join(folder, `${i}`), { recursive: true });
      await writeTable(engine, `files_objects_${i}`, paths[i], signal ? { signal } : {});
    } catch (error) {
      throw writeFailure(error, folder, 'a folder for titles and texts');
    }
  }
  return paths;
}

async function writeTable(engine: TableEngine, view: string, path: string, options: RunOptions): Promise<void> {
  const names = await plainColumns(engine, view, options);
  const fields = names.map((name) => `CAST(${dialect.column(name)} AS STRING) AS ${dialect.column(name)}`);
  const file = await open(path, 'w');
  try {
    await file.writeFile(rowOf(names));
    for await (const { numRows, columns } of engine.query(`SELECT ${fields.join(', ')} FROM ${view}`, options)) {
      const cells = names.map((name) => columns.get(name) as readonly (string | null)[]);
      const rows = Array.from({ length: numRows }, (_, row) => rowOf(cells.map((column) => column[row])));
      await file.writeFile(rows.join(''));
    }
  } finally {
    await file.close();
  }
}

/** Lists and structures have no place in a cell. */
async function plainColumns(engine: TableEngine, view: string, options: RunOptions): Promise<string[]> {
  const names: string[] = [];
  for await (const { columns } of engine.query(`DESCRIBE TABLE ${view}`, options)) {
    const types = columns.get('data_type') as readonly string[];
    names.push(...(columns.get('col_name') as string[]).filter((_, i) => !/^(array|map|struct|binary)/.test(types[i])));
  }
  return names;
}

function rowOf(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => `"${(cell ?? '').replaceAll('"', '""')}"`).join(',')}\n`;
}
