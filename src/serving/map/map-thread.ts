// What a thread that draws a map runs: it gets a MapTask, tells how far it is, and ends with the map or with the problem.

import { parentPort, workerData } from 'node:worker_threads';
import { InputError } from '../../errors.ts';
import { drawMap } from './draw-map.ts';

const STEP = 0.01; // news of less is not worth a message
let told = 0;

try {
  const drawn = await drawMap(workerData, (done) => {
    if (done < told + STEP) return;
    told = done;
    parentPort?.postMessage({ done });
  });
  parentPort?.postMessage({ drawn });
} catch (error) {
  if (!(error instanceof InputError)) throw error;
  parentPort?.postMessage({ problem: error.problem }); // errors lose their class on the way
}
