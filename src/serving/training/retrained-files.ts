// The files of retraining beside a model file, and how they change places. FILE serves; FILE.retrained is a new model that was
// trained and compared; FILE.before is the model before. What is known of a new one is in FILE.retrained.json, and goes with it.
//
// At every moment FILE is one whole model or the other: a new one takes its place by a rename, after the old one got a second
// name. Using the new model and going back are each other's inverse, so either can be repeated for ever. Whoever trains holds
// FILE.retrained.lock; whoever exchanges holds the lock of FILE, as all who write it do.

import { chmod, copyFile, link, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { InputError } from '../../errors.ts';
import { writeFailure } from '../../file-failures.ts';
import { refuseExistingFile, whileReserved, writeFile } from '../../files.ts';
import { LockFile } from '../../lock-file.ts';
import type { Retrained } from './training-messages.ts';

const FRESH_MS = 20_000; // a lock that nobody touched for longer is that of a process that ended, see lock-file.ts

export const retrainedPath = (path: string) => `${path}.retrained`;
export const beforePath = (path: string) => `${path}.before`;
const factsPath = (path: string) => `${path}.json`; // of a retrained model, or of the one before
const lockPath = (path: string) => `${retrainedPath(path)}.lock`;

/** Runs a training: nobody else, in whatever process, trains for the same file meanwhile. */
export async function whileTraining<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const lock = await LockFile.take(lockPath(path), (who) => trainsAlready(path, who)).catch((error) => {
    throw writeFailure(error, retrainedPath(path));
  });
  try {
    return await work();
  } finally {
    await lock.release().catch(() => {});
  }
}

/** Whether another process trains for the file, as far as its lock tells. */
export async function isTrainedElsewhere(path: string): Promise<boolean> {
  const found = await stat(lockPath(path)).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs < FRESH_MS;
}

function trainsAlready(path: string, who: string): InputError {
  const cure = 'Wait until that is done, or stop it there.';
  return new InputError({
    file: path,
    got: `a model that ${who} is training`,
    expected: 'one training at a time',
    cure,
  });
}

/** Writes what is known of a new model, which makes it one that can be used. */
export async function writeRetrained(path: string, retrained: Retrained): Promise<void> {
  await writeFile(factsPath(retrainedPath(path)), `${JSON.stringify(retrained, null, 2)}\n`);
}

/** The new model that waits, where it was compared with the one of this fingerprint. */
export async function readRetrained(path: string, base: string): Promise<Retrained | undefined> {
  const text = await readFile(factsPath(retrainedPath(path)), 'utf8').catch(() => '');
  const retrained = parsed(text);
  if (retrained?.base !== base || !(await isFile(retrainedPath(path)))) return undefined;
  return retrained;
}

/** Whether models were exchanged by someone else, so that the one of this fingerprint is not the one of the file any more. */
export async function wasExchanged(path: string, served: string): Promise<boolean> {
  const [ofBefore, ofNew] = await Promise.all(
    [beforePath(path), retrainedPath(path)].map(async (one) =>
      parsed(await readFile(factsPath(one), 'utf8').catch(() => '')),
    ),
  );
  return ofBefore?.base === served || ofNew?.fingerprint === served;
}

function parsed(text: string): Retrained | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value?.base === 'string' && typeof value?.comparison?.statement === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether there is a model before the one that serves. */
export async function hasBefore(path: string): Promise<boolean> {
  const [now, before] = await Promise.all([path, beforePath(path)].map((one) => stat(one).catch(() => undefined)));
  return before?.isFile() === true && before.ino !== now?.ino; // one file: killed in the middle of an exchange
}

/** FILE becomes FILE.before, FILE.retrained becomes FILE. */
export function exchangeForNew(path: string): Promise<void> {
  return exchanging(path, async () => {
    await keepAs(path, beforePath(path));
    await chmod(retrainedPath(path), (await stat(path)).mode & 0o777).catch(() => {});
    await rename(retrainedPath(path), path);
    await moveFacts(retrainedPath(path), beforePath(path));
  });
}

/** The inverse: FILE becomes FILE.retrained, FILE.before becomes FILE. */
export function exchangeForBefore(path: string): Promise<void> {
  return exchanging(path, async () => {
    await removeFacts(path); // of a model that waits there: killed half way, this one must not be taken for it
    await keepAs(path, retrainedPath(path));
    await rename(beforePath(path), path);
    await moveFacts(beforePath(path), retrainedPath(path));
  });
}

async function exchanging(path: string, exchange: () => Promise<void>): Promise<void> {
  await refuseExistingFile(path, true);
  await whileReserved(path, async () => {
    await exchange().catch((error) => {
      throw writeFailure(error, path, 'a folder to exchange models in');
    });
    await syncFolder(dirname(path)).catch(() => {}); // not every system can force a folder to the disk
  });
}

/** Gives a file a second name, in one step; copies it where the file system has no links. */
async function keepAs(path: string, name: string): Promise<void> {
  const draft = `${name}.partial-0000000000000000`; // as files.ts names what is not finished, so that it is cleared away
  await rm(draft, { force: true });
  await link(path, draft).catch(() => copyFile(path, draft));
  await rename(draft, name);
  await rm(draft, { force: true }); // where both were names of one file, renaming does nothing
}

/** Where there are none, those of another model must not stay. */
async function moveFacts(from: string, to: string): Promise<void> {
  await rename(factsPath(from), factsPath(to)).catch(() => rm(factsPath(to), { force: true }));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** Forgets the new model. What is known of it goes first: a model without that is none. */
export async function removeRetrained(path: string): Promise<void> {
  await removeFacts(path);
  await rm(retrainedPath(path), { force: true }).catch((error) => {
    throw writeFailure(error, retrainedPath(path));
  });
}

/** Before a new model is written in the place of an older one. */
export async function removeFacts(path: string): Promise<void> {
  await rm(factsPath(retrainedPath(path)), { force: true }).catch((error) => {
    throw writeFailure(error, retrainedPath(path));
  });
}

/** Removes what a training that was killed left behind; nothing where one runs. As well as it goes: the next one tries again. */
export async function clearAfterTraining(path: string): Promise<void> {
  const leftovers = await leftoversOf(path).catch(() => []);
  if (leftovers.length === 0) return;
  await whileTraining(path, async () => {
    for (const name of await leftoversOf(path)) {
      if (name !== basename(lockPath(path))) await rm(join(dirname(path), name), { force: true });
    }
    if (!(await isFile(factsPath(retrainedPath(path))))) await rm(retrainedPath(path), { force: true });
  }).catch(() => {});
}

async function leftoversOf(path: string): Promise<string[]> {
  const name = basename(retrainedPath(path));
  const isLeft = (one: string) =>
    [`${name}.partial-`, `${name}.json.partial-`, `${name}.lock`, `${basename(beforePath(path))}.partial-`].some(
      (prefix) => one.startsWith(prefix),
    );
  const names = await readdir(dirname(path));
  const isUnknown = names.includes(name) && !names.includes(basename(factsPath(retrainedPath(path))));
  return [...names.filter(isLeft), ...(isUnknown ? [name] : [])];
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
