// The statements of a run as files, for people who run them by hand or by another tool: one folder for each dialect, in order.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFailure } from '../file-failures.ts';
import { DIALECTS, type Dialect, isUri } from './dialect.ts';
import { ALL_STAGES } from './stages/all-stages.ts';
import { type DataFiles, sourceViews } from './stages/sources.ts';
import type { StageSettings } from './stages/stage.ts';

export interface Emitted {
  readonly data: DataFiles;
  readonly settings: StageSettings;
  /** Where the tables are written. */
  readonly tables: string;
  /** Whether only Spark can open the data: then there are no statements for DuckDB, and the data are taken to be Parquet. */
  readonly isRemote?: boolean;
}

/** Writes the statements of all dialects below a folder; the paths of the files. */
export async function emitSql(folder: string, emitted: Emitted): Promise<string[]> {
  const files = new Map<string, string>([['README.md', readme(emitted)]]);
  const dialects = Object.values(DIALECTS).filter(({ name }) => name === 'spark' || !emitted.isRemote);
  for (const dialect of dialects) {
    for (const [name, sql] of scriptsOf(dialect, emitted)) files.set(join(dialect.name, name), sql);
  }
  try {
    for (const { name } of dialects) await mkdir(join(folder, name), { recursive: true });
    for (const [name, text] of files) await writeFile(join(folder, name), text);
  } catch (error) {
    throw writeFailure(error, folder, 'a folder to write');
  }
  return [...files.keys()];
}

function scriptsOf(dialect: Dialect, { data, settings, tables }: Emitted): [name: string, sql: string][] {
  const scripts: [string, string][] = [['00-data.sql', statements(sourceViews(dialect, data))]];
  for (const [i, stage] of ALL_STAGES.entries()) {
    const path = `${within(tables, stage.name)}/part-1-of-1.parquet`;
    const view = dialect.viewOfWritten(stage.name, within(tables, stage.name));
    const body = [dialect.writing(stage.query(dialect, settings), path), view];
    scripts.push([`${String(i + 1).padStart(2, '0')}-${stage.name}.sql`, `-- ${stage.about}\n${statements(body)}`]);
  }
  return scripts;
}

function statements(all: readonly string[]): string {
  return all.map((one) => `${one};\n`).join('\n');
}

/** Of a folder of this machine, or of an address. */
function within(tables: string, name: string): string {
  return isUri(tables) ? `${tables.replace(/\/+$/, '')}/${name}` : join(tables, name);
}

function readme({ settings, tables, isRemote = false }: Emitted): string {
  const lines = ALL_STAGES.map(({ name, about, inputs }) => `- \`${name}\`, from ${inputs.join(', ')}. ${about}`);
  const about = isRemote
    ? `The statements for Spark are in \`spark/\`. \`00-data.sql\` takes it that there are all three tables, each a folder of Parquet files or a table of the
catalogue: change it where that is otherwise. Run the files in the order of their names, all in one session:`
    : 'The same statements in two dialects: `duckdb/` and `spark/`. Run the files of one of them in the order of their names, all in one session:';
  const folders = `    mkdir -p ${ALL_STAGES.map(({ name }) => within(tables, name)).join(' ')}\n    cat duckdb/*.sql | duckdb\n`;
  return `# Counting for loom, as SQL

${about}
the views that one file makes are read by the next.

${isRemote ? '' : folders}    cat spark/*.sql > all.sql && spark-sql -f all.sql

Tables are written below \`${tables}\`. Settings: ${settings.neighbours} neighbours, damping ${settings.damping}, about ${settings.rows} rows to learn from, tags of up to ${settings.rareCount} objects are rare.

${lines.join('\n')}
`;
}
