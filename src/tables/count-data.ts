// The whole of counting: the tables of a data set are computed in a run folder, and what a fit needs of them is loaded.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadedCatalogue } from '../data/catalogue/read-catalogue.ts';
import type { ObjectsOptions } from '../data/objects-table.ts';
import { InputError } from '../errors.ts';
import { BYTES_PER_PAIR, countedNeighbours } from '../graph/counted-neighbours.ts';
import type { Listener } from '../listener.ts';
import { isWithin } from '../size-limits.ts';
import { type FoundFiles, findDataFiles } from './data-files.ts';
import type { TableEngine } from './engine.ts';
import { GRAPH_TABLES, type LoadedTables, loadGraph, loadNeighbours, loadSample } from './load-tables.ts';
import { type EngineRequest, openEngine } from './open-engine.ts';
import { writePairs } from './pair-file.ts';
import { RunFolder } from './run-folder.ts';
import { numberIn, runStages } from './run-stages.ts';
import { checkShared } from './shared-folder.ts';
import { fetchObjects } from './spark/fetch-objects.ts';
import { findRemoteData, isRemote } from './spark/find-data.ts';
import type { StageSettings } from './stages/stage.ts';

export interface CountRequest extends EngineRequest {
  /** A folder or a glob; for Spark also an address (s3a://bucket/shop) or a schema (table:main.shop). */
  readonly data: string;
  /** What the data are called. */
  readonly source: string;
  readonly runFolder: string;
  /** An address where Spark keeps the tables, if that is not the run folder. */
  readonly tablesAt?: string | undefined;
  readonly settings: StageSettings;
  /** With more pairs of users and objects, the engine finds neighbours; by default, with more than fit into its memory. */
  readonly maxPairsHere?: number;
}

/**
 * Counts and loads all that a fit needs. Where it learns from a sample, the pairs of users and objects stay in a file. The engine is
 * closed before it returns: its memory is for the fit.
 */
export async function countData(request: CountRequest, options: ObjectsOptions): Promise<LoadedTables> {
  const { loaded, ...counted } = await withTables(request, options, async (counting) => {
    const { engine, load, compute } = counting;
    await compute([...GRAPH_TABLES, 'user_weights', 'sample']);
    const sample = await loadSample(engine, options);
    const holdsUsers = sample.weights === undefined;
    const loaded = await load(holdsUsers);
    const numObjects = loaded.graph.objects.size;
    const users = holdsUsers ? undefined : await writePairs(engine, request.runFolder, numObjects, options);
    if (await isCountedHere(counting, request.maxPairsHere, options)) return { loaded, sample, users };
    await compute(['neighbours']);
    return { loaded, sample, users, neighbours: await loadNeighbours(engine, numObjects, options) };
  });
  const { sample, users, neighbours } = counted;
  if (users === undefined || neighbours !== undefined) return { ...loaded, counted: { neighbours, sample, users } };
  const { damping, neighbours: most } = request.settings;
  const found = await countedNeighbours(users, loaded.graph.tagged, { damping, most }, options);
  return { ...loaded, counted: { neighbours: found, sample, users } };
}

/**
 * Whether neighbours are found without the engine, which takes many times as long: where all pairs fit into the memory that it was
 * given. A cluster is there to count.
 */
async function isCountedHere(
  { engine, memory }: Counting,
  most: number | undefined,
  listener: Listener,
): Promise<boolean> {
  if (memory === undefined) return false;
  const numPairs = await numberIn(engine, 'SELECT count(*) AS n FROM interact', listener);
  return numPairs <= (most ?? memory / BYTES_PER_PAIR) && isWithin('pairs', numPairs);
}

/** The data alone, without neighbours. */
export function readCounted(request: CountRequest, options: ObjectsOptions): Promise<LoadedCatalogue> {
  return withTables(request, options, async ({ compute, load }) => {
    await compute(GRAPH_TABLES);
    return load(true);
  });
}

interface Counting extends Pick<OpenedData, 'engine' | 'memory'> {
  /** Computes tables of the run folder, where it does not hold them. */
  readonly compute: (tables: readonly string[]) => Promise<unknown>;
  /** After the tables of the graph. */
  readonly load: (holdsUsers: boolean) => Promise<LoadedCatalogue>;
}

async function withTables<Result>(
  request: CountRequest,
  options: ObjectsOptions,
  use: (counting: Counting) => Promise<Result>,
): Promise<Result> {
  const { settings, runFolder, tablesAt, source } = request;
  return withData(request, options, async ({ engine, memory, data }) => {
    const run = await RunFolder.open(runFolder, tablesAt);
    if (engine.name === 'spark' && tablesAt === undefined) await checkShared(engine, runFolder, options);
    const compute = (tables: readonly string[]) => runStages(tables, { engine, run, data, settings, memory }, options);
    const load = async (holdsUsers: boolean) => {
      const about = await mkdtemp(join(tmpdir(), 'tagloom-objects-'));
      try {
        const paths = isRemote(request.data)
          ? await fetchObjects(engine, data, about, options)
          : data.objects.flatMap((files) => files.paths);
        return await loadGraph(engine, paths, source, { ...options, holdsUsers });
      } finally {
        await rm(about, { recursive: true, force: true });
      }
    };
    return use({ engine, memory, compute, load });
  });
}

export interface OpenedData {
  readonly engine: TableEngine;
  readonly memory: number | undefined;
  readonly data: FoundFiles;
}

/** Opens the engine and finds the data; closes it in the end. */
export async function withData<Result>(
  request: EngineRequest & Pick<CountRequest, 'data'>,
  listener: Listener,
  work: (opened: OpenedData) => Promise<Result>,
): Promise<Result> {
  if (request.name !== 'spark') refuseRemote(request.data, request.name);
  const local = isRemote(request.data) ? undefined : await findDataFiles(request.data); // before the engine takes time to open
  const { engine, memory } = await openEngine(request);
  try {
    const data = local ?? (await findRemoteData(engine, request.data, listener));
    return await work({ engine, memory, data });
  } finally {
    await engine.close();
  }
}

/** What only Spark opens needs Spark. */
export function refuseRemote(data: string, engine: string): void {
  if (!isRemote(data)) return;
  const cure = 'Add --engine spark --spark sc://HOST:15002, or copy the data to a folder of this machine.';
  throw new InputError({ file: data, got: `an address for --engine ${engine}`, expected: 'a file or a folder', cure });
}
