// loom with its counting on a table engine: time, processor time, peak memory and temporary disk, from Parquet to a model.
//   npm run bench:scale -- [OBJECTS] [TAGS] [ENGINE] [MEMORY] [OPTION OF TRAIN…]
// 100,000 objects, a tag for every 20 of them, duckdb and 2GB by default.
// Synthetic data: communities of objects that share users, topics that share tags, common tags and a few very active users; 20
// interactions and 6 tags for each object. The first tag of 2,000 objects is kept back and asked for. Of more than 200,000 objects a
// sample is learnt from, and with an engine the model has no users: that is the size to see memory stay where it is.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadModel } from '../dist/models/model-file.js';
import { Recommender } from '../dist/serving/recommend/recommender.js';
import { openDuckdb } from '../dist/tables/duckdb/open-duckdb.js';

const NUM_OBJECTS = Number(process.argv[2] ?? 100_000);
const NUM_TAGS = Number(process.argv[3] ?? NUM_OBJECTS / 20);
const ENGINE = process.argv[4] ?? 'duckdb';
const MEMORY = process.argv[5] ?? '2GB';
const MORE = process.argv.slice(6);
const PER_OBJECT = 20; // interactions
const [COMMUNITY, USERS_OF] = [500, 150]; // objects that share users, and how many users these are
const TOPIC = 100; // objects that share tags
const SAMPLE = 2000; // objects to measure on
const LOOK_MS = 250; // between two looks at the disk

/** What each stage of a process takes, as its progress names them. Linux only: elsewhere there is nothing to print. */
class Stages {
  #parent;
  #stage = 'start';
  #processor = 0; // seconds, at the last look
  #taken = new Map(); // by stage: seconds of wall and processor time, highest memory
  #lookedAt = performance.now();

  constructor(parent) {
    this.#parent = parent;
  }

  enter(stage) {
    if (stage === this.#stage) return;
    this.look();
    this.#stage = stage;
  }

  look() {
    const now = performance.now();
    const { memory, processor } = this.#usage() ?? { memory: 0, processor: this.#processor };
    const taken = this.#taken.get(this.#stage) ?? { wall: 0, processor: 0, memory: 0 };
    taken.wall += (now - this.#lookedAt) / 1000;
    taken.processor += processor - this.#processor;
    taken.memory = Math.max(taken.memory, memory);
    this.#taken.set(this.#stage, taken);
    [this.#lookedAt, this.#processor] = [now, processor];
  }

  print() {
    for (const [stage, { wall, processor, memory }] of this.#taken) {
      const figures = [
        `${processor.toFixed(0)} s of processor time`,
        `${wall.toFixed(0)} s`,
        `${(memory / 1e9).toFixed(2)} GB`,
      ];
      console.log(`  ${stage}: ${figures.join(', ')}`);
    }
  }

  #usage() {
    try {
      const [pid] = readFileSync(`/proc/${this.#parent}/task/${this.#parent}/children`, 'utf8').split(' ');
      const [, memory] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
      return { memory: 4096 * memory, processor: (Number(stat[11]) + Number(stat[12])) / 100 };
    } catch {
      return undefined; // it has just ended
    }
  }
}

const folder = mkdtempSync(join(tmpdir(), 'tagloom-scale-'));
const places = { data: join(folder, 'data'), spilled: join(folder, 'spilled'), run: join(folder, 'run') };
try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main() {
  console.log(`node ${process.version}, ${cpus()[0].model}, ${cpus().length} cores; --engine ${ENGINE}`);
  const hidden = await writeData();
  const file = join(folder, 'scale.tagloom');
  const { seconds, processor, peak, disk } = await train(file);
  console.log(
    `${NUM_OBJECTS} objects, ${NUM_OBJECTS * PER_OBJECT} interactions, ${NUM_TAGS} tags: ${seconds.toFixed(0)} s ` +
      `(${processor.toFixed(0)} s of processor time) from Parquet to a file of ${(statSync(file).size / 1e6).toFixed(0)} MB, ` +
      `peak ${(peak / 1e9).toFixed(2)} GB of memory, ${(disk / 1e9).toFixed(2)} GB of temporary disk`,
  );
  await measure(file, hidden);
}

/** The command line in a process of its own, watched. */
async function train(file) {
  const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
  const engine = ['--engine', ENGINE, '--memory-limit', MEMORY, '--temporary-folder', places.spilled];
  const tables = ENGINE === 'memory' ? ['--engine', 'memory'] : [...engine, '--run-folder', places.run];
  const before = performance.now();
  const args = ['-f', 'used %M %U %S', process.execPath, cli, 'train', places.data, '-o', file, ...tables, ...MORE];
  const child = spawn('/usr/bin/time', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const stages = new Stages(child.pid);
  let [errors, disk] = ['', 0];
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors = (errors + text).slice(-4000);
    for (const [, name] of text.matchAll(/^([a-z][^:\n]*): \d+ %/gm)) stages.enter(name);
  });
  const timer = setInterval(() => {
    stages.look();
    disk = Math.max(disk, bytesIn(places.spilled) + bytesIn(places.run));
  }, LOOK_MS);
  const [status] = await once(child, 'close');
  clearInterval(timer);
  if (status !== 0) throw new Error(errors.slice(-2000));
  stages.print();
  const [, kilobytes, user, system] = /used (\d+) ([\d.]+) ([\d.]+)/.exec(errors).map(Number);
  return { seconds: (performance.now() - before) / 1000, processor: user + system, peak: 1024 * kilobytes, disk };
}

/** Files may go while they are counted. */
function bytesIn(path) {
  try {
    const names = readdirSync(path, { recursive: true });
    return names.reduce((sum, name) => sum + (lstatSync(join(path, name), { throwIfNoEntry: false })?.size ?? 0), 0);
  } catch {
    return 0;
  }
}

/** Tables in Parquet, and by some objects the tag that was kept back. */
async function writeData() {
  mkdirSync(places.data);
  const engine = await openDuckdb({ memoryLimit: MEMORY, temporaryFolder: places.spilled });
  const numUsers = Math.ceil(NUM_OBJECTS * 0.3);
  const share = (key) => `((hash(${key}) % 1000003) / 1000003.0)`; // the same number for the same key
  const near = `(o // ${COMMUNITY} * ${USERS_OF} + hash(o * 64 + k) % ${USERS_OF}) % ${numUsers}`;
  const anywhere = `CAST(floor(${numUsers} * pow(${share('o * 64 + k + 21')}, 3)) AS BIGINT)`;
  const rows = (most) => `(SELECT a.range AS o, b.range AS k FROM range(${NUM_OBJECTS}) AS a, range(${most}) AS b)`;
  const user = `CASE WHEN k % 10 < 9 THEN ${near} ELSE ${anywhere} END`;
  const ofTopic = `(o // ${TOPIC} * 5 + (hash(o) + k * 3) % 8) % ${NUM_TAGS}`;
  const common = `CAST(floor(${NUM_TAGS} * pow(${share('o * 8 + k')}, 4)) AS BIGINT)`;
  const isHidden = `(k = 0 AND o % ${Math.max(1, Math.floor(NUM_OBJECTS / SAMPLE))} = 0)`;
  const tag = `CASE WHEN k < 4 THEN ${ofTopic} ELSE ${common} END`;
  const write = (name, query) =>
    engine.run(`COPY (${query}) TO '${join(places.data, `${name}.parquet`)}' (FORMAT parquet)`);
  await write('interact', `SELECT 'user ' || (${user}) AS user, 'object ' || o AS object FROM ${rows(PER_OBJECT)}`);
  await write(
    'tagged',
    `SELECT 'object ' || o AS object, 'tag ' || (${tag}) AS tag FROM ${rows(6)} WHERE NOT ${isHidden}`,
  );
  const hidden = new Map();
  const asked = `SELECT 'object ' || o AS object, 'tag ' || (${tag}) AS tag FROM ${rows(6)} WHERE ${isHidden}`;
  for await (const { columns } of engine.query(asked)) {
    for (const [i, object] of columns.get('object').entries()) hidden.set(object, columns.get('tag')[i]);
  }
  await engine.close();
  return hidden;
}

async function measure(file, hidden) {
  const recommender = await Recommender.open(await loadModel(file));
  let found = 0;
  for (const [object, tag] of hidden) {
    const suggested = await recommender.suggest(recommender.find(object), { limit: 3 });
    if (suggested.some((one) => one.tag === tag)) found++;
  }
  recommender.close();
  console.log(`a hidden tag of ${hidden.size} objects among the first 3: ${(found / hidden.size).toFixed(3)}`);
}
