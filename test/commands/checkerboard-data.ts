// The checkerboard as a data set on disk, and settings that make a model of it in no time.

import { join } from 'node:path';
import { writeFolder } from '../../src/data/write-folder.ts';
import { checkerboard } from '../checkerboard.ts';
import { tempFolder } from '../temp-folder.ts';

export const QUICK = ['--set', 'epochs=4', '--set', 'hidden=8', '--set', 'output=4', '--set', 'batchSize=64'];

/** A folder with the checkerboard in it, as `data` by default. */
export async function prepared(name = 'data'): Promise<{ folder: string; data: string; file: string }> {
  const folder = await tempFolder({ [`${name}/.keep`]: '' });
  const data = join(folder, name);
  await writeFolder(data, checkerboard());
  return { folder, data, file: join(folder, 'model') };
}
