// One file of an export: written chunk by chunk, so that no text or array is ever held twice, and stopped between two
// chunks. `stageFile` puts a file in place whole or not at all, as staging.ts does for folders.

import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { refuseExistingFile } from '../data/staging.ts';
import { CancelledError, InputError } from '../errors.ts';
import type { Listener } from '../listener.ts';

const TEXT_CHUNK = 1 << 20; // characters
const BYTE_CHUNK = 1 << 24;

/** What the file holds, for progress, and how many rows of it. */
export interface Contents {
  readonly label: string;
  readonly numRows: number;
}

export class OutputFile {
  readonly #handle: FileHandle;
  readonly #contents: Contents;
  readonly #listener: Listener;

  private constructor(handle: FileHandle, contents: Contents, listener: Listener) {
    this.#handle = handle;
    this.#contents = contents;
    this.#listener = listener;
  }

  /** Opens a file, lets `fill` write it and closes it whatever happens. */
  static async write(
    path: string,
    contents: Contents,
    listener: Listener,
    fill: (file: OutputFile) => Promise<void>,
  ): Promise<void> {
    const handle = await open(path, 'w');
    try {
      const file = new OutputFile(handle, contents, listener);
      file.progress(0);
      await fill(file);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  async append(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      if (this.#listener.signal?.aborted) throw new CancelledError();
      at += (await this.#handle.write(bytes, at, Math.min(BYTE_CHUNK, bytes.length - at))).bytesWritten;
    }
  }

  progress(numDone: number): void {
    this.#listener.progress?.(`writing ${this.#contents.label}`, numDone, this.#contents.numRows);
  }
}

/** Writes lines of text as they come, each with a line feed. */
export async function writeLines(path: string, lines: Iterable<string>, contents: Contents, listener: Listener) {
  await OutputFile.write(path, contents, listener, async (file) => {
    let text = '';
    let numDone = 0;
    for (const line of lines) {
      text += `${line}\n`;
      numDone++;
      if (text.length < TEXT_CHUNK) continue;
      await file.append(Buffer.from(text));
      file.progress(numDone);
      text = '';
    }
    await file.append(Buffer.from(text));
  });
}

export interface FileStagingOptions {
  /** Replaces a file that is already there. */
  readonly force?: boolean;
  /** A file that must survive: the one being read. */
  readonly input?: string;
}

export async function stageFile(
  target: string,
  options: FileStagingOptions,
  write: (path: string) => Promise<void>,
): Promise<void> {
  await refuseTargetFile(target, options);
  const path = resolve(target);
  const partial = `${path}.partial-${process.pid}`;
  try {
    await write(partial);
    await refuseTargetFile(target, options); // again: another run may have been faster
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {}); // the first error is the one to tell
    throw explained(error as NodeJS.ErrnoException, target);
  }
}

/** Said before any work, so that a long reading does not end at a file that cannot be written. */
export async function refuseTargetFile(target: string, { force, input }: FileStagingOptions): Promise<void> {
  const refuse = (got: string, cure: string) => {
    throw new InputError({ file: target, got, expected: 'a file to write', cure });
  };
  if (/[/\\]$/.test(target)) refuse('the name of a folder', 'Name a file in it.');
  const found = await stat(target).catch(() => undefined);
  if (found !== undefined && !found.isFile() && !found.isDirectory()) {
    refuse('a device or a pipe', 'Name a plain file.'); // renaming over one would remove it
  }
  if (found !== undefined && input !== undefined && (await isSame(target, input))) {
    refuse('the model itself, which is to be read', 'Choose another name.');
  }
  await refuseExistingFile(target, force ?? false);
}

async function isSame(path: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([path, other].map((name) => realpath(name).catch(() => resolve(name))));
  return a === b;
}

/** What the system says of the target, as something its owner can mend; any other error as it is. */
function explained(error: NodeJS.ErrnoException, target: string): unknown {
  if (error.code === undefined || error.syscall === undefined) return error;
  const cure = 'Check the path, its rights and the room on the disk.';
  return new InputError({ file: target, got: error.code, expected: 'a file to write', cure }, { cause: error });
}
