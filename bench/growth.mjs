// How the cost of training DGE grows with the data, and what counting paths costs.
//   npm run bench:growth -- [DATA_FOLDER]
// Synthetic data with 1, 2, 4 and 8 times the objects, each with as many users and tags as before, trained for a few
// epochs with the default settings. DATA_FOLDER (MovieLens-1M, say): its paths are counted, in a process of its own.

import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { load } from '../dist/data/data-set.js';
import { GraphBuilder } from '../dist/data/knowledge-graph.js';
import { numPaths } from '../dist/graph/capped-middles.js';
import { countPaths } from '../dist/graph/path-counts.js';
import { train } from '../dist/pipeline.js';
import { Random } from '../dist/random.js';

const SIZES = [1, 2, 4, 8];
const EPOCHS = 5;
const REPEATS = 3;
const COMMUNITY = 200; // objects that share users and tags: neighbourhoods stay as large as the data grows

const [argument, childArgument] = process.argv.slice(2);
if (argument === '--paths') await countChild(childArgument);
else await main(argument);

async function main(folder) {
  console.log(`node ${process.version}, ${cpus()[0].model}, medians of ${REPEATS} runs`);
  if (folder !== undefined) reportPaths(folder);
  const seconds = SIZES.map(() => []);
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    for (const [i, size] of SIZES.entries()) {
      const graph = synthetic(10_000 * size);
      const before = performance.now();
      await train(graph, { model: 'dge', settings: { epochs: EPOCHS, validation: 0 } });
      seconds[i].push((performance.now() - before) / 1000);
    }
  }
  const medians = seconds.map(median);
  for (const [i, size] of SIZES.entries()) {
    const ratio = i === 0 ? '' : `, ${(medians[i] / medians[i - 1]).toFixed(2)} × the line above`;
    console.log(`${10_000 * size} objects, ${EPOCHS} epochs: ${medians[i].toFixed(1)} s${ratio}`);
  }
}

/** Every object with 10 users and 6 tags of its community. */
function synthetic(numObjects) {
  const builder = new GraphBuilder();
  const random = new Random(1, 'growth');
  for (let object = 0; object < numObjects; object++) {
    const community = Math.floor(object / COMMUNITY);
    const id = builder.objects.add(`o${object}`);
    for (let i = 0; i < 10; i++) builder.interact.add(builder.users.add(`u${community} ${random.below(100)}`), id);
    for (let i = 0; i < 6; i++) builder.tagged.add(id, builder.tags.add(`t${community} ${random.below(60)}`));
  }
  return builder.finish();
}

function reportPaths(folder) {
  const runs = Array.from({ length: REPEATS }, () => {
    const script = fileURLToPath(import.meta.url);
    return JSON.parse(spawnSync(process.execPath, [script, '--paths', folder], { encoding: 'utf8' }).stdout);
  });
  const ms = median(runs.map((run) => run.ms));
  const peak = median(runs.map((run) => run.maxRss));
  const { paths, edges } = runs[0];
  console.log(
    `${folder}: ${paths} paths, ${edges} edges: ${(ms / 1000).toFixed(2)} s, peak ${(peak / 1e6).toFixed(0)} MB`,
  );
}

async function countChild(folder) {
  const { interact } = await load(folder);
  const before = performance.now();
  const { columns } = await countPaths(interact);
  const ms = performance.now() - before;
  const maxRss = process.resourceUsage().maxRSS * 1024;
  process.stdout.write(JSON.stringify({ ms, maxRss, paths: numPaths(interact), edges: columns.length }));
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
