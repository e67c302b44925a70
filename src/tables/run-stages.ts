// Runs stages on an engine: each table is computed where the run folder does not hold it, and is a view afterwards.

import { InputError } from '../errors.ts';
import type { Listener } from '../listener.ts';
import type { FileFacts, FoundFiles } from './data-files.ts';
import { DIALECTS, type Dialect } from './dialect.ts';
import type { RunOptions, TableEngine } from './engine.ts';
import { keyOf, type Origin, type RunFolder } from './run-folder.ts';
import { SparkError } from './spark/spark-error.ts';
import { stagesFor } from './stages/all-stages.ts';
import { sourceViews } from './stages/sources.ts';
import type { Part, Stage, StageSettings } from './stages/stage.ts';

export interface StageRun {
  readonly engine: TableEngine;
  readonly run: RunFolder;
  readonly data: FoundFiles;
  readonly settings: StageSettings;
  /** Bytes of memory that the engine has, where it computes in parts. */
  readonly memory?: number | undefined;
}

/** Computes tables and all they take; the names of those computed now. */
export async function runStages(wanted: readonly string[], stageRun: StageRun, listener: Listener): Promise<string[]> {
  const { engine, run, data, settings } = stageRun;
  const dialect = DIALECTS[engine.name];
  await openSources(stageRun, listener);
  const stages = stagesFor(wanted);
  const keys = new Map<string, string>();
  const computed: string[] = [];
  const ofData = data.files.map(fingerprint);
  for (const [i, stage] of stages.entries()) {
    const origin = originOf(stage, dialect, settings, (input) => keys.get(input) ?? ofData.join('\n'));
    const key = keyOf(origin);
    keys.set(stage.name, key);
    if (!(await run.holds(stage.name, key))) {
      const report = (share: number) => listener.progress?.('counting', i + share, stages.length, stage.name);
      report(0);
      await compute(stage, origin, stageRun, report, listener);
      computed.push(stage.name);
    }
    await engine.run(dialect.viewOfWritten(stage.name, run.filesOf(stage.name, key)), optionsOf(listener));
  }
  return computed;
}

/** Makes the views of the data; what is wrong with a column is said of its file. */
export async function openSources(
  { engine, data }: Pick<StageRun, 'engine' | 'data'>,
  listener: Listener,
): Promise<void> {
  const dialect = DIALECTS[engine.name];
  const files: Readonly<Record<string, readonly string[]>> = {
    tagged: data.tagged.paths,
    interact: data.interact?.paths ?? [],
    objects: data.objects.flatMap(({ paths }) => paths),
  };
  for (const statement of sourceViews(dialect, data)) {
    await engine.run(statement, optionsOf(listener)).catch((error) => {
      const table = /VIEW (?:data|files)_([a-z]+)/.exec(statement)?.[1] ?? '';
      throw inFile(error, shortList(files[table]));
    });
  }
}

const FEW_FILES = 3;

function shortList(paths: readonly string[]): string {
  return [...paths.slice(0, FEW_FILES), ...(paths.length > FEW_FILES ? ['…'] : [])].join(', ');
}

/** What an engine says of a statement, said of the file that it reads; what it says of itself stays as it is. */
function inFile(error: unknown, file: string): unknown {
  if (!(error instanceof InputError)) return error;
  const { file: place = '' } = error.problem;
  const isOfStatement = place === '' || (error.cause instanceof SparkError && place.startsWith('sc://'));
  return isOfStatement ? new InputError({ ...error.problem, file }, { cause: error.cause }) : error;
}

function originOf(
  stage: Stage,
  dialect: Dialect,
  settings: StageSettings,
  keyOfInput: (input: string) => string,
): Origin {
  return {
    table: stage.name,
    statement: stage.query(dialect, settings),
    inputs: stage.inputs.map((input) => `${input} ${keyOfInput(input)}`),
  };
}

function fingerprint({ path, numBytes, changed }: FileFacts): string {
  return JSON.stringify([path, numBytes, changed]);
}

async function compute(
  stage: Stage,
  origin: Origin,
  stageRun: StageRun,
  report: (share: number) => void,
  listener: Listener,
): Promise<void> {
  const { engine, run, settings } = stageRun;
  const dialect = DIALECTS[engine.name];
  const parts = stage.hasParts ? await partsOf(stageRun, listener) : [undefined];
  await run.write(origin, parts.length, async (path, p) => {
    const onProgress = (share: number) => report((p + share) / parts.length);
    onProgress(0);
    const query = stage.query(dialect, settings, parts[p]);
    await engine.run(dialect.writing(query, path), { ...optionsOf(listener), onProgress });
  });
}

const BYTES_PER_PATH = 64; // of a path object → user → object while it is summed and ranked: 0.9 GB for 16 million took 55

/** As many parts of the objects as memory asks for; one where nothing is known of it. */
async function partsOf({ engine, memory }: StageRun, listener: Listener): Promise<(Part | undefined)[]> {
  if (memory === undefined) return [undefined];
  const numObjects = await numberIn(engine, 'SELECT count(*) AS n FROM object_names', listener);
  const numPaths = await numberIn(
    engine,
    `SELECT coalesce(sum(CAST(w.num_objects AS DOUBLE) * least(w.num_objects, p.most)), 0) AS n
FROM user_weights AS w CROSS JOIN path_cap AS p`,
    listener,
  );
  const numParts = Math.max(1, Math.min(numObjects, Math.ceil((numPaths * BYTES_PER_PATH) / memory)));
  if (numParts === 1) return [undefined];
  const startOf = (part: number) => Math.round((part * numObjects) / numParts);
  return Array.from({ length: numParts }, (_, part) => ({ first: startOf(part), end: startOf(part + 1) }));
}

/** The one number, called n, that a query returns. */
export async function numberIn(engine: TableEngine, query: string, listener: Listener): Promise<number> {
  for await (const { columns } of engine.query(query, optionsOf(listener))) {
    return Number((columns.get('n') as Float64Array | BigInt64Array)[0]);
  }
  throw new Error(`Got no rows when expected one: ${query}`);
}

export function optionsOf({ signal }: Listener): RunOptions {
  return signal ? { signal } : {};
}
