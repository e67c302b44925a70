// What a thread that loads a model runs: it reads and checks the file, computes what takes long, and hands all of it over.

import { parentPort, workerData } from 'node:worker_threads';
import { InputError } from '../../errors.ts';
import { loadModel } from '../../models/model-file.ts';
import { packForThread } from '../../models/model-transfer.ts';
import { readied } from './readied-model.ts';

try {
  const { packed, buffers } = packForThread(readied(await loadModel(workerData.path), workerData.tags));
  parentPort?.postMessage({ packed }, buffers);
} catch (error) {
  if (!(error instanceof InputError)) throw error;
  parentPort?.postMessage({ problem: error.problem }); // errors lose their class on the way
}
