// Results of a comparison on disk, one small JSON file a cell, so that a stopped comparison goes on and a finished cell is
// never fitted twice. A file's name is made from all its cell depends on: with other data or settings it is another cell.

import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cell, CellResult } from './experiment.ts';

/** What a result depends on besides its cell. */
export interface CellInputs {
  /** Fingerprint of the data. */
  readonly fingerprint: string;
  readonly settings: Readonly<Record<string, number | string>>;
  readonly ks: readonly number[];
}

export class CellStore {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(folder: string): Promise<CellStore> {
    await mkdir(folder, { recursive: true });
    return new CellStore(folder);
  }

  /** The result of a cell, if it is there whole. */
  async read(cell: Cell, inputs: CellInputs): Promise<CellResult | undefined> {
    try {
      return JSON.parse(await readFile(this.#path(cell, inputs), 'utf8'));
    } catch {
      return undefined;
    }
  }

  async write(result: CellResult, inputs: CellInputs): Promise<void> {
    const path = this.#path(result, inputs);
    const partial = `${path}.partial-${process.pid}`;
    await writeFile(partial, JSON.stringify({ ...result, ...inputs }));
    await rename(partial, path);
  }

  #path({ data, model, seed, trainFraction }: Cell, inputs: CellInputs): string {
    const key = createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 12);
    const name = data.replace(/[^a-zA-Z0-9.-]/g, '_');
    return join(this.#folder, `${name}_${model}_${trainFraction}_seed${seed}_${key}.json`);
  }
}
