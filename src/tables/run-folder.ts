// The folder of a run: a subfolder for each table that is whole, with its Parquet files and a manifest that says what it was
// computed from. A table is written under a temporary name and renamed, so that what was stopped is never taken for whole.
// Tables may lie elsewhere, where only the engine writes: the folder then holds a note in place of each file.

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { writeFailure } from '../file-failures.ts';
import { syncTree } from '../files.ts';

const MANIFEST = '_manifest.json'; // engines leave out files that begin with an underscore
const VERSION = 1;

/** What a table was computed from. */
export interface Origin {
  readonly table: string;
  readonly statement: string;
  /** Of the tables and files it reads. */
  readonly inputs: readonly string[];
}

interface Manifest {
  readonly version: number;
  readonly key: string;
  readonly statement: string;
  /** Bytes by name. */
  readonly files: Readonly<Record<string, number>>;
}

/** One number for all that a table depends on. */
export function keyOf({ table, statement, inputs }: Origin): string {
  return createHash('sha256')
    .update(JSON.stringify([VERSION, table, statement, inputs]))
    .digest('hex');
}

export class RunFolder {
  readonly path: string;
  /** An address below which the engine writes the tables; undefined where that is the folder itself. */
  readonly elsewhere: string | undefined;

  private constructor(path: string, elsewhere: string | undefined) {
    this.path = path;
    this.elsewhere = elsewhere?.replace(/\/+$/, '');
  }

  static async open(path: string, elsewhere?: string): Promise<RunFolder> {
    await mkdir(path, { recursive: true }).catch((error) => {
      throw writeFailure(error, path, 'a folder for the tables of a run');
    });
    return new RunFolder(path, elsewhere);
  }

  /** Where the files of a whole table are. */
  filesOf(table: string, key: string): string {
    return this.elsewhere === undefined ? this.#folderOf(table) : this.#elsewhereOf(table, key);
  }

  #folderOf(table: string): string {
    return join(this.path, table);
  }

  /** Nothing can be renamed there: the key in the name tells tables of different runs apart. */
  #elsewhereOf(table: string, key: string): string {
    return `${this.elsewhere}/${table}-${key.slice(0, 16)}`;
  }

  /** Whether a table is there, whole, and computed from the same. */
  async holds(table: string, key: string): Promise<boolean> {
    const folder = this.#folderOf(table);
    const manifest = await readManifest(folder);
    if (manifest === undefined || manifest.key !== key) return false;
    const found = await sizesIn(folder);
    const wanted = Object.entries(manifest.files);
    return wanted.length > 0 && wanted.every(([name, size]) => found.get(name) === size);
  }

  /**
   * Writes a table: `write` is asked for each part, a path to write at. Parts that a stopped run left whole are kept where they
   * belong to the same key and the same number of parts.
   */
  async write(
    { table, statement, ...origin }: Origin,
    numParts: number,
    write: (path: string, part: number) => Promise<void>,
  ): Promise<void> {
    const key = keyOf({ table, statement, ...origin });
    const partial = join(this.path, `${table}.${key.slice(0, 16)}.partial`);
    await this.#dropPartials(table, basename(partial));
    try {
      await mkdir(partial, { recursive: true });
      for (const name of await readdir(partial)) {
        const isKept = name.endsWith(`-of-${numParts}.parquet`);
        if (!isKept) await rm(join(partial, name), { recursive: true, force: true });
      }
      for (let part = 0; part < numParts; part++) {
        const name = `part-${part + 1}-of-${numParts}.parquet`;
        const path = join(partial, name);
        if (await isThere(path)) continue;
        if (this.elsewhere === undefined) await write(`${path}.tmp`, part);
        else {
          const place = `${this.#elsewhereOf(table, key)}/${name}`;
          await write(place, part);
          await writeFile(`${path}.tmp`, place);
        }
        await rename(`${path}.tmp`, path);
      }
      await this.#finish(partial, table, { version: VERSION, key, statement });
    } catch (error) {
      throw writeFailure(error, this.path, 'a folder for the tables of a run');
    }
  }

  async #finish(partial: string, table: string, about: Omit<Manifest, 'files'>): Promise<void> {
    const manifest: Manifest = { ...about, files: Object.fromEntries(await sizesIn(partial)) };
    await writeFile(join(partial, MANIFEST), JSON.stringify(manifest, null, 2));
    await syncTree(partial);
    await rm(this.#folderOf(table), { recursive: true, force: true });
    await rename(partial, this.#folderOf(table));
  }

  /** What runs with other settings left of a table. */
  async #dropPartials(table: string, except: string): Promise<void> {
    for (const name of await readdir(this.path)) {
      const isPartial = name.startsWith(`${table}.`) && name.endsWith('.partial');
      if (isPartial && name !== except) await rm(join(this.path, name), { recursive: true, force: true });
    }
  }
}

/** Whether a folder holds something of a run. */
export async function holdsRun(path: string): Promise<boolean> {
  const names = await readdir(path).catch(() => []);
  return names.length > 0;
}

/** Undefined where there is none that can be read: the table is then computed again. */
async function readManifest(folder: string): Promise<Manifest | undefined> {
  try {
    const read: unknown = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8'));
    const { version, key, files } = read as Partial<Manifest>;
    const isOne = version === VERSION && typeof key === 'string' && typeof files === 'object' && files !== null;
    return isOne ? (read as Manifest) : undefined;
  } catch {
    return undefined;
  }
}

/** Bytes of files below a folder, by their paths in it. */
async function sizesIn(folder: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const name of await readdir(folder, { recursive: true })) {
    const about = await stat(join(folder, name));
    if (about.isFile() && name !== MANIFEST) sizes.set(name, about.size);
  }
  return sizes;
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
