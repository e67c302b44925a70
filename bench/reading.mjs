// How fast a data set is read, deduplicated and indexed, and in how much memory.
//   npm run bench:reading -- [DATA_FOLDER]
// DATA_FOLDER (MovieLens-1M, say) is first rewritten as uncompressed TSV; then synthetic sets of 1, 5 and 20 million
// interactions, in random order, show how cost grows: once between as many users and objects as MovieLens 20M has, once
// with users and objects growing alike, up to a million. Every measurement is a fresh process, held to one core where
// taskset exists.

import { spawnSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { load } from '../dist/data/data-set.js';
import { writeFolder } from '../dist/data/write-folder.js';
import { Random } from '../dist/random.js';

const REPEATS = 5;
const FIXED = () => [138_493, 26_744];
const GROWING = (numRows) => [numRows / 20, numRows / 50];
const [argument, childFolder] = process.argv.slice(2);

if (argument === '--child') await child(childFolder);
else await main(argument);

/** Reads the folder once, cold, in this process. */
async function child(folder) {
  const before = performance.now();
  await load(folder);
  process.stdout.write(
    JSON.stringify({ ms: performance.now() - before, maxRss: process.resourceUsage().maxRSS * 1024 }),
  );
}

async function main(folder) {
  const scratch = await mkdtemp(join(tmpdir(), 'tagloom-bench-'));
  console.log(`node ${process.version}, ${cpus()[0].model}, ${REPEATS} runs each, medians`);
  try {
    if (folder !== undefined) {
      await mkdir(join(scratch, 'given'));
      const graph = await load(folder);
      await writeFolder(join(scratch, 'given'), graph);
      report(folder, graph.interact.size + graph.tagged.size + graph.objects.size, measure(join(scratch, 'given')));
    }
    for (const population of [FIXED, GROWING]) {
      for (const numRows of [1e6, 5e6, 20e6]) {
        const synthetic = join(scratch, `${numRows}`);
        await mkdir(synthetic);
        await writeSynthetic(synthetic, numRows, population(numRows));
        report(
          `${numRows / 1e6} M interactions, ${population(numRows).join(' users and ')} objects`,
          numRows,
          measure(synthetic),
        );
        await rm(synthetic, { recursive: true });
      }
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function measure(folder) {
  const pinned = spawnSync('taskset', ['--version']).status === 0 ? ['taskset', '-c', '0'] : [];
  const command = [...pinned, process.execPath, fileURLToPath(import.meta.url), '--child', folder];
  const runs = Array.from({ length: REPEATS }, () => {
    const { stdout, stderr, status } = spawnSync(command[0], command.slice(1), { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  });
  return { ms: median(runs.map((run) => run.ms)), maxRss: median(runs.map((run) => run.maxRss)) };
}

function report(label, numRows, { ms, maxRss }) {
  const rate = (numRows / ms / 1000).toFixed(2);
  console.log(
    `${label}: ${numRows.toLocaleString('en')} rows in ${ms.toFixed(0)} ms = ${rate} M rows/s, peak memory ${(maxRss / 1e6).toFixed(0)} MB`,
  );
}

/** Some users and objects are much more frequent than others; the order of rows is random. */
async function writeSynthetic(folder, numRows, [numUsers, numObjects]) {
  const random = new Random(1, 'synthetic interactions');
  const file = createWriteStream(join(folder, 'interact.tsv'));
  file.write('user\tobject\n');
  for (let row = 0; row < numRows; ) {
    const lines = [];
    for (const end = Math.min(numRows, row + 50_000); row < end; row++) {
      lines.push(`u${Math.floor(numUsers * random.float() ** 2)}\to${Math.floor(numObjects * random.float() ** 3)}\n`);
    }
    if (!file.write(lines.join(''))) await new Promise((resolve) => file.once('drain', resolve));
  }
  file.end();
  await finished(file);
  await writeFile(join(folder, 'tagged.tsv'), 'object\ttag\no0\tx\n');
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
