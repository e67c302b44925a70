// Runs the stages on real DuckDB over a folder of data, for tests.

import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Csr } from '../../../src/csr.ts';
import type { LoadedCatalogue } from '../../../src/data/catalogue/read-catalogue.ts';
import { findDataFiles } from '../../../src/tables/data-files.ts';
import type { Column, TableEngine } from '../../../src/tables/engine.ts';
import { GRAPH_TABLES, loadGraph, loadNeighbours } from '../../../src/tables/load-tables.ts';
import { RunFolder } from '../../../src/tables/run-folder.ts';
import { runStages } from '../../../src/tables/run-stages.ts';
import type { StageSettings } from '../../../src/tables/stages/stage.ts';

export const SETTINGS: StageSettings = { neighbours: 30, damping: 0.25, rows: 200_000, rareCount: 50 };

export interface CountOptions {
  readonly settings?: Partial<StageSettings>;
  readonly tables?: readonly string[];
  readonly memory?: number;
  /** By default a new one in the folder. */
  readonly run?: string;
}

/** The names of the tables that were computed. */
export async function count(engine: TableEngine, folder: string, options: CountOptions = {}): Promise<string[]> {
  const data = await findDataFiles(folder);
  const run = await RunFolder.open(options.run ?? (await mkdtemp(join(folder, '.run-'))));
  const settings = { ...SETTINGS, ...options.settings };
  const { tables = [...GRAPH_TABLES, 'neighbours'], memory } = options;
  return runStages(tables, { engine, run, data, settings, memory }, {});
}

export async function loadCounted(
  engine: TableEngine,
  folder: string,
  options: CountOptions = {},
): Promise<LoadedCatalogue & { readonly neighbours: Csr }> {
  await count(engine, folder, options);
  const about = (await findDataFiles(folder)).objects.flatMap(({ paths }) => paths);
  const loaded = await loadGraph(engine, about, folder, {});
  return { ...loaded, neighbours: await loadNeighbours(engine, loaded.graph.objects.size, {}) };
}

/** All rows of a query, column by column. */
export async function allRows(engine: TableEngine, sql: string): Promise<Map<string, unknown[]>> {
  const rows = new Map<string, unknown[]>();
  for await (const { columns } of engine.query(sql)) {
    for (const [name, column] of columns) {
      const known = rows.get(name) ?? [];
      known.push(...(column as Iterable<Column[number]>));
      rows.set(name, known);
    }
  }
  return rows;
}
