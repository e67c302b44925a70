// What counts the data: memory, or a table engine. The options for it, and what they mean to a command.

import { rm } from 'node:fs/promises';
import { Option } from 'commander';
import { understoodText } from '../data/catalogue/understood.ts';
import { dataName } from '../data/data-set.ts';
import { InputError } from '../errors.ts';
import { kindOfPath } from '../platform/node.ts';
import { countData } from '../tables/count-data.ts';
import { findDataFiles, isGlob } from '../tables/data-files.ts';
import { emitSql } from '../tables/emit-sql.ts';
import type { LoadedTables } from '../tables/load-tables.ts';
import { estimatedMemory } from '../tables/memory-estimate.ts';
import { machineMemory } from '../tables/open-engine.ts';
import { holdsRun } from '../tables/run-folder.ts';
import type { StageSettings } from '../tables/stages/stage.ts';
import type { DataChoice, TagMerging } from './options.ts';
import type { Reviewing } from './reviews.ts';
import type { Terminal } from './terminal.ts';

const ENGINES = ['memory', 'duckdb', 'spark'] as const;

export interface TableChoice {
  readonly engine?: (typeof ENGINES)[number];
  readonly memoryLimit?: string;
  readonly temporaryFolder?: string;
  readonly runFolder?: string;
  readonly spark?: string;
  readonly emitSql?: string;
  readonly resume?: true;
  readonly force?: true;
  readonly threads?: number;
}

export const tableOptions = () => [
  new Option('--engine <name>', 'what counts the data; duckdb: out of core (default: memory)').choices(ENGINES),
  new Option('--memory-limit <size>', 'memory for DuckDB, such as 4GB; the rest goes to disk (default: half)'),
  new Option('--temporary-folder <folder>', 'where that goes (default: the temporary folder of the system)'),
  new Option('--run-folder <folder>', 'keeps the tables of a run for --resume (default: FILE.run, removed in the end)'),
  new Option('--spark <url>', 'a Spark Connect server, sc://host:15002'),
  new Option('--emit-sql <folder>', 'writes the SQL statements of the engines instead of training'),
];

/** Whether a table engine counts. */
export function usesTables({ engine }: TableChoice): boolean {
  return engine !== undefined && engine !== 'memory';
}

/** Loads data through a table engine, and says what was understood of them. */
export async function readThroughTables(
  data: string,
  output: string,
  settings: StageSettings,
  options: TableChoice & DataChoice & TagMerging & Reviewing,
  terminal: Terminal,
): Promise<LoadedTables> {
  await refuseFile(data, options.engine);
  refuseChanges(options);
  const runFolder = runFolderOf(output, options);
  await decideOnRun(runFolder, options);
  const { memoryLimit, temporaryFolder, spark, threads } = options;
  const name = options.engine === 'spark' ? 'spark' : 'duckdb';
  const request = { name, data, source: dataName(data), runFolder, settings } as const;
  const loaded = await terminal.during((listening) =>
    countData({ ...request, memoryLimit, temporaryFolder, spark, threads }, { ...textChoice(options), ...listening }),
  );
  if (loaded.understood.columns.length > 0) terminal.note(understoodText(loaded.understood));
  return loaded;
}

function textChoice({ title, text }: DataChoice): Pick<DataChoice, 'title' | 'text'> {
  return { ...(title !== undefined && { title }), ...(text !== undefined && { text }) };
}

export function runFolderOf(output: string, { runFolder }: TableChoice): string {
  return runFolder ?? `${output}.run`;
}

/** After the model is written: a run folder that nobody asked for is removed. */
export async function forgetRun(output: string, options: TableChoice): Promise<void> {
  if (options.runFolder !== undefined) return;
  await rm(runFolderOf(output, options), { recursive: true, force: true });
}

/** Tables of an earlier run are neither thrown away nor gone on from unless the person says which. */
async function decideOnRun(folder: string, { resume, force }: TableChoice): Promise<void> {
  const isThere = await holdsRun(folder);
  if (resume && !isThere) {
    const cure = 'Leave out --resume to start over.';
    throw new InputError({ file: folder, got: 'no tables', expected: 'those of a stopped run', cure });
  }
  if (!isThere || resume) return;
  if (!force) {
    const cure = 'Add --resume to go on from them, or --force to start over.';
    throw new InputError({ file: folder, got: 'the tables of an earlier run', expected: 'an empty folder', cure });
  }
  await rm(folder, { recursive: true, force: true });
}

async function refuseFile(data: string, engine: string | undefined): Promise<void> {
  if (isGlob(data) || (data !== '-' && (await kindOfPath(data)) !== 'file')) return;
  const cure = 'Put tables called tagged, interact and objects into a folder, or leave out --engine.';
  throw new InputError({
    file: data,
    got: `a single file for --engine ${engine}`,
    expected: 'a folder of tables',
    cure,
  });
}

/** What changes tags after they are read would change who is a neighbour. */
function refuseChanges(options: TableChoice & DataChoice & TagMerging & Reviewing): void {
  const given = (['mergeTags', 'reviews', 'id', 'tags', 'separator'] as const).find(
    (name) => options[name] !== undefined,
  );
  if (given === undefined) return;
  const name = `--${given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const cure = `Leave out ${name}, or train with --engine memory.`;
  throw new InputError({ got: `${name} with --engine ${options.engine}`, expected: 'data as they are', cure });
}

/** Writes the statements of both dialects. */
export async function emitStatements(
  data: string,
  output: string,
  settings: StageSettings,
  options: TableChoice,
  terminal: Terminal,
): Promise<void> {
  const folder = options.emitSql as string;
  const files = await emitSql(folder, {
    data: await findDataFiles(data),
    settings,
    tables: runFolderOf(output, options),
  });
  terminal.print(`${files.length} files written to ${folder}; README.md there says how to run them.`);
}

const MOST = 0.9; // of the machine's memory

/** Before anything is read: says so where data will not fit, and what to do instead. */
export async function refuseTooLarge(
  data: string,
  output: string,
  options: TableChoice,
  terminal: Terminal,
): Promise<void> {
  if (options.engine !== undefined || data === '-' || isGlob(data) || (await kindOfPath(data)) !== 'folder') return;
  const found = await findDataFiles(data).catch(() => undefined); // what is wrong with the folder, reading it will say
  const machine = machineMemory();
  if (found === undefined || estimatedMemory(found) < MOST * machine) return;
  const inGigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(0)} GB`;
  const command = terminal.commandLine(
    `train ${data} -o ${output} --engine duckdb --memory-limit ${Math.floor(machine / 2e9)}GB`,
  );
  throw new InputError({
    file: data,
    got: `data that take about ${inGigabytes(estimatedMemory(found))} of memory to train on`,
    expected: `the ${inGigabytes(machine)} of this machine to be enough`,
    cure: `Count on disk: ${command}. Or try in memory anyway: --engine memory.`,
  });
}
