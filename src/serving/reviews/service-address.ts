// Where the service that uses a folder of reviews answers, in a file beside its lock: so that others who want the reviews can
// be told whom to ask. It means something only while the lock is held; one that a crash left behind is never looked at.

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = 'reviews.lock.service'; // files beside the lock begin like it

/** As well as it goes: nothing depends on it. Reviews on a server need none: many may use them at a time. */
export async function writeServiceAddress(store: string, url: string): Promise<void> {
  if (!store.includes('://')) await writeFile(join(store, FILE), `${url}\n`).catch(() => {});
}

export async function removeServiceAddress(store: string): Promise<void> {
  if (!store.includes('://')) await rm(join(store, FILE), { force: true }).catch(() => {});
}

/** Undefined where no service said so. */
export async function readServiceAddress(store: string): Promise<string | undefined> {
  const text = await readFile(join(store, FILE), 'utf8').catch(() => '');
  return /^https?:\/\/[\w.:[\]-]+$/.test(text.trim()) ? text.trim() : undefined;
}
