// What counts the data: memory, or a table engine. The options for it, and what they mean to a command.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Option } from 'commander';
import type { LoadedCatalogue } from '../data/catalogue/read-catalogue.ts';
import { understoodText } from '../data/catalogue/understood.ts';
import { dataName } from '../data/data-set.ts';
import { InputError } from '../errors.ts';
import { kindOfPath } from '../platform/node.ts';
import { countData, readCounted, refuseRemote } from '../tables/count-data.ts';
import { findDataFiles, isGlob } from '../tables/data-files.ts';
import { isUri } from '../tables/dialect.ts';
import { emitSql } from '../tables/emit-sql.ts';
import type { LoadedTables } from '../tables/load-tables.ts';
import { estimatedMemory } from '../tables/memory-estimate.ts';
import { type EngineRequest, machineMemory } from '../tables/open-engine.ts';
import { holdsRun } from '../tables/run-folder.ts';
import { assumedData, isRemote } from '../tables/spark/find-data.ts';
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

/** Which engine, and how it is reached. */
export const countingOptions = () => [
  new Option(
    '--engine <name>',
    'what counts the data; duckdb: out of core, spark: on a cluster (default: memory)',
  ).choices(ENGINES),
  new Option('--memory-limit <size>', 'memory for DuckDB, such as 4GB; the rest goes to disk (default: half)'),
  new Option('--temporary-folder <folder>', 'where that goes (default: the temporary folder of the system)'),
  new Option('--spark <url>', 'a Spark Connect server, sc://host:15002').env('SPARK_REMOTE'),
];

export const tableOptions = () => [
  ...countingOptions(),
  new Option(
    '--run-folder <folder>',
    'keeps the tables of a run for --resume; for Spark also s3a://… (default: FILE.run, removed in the end)',
  ),
  new Option('--emit-sql <folder>', 'writes the SQL statements of the engines instead of training'),
];

/** Whether a table engine counts. */
export function usesTables({ engine }: TableChoice): boolean {
  return engine !== undefined && engine !== 'memory';
}

/** The engine that was asked for. */
export function engineRequest(options: TableChoice): EngineRequest {
  const { engine, memoryLimit, temporaryFolder, spark, threads } = options;
  return { name: engine === 'spark' ? 'spark' : 'duckdb', memoryLimit, temporaryFolder, spark, threads };
}

/** Loads data and neighbours through a table engine, and says what was understood of them. */
export async function readThroughTables(
  data: string,
  output: string,
  settings: StageSettings,
  options: TableChoice & DataChoice & TagMerging & Reviewing,
  terminal: Terminal,
): Promise<LoadedTables> {
  await refuseForTables(data, options);
  const places = placesOf(output, options);
  await decideOnRun(places.runFolder, options);
  const request = { ...engineRequest(options), data, source: dataName(data), ...places, settings };
  const loaded = await terminal.during((listening) => countData(request, { ...textChoice(options), ...listening }));
  if (loaded.understood.columns.length > 0) terminal.note(understoodText(loaded.understood));
  return loaded;
}

/** Loads data alone through a table engine, in a run folder that is gone afterwards unless it was asked for. */
export async function readDataThroughTables(
  data: string,
  options: TableChoice & DataChoice & TagMerging,
  terminal: Terminal,
): Promise<LoadedCatalogue> {
  await refuseForTables(data, options);
  const parent = await mkdtemp(join(tmpdir(), 'tagloom-run-'));
  try {
    const places = placesOf(join(parent, 'data'), options);
    const request = { ...engineRequest(options), data, source: dataName(data), ...places, settings: NO_SETTINGS };
    const loaded = await terminal.during((listening) => readCounted(request, { ...textChoice(options), ...listening }));
    if (loaded.understood.columns.length > 0) terminal.note(understoodText(loaded.understood));
    return loaded;
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

/** Ids and pairs depend on none. */
const NO_SETTINGS: StageSettings = { neighbours: 0, damping: 0, rows: 0, rareCount: 0 };

/** What an engine cannot take. */
export async function refuseForTables(
  data: string,
  options: TableChoice & DataChoice & TagMerging & Reviewing,
): Promise<void> {
  await refuseFile(data, options.engine);
  refuseChanges(options);
}

function textChoice({ title, text }: DataChoice): Pick<DataChoice, 'title' | 'text'> {
  return { ...(title !== undefined && { title }), ...(text !== undefined && { text }) };
}

interface Places {
  readonly runFolder: string;
  readonly tablesAt?: string;
}

/** An address as a run folder is where Spark keeps the tables; which of them are whole is still noted here. */
function placesOf(output: string, { runFolder, engine }: TableChoice): Places {
  if (runFolder === undefined || !isUri(runFolder)) return { runFolder: runFolder ?? `${output}.run` };
  if (engine === 'duckdb') {
    const cure = 'Name a folder of this machine, or use --engine spark.';
    throw new InputError({ got: `--run-folder ${runFolder} for DuckDB`, expected: 'a folder', cure });
  }
  return { runFolder: `${output}.run`, tablesAt: runFolder };
}

/** After the model is written: a run folder that nobody asked for is removed. */
export async function forgetRun(output: string, options: TableChoice): Promise<void> {
  if (options.runFolder !== undefined) return;
  await rm(placesOf(output, options).runFolder, { recursive: true, force: true });
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
  if (isRemote(data) || isGlob(data) || (data !== '-' && (await kindOfPath(data)) !== 'file')) return;
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
  const { runFolder, tablesAt = runFolder } = placesOf(output, { ...options, engine: 'spark' });
  const found = isRemote(data) ? assumedData(data) : await findDataFiles(data);
  const files = await emitSql(folder, { data: found, settings, tables: tablesAt, isRemote: isRemote(data) });
  terminal.print(`${files.length} files written to ${folder}; README.md there says how to run them.`);
}

/** As a shell takes it. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

const MOST = 0.9; // of the machine's memory

/** Before anything is read: says so where data will not fit, and what to do instead. */
export async function refuseTooLarge(
  data: string,
  output: string,
  options: TableChoice,
  terminal: Terminal,
): Promise<void> {
  if (!usesTables(options)) refuseRemote(data, 'memory');
  if (options.engine !== undefined || data === '-' || isGlob(data) || (await kindOfPath(data)) !== 'folder') return;
  const found = await findDataFiles(data).catch(() => undefined); // what is wrong with the folder, reading it will say
  const machine = machineMemory();
  if (found === undefined || estimatedMemory(found) < MOST * machine) return;
  const inGigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(0)} GB`;
  const command = terminal.commandLine(
    `train ${quoted(data)} -o ${quoted(output)} --engine duckdb --memory-limit ${Math.floor(machine / 2e9)}GB`,
  );
  throw new InputError({
    file: data,
    got: `data that take about ${inGigabytes(estimatedMemory(found))} of memory to train on`,
    expected: `the ${inGigabytes(machine)} of this machine to be enough`,
    cure: `Count on disk: ${command}. Or try in memory anyway: --engine memory.`,
  });
}
