// A model and an empty store of reviews beside it, to be served by a process of its own.

import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { modelFile, ownFolder } from '../serving/http/service-under-test.ts';
import { copyEmptyStore } from '../serving/reviews/embedded.ts';

/** The path of the model, in a folder that is gone after the file's last test. */
export async function modelWithStore(): Promise<string> {
  const path = join(await ownFolder(), 'model.tagloom');
  await cp(await modelFile(), path);
  await copyEmptyStore(`${path}.reviews`);
  return path;
}
