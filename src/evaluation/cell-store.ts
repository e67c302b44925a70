// Results of a comparison on disk, one small JSON file a cell, so that a stopped comparison goes on and a finished cell is
// never fitted twice. A file's name is made from all its cell depends on: with other data or settings it is another cell.
// A glimpse for a report lies in a file of its own, so that figures are found again with and without one.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SplitUnit } from '../data/split.ts';
import { writeFailure } from '../file-failures.ts';
import { makeFolder, writeFile } from '../files.ts';
import type { Cell, CellResult } from './experiment.ts';
import type { GlimpseRequest } from './glimpse.ts';

/** What may fall on one side of a split together. */
export type ComparedUnit = Exclude<SplitUnit, 'group'>;

/** What a result depends on besides its cell. */
export interface CellInputs {
  /** Fingerprint of the data. */
  readonly fingerprint: string;
  readonly settings: Readonly<Record<string, number | string>>;
  readonly ks: readonly number[];
  /** Where not each pair alone falls on one side of a split. */
  readonly by?: ComparedUnit;
  /** Where a report wants to see more than figures. */
  readonly glimpse?: GlimpseRequest;
}

export class CellStore {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(folder: string): Promise<CellStore> {
    await makeFolder(folder).catch((error) => {
      throw writeFailure(error, folder, 'a folder to write');
    });
    return new CellStore(folder);
  }

  /** The result of a cell, if it is there whole, and so is the glimpse that is asked for. */
  async read(cell: Cell, { glimpse: wanted, ...inputs }: CellInputs): Promise<CellResult | undefined> {
    const result = await readJson<CellResult>(this.#path(cell, inputs));
    if (result === undefined || wanted === undefined) return result;
    const glimpse = await readJson<NonNullable<CellResult['glimpse']>>(
      this.#path(cell, { ...inputs, glimpse: wanted }),
    );
    return glimpse && { ...result, glimpse };
  }

  async write({ glimpse, ...result }: CellResult, { glimpse: wanted, ...inputs }: CellInputs): Promise<void> {
    if (glimpse && wanted) await writeJson(this.#path(result, { ...inputs, glimpse: wanted }), glimpse);
    await writeJson(this.#path(result, inputs), { ...result, ...inputs });
  }

  #path({ data, model, seed, trainFraction }: Cell, inputs: CellInputs): string {
    const key = createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 12);
    const name = data.replace(/[^a-zA-Z0-9.-]/g, '_');
    const what = inputs.glimpse === undefined ? '' : '_glimpse';
    return join(this.#folder, `${name}_${model}_${trainFraction}_seed${seed}_${key}${what}.json`);
  }
}

/** Undefined where there is no file, or half of one. */
async function readJson<Value>(path: string): Promise<Value | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(path, JSON.stringify(value), { isShared: true }); // other comparisons may use the same folder
}
