// What a thread that draws a map runs: it gets a MapTask, tells how far it is, and ends with the map.

import { parentPort, workerData } from 'node:worker_threads';
import { drawMap } from './draw-map.ts';

const STEP = 0.01; // news of less is not worth a message
let told = 0;

const drawn = await drawMap(workerData, (done) => {
  if (done < told + STEP) return;
  told = done;
  parentPort?.postMessage({ done });
});
parentPort?.postMessage({ drawn });
