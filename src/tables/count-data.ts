// The whole of counting: the tables of a data set are computed in a run folder, and what a fit needs of them is loaded.

import type { ObjectsOptions } from '../data/objects-table.ts';
import { findDataFiles } from './data-files.ts';
import { LOADED_TABLES, type LoadedTables, loadTables } from './load-tables.ts';
import { type EngineRequest, openEngine } from './open-engine.ts';
import { RunFolder } from './run-folder.ts';
import { runStages } from './run-stages.ts';
import type { StageSettings } from './stages/stage.ts';

export interface CountRequest extends EngineRequest {
  /** A folder, or a glob. */
  readonly data: string;
  /** What the data are called. */
  readonly source: string;
  readonly runFolder: string;
  readonly settings: StageSettings;
}

/** The engine is closed before it returns: its memory is for the fit. */
export async function countData(request: CountRequest, options: ObjectsOptions): Promise<LoadedTables> {
  const { settings, runFolder, source } = request;
  const data = await findDataFiles(request.data);
  const { engine, memory } = await openEngine(request);
  try {
    const run = await RunFolder.open(runFolder);
    await runStages(LOADED_TABLES, { engine, run, data, settings, memory }, options);
    return await loadTables(engine, data, source, options);
  } finally {
    await engine.close();
  }
}
