// What a thread that looks for tags with the same meaning runs: it gets a packed knowledge graph, tells how far it is, and ends with
// the proposals.

import { parentPort, workerData } from 'node:worker_threads';
import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import { unpackFromThread } from '../../models/model-transfer.ts';
import { proposeSynonyms } from './proposals.ts';
import { LEAST_SCORE, shareDone } from './synonym-proposals.ts';

const STEP = 0.01; // news of less is not worth a message
let told = 0;

const graph = unpackFromThread<KnowledgeGraph>(workerData);
const proposals = await proposeSynonyms(graph, {
  minScore: LEAST_SCORE,
  progress(step, count, total) {
    const done = shareDone(step, count, total);
    if (done < told + STEP) return;
    told = done;
    parentPort?.postMessage({ done });
  },
});
parentPort?.postMessage({ proposals });
