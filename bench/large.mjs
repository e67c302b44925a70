// loom where neither all objects nor all features fit into a matrix: what it costs, and whether it works.
//   npm run bench:large -- [OBJECTS] [TAGS]        (1,000,000 and 50,000 unless told; 20 interactions for each object)
// Synthetic data with communities of objects that share users and tags, common tags, and a few very active users, written as
// tables and read back, trained by the command line in a process of its own. A tenth of the pairs is kept back.

import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { loadModel } from '../dist/models/model-file.js';
import { Random } from '../dist/random.js';
import { Recommender } from '../dist/serving/recommend/recommender.js';

const NUM_OBJECTS = Number(process.argv[2] ?? 1_000_000);
const NUM_TAGS = Number(process.argv[3] ?? 50_000);
const PER_OBJECT = 20; // interactions
const COMMUNITY = 500; // objects that share users
const TOPIC = 100; // objects that share tags
const SAMPLE = 2000; // objects to measure on

const folder = mkdtempSync(join(tmpdir(), 'tagloom-large-'));
try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main() {
  console.log(`node ${process.version}, ${cpus()[0].model}, ${cpus().length} cores`);
  const hidden = await writeData();
  const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
  const file = join(folder, 'large.tagloom');
  const before = performance.now();
  const { status, stderr } = spawnSync(
    '/usr/bin/time',
    ['-f', 'peak %M', process.execPath, cli, 'train', folder, '--model', 'loom', '-o', file],
    { encoding: 'utf8', maxBuffer: 1e9 },
  );
  if (status !== 0) throw new Error(stderr.slice(-2000));
  const seconds = (performance.now() - before) / 1000;
  const peak = Number(/peak (\d+)/.exec(stderr)?.[1]) / 1e6;
  console.log(
    `${NUM_OBJECTS} objects, ${NUM_OBJECTS * PER_OBJECT} interactions, ${NUM_TAGS} tags: ${seconds.toFixed(0)} s from tables to a ` +
      `file of ${(statSync(file).size / 1e6).toFixed(0)} MB, peak ${peak.toFixed(2)} GB`,
  );
  await measure(file, hidden);
}

/** Tables, and by some objects the tags that were kept back. */
async function writeData() {
  const random = new Random(1, 'large');
  const [interact, tagged] = ['interact', 'tagged'].map((name) => createWriteStream(join(folder, `${name}.tsv`)));
  interact.write('user\tobject\n');
  tagged.write('object\ttag\n');
  const hidden = new Map();
  const numUsers = Math.ceil(NUM_OBJECTS * 0.3);
  const usersOf = 150; // of a community
  const every = Math.floor(NUM_OBJECTS / SAMPLE);
  for (let o = 0; o < NUM_OBJECTS; o++) {
    const community = Math.floor(o / COMMUNITY);
    const users = new Set();
    while (users.size < PER_OBJECT) {
      // one in ten from anywhere, the more active the more often
      users.add(
        random.float() < 0.9
          ? (community * usersOf + random.below(usersOf)) % numUsers
          : Math.floor(numUsers * random.float() ** 3),
      );
    }
    // four of the eight tags of its topic, two common ones
    const topic = Math.floor(o / TOPIC);
    const tags = new Set();
    while (tags.size < 4) tags.add((topic * 5 + random.below(8)) % NUM_TAGS);
    for (let i = 0; i < 2; i++) tags.add(Math.floor(NUM_TAGS * random.float() ** 4));
    const [kept, ...others] = tags;
    const isMeasured = o % every === 0 && others.length > 0;
    if (isMeasured) hidden.set(`object ${o}`, `tag ${kept}`);
    const text = [...users].map((user) => `user ${user}\tobject ${o}\n`).join('');
    if (!interact.write(text)) await new Promise((go) => interact.once('drain', go));
    for (const tag of isMeasured ? others : tags) tagged.write(`object ${o}\ttag ${tag}\n`);
    if (tagged.writableNeedDrain) await new Promise((go) => tagged.once('drain', go));
  }
  for (const stream of [interact, tagged]) {
    stream.end();
    await finished(stream);
  }
  return hidden;
}

async function measure(file, hidden) {
  const model = await loadModel(file);
  const recommender = await Recommender.open(model);
  const counts = new Map();
  const { tagged, tags } = model.graph;
  for (const tag of tagged.tails) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const common = [...counts].sort((a, b) => b[1] - a[1]).map(([tag]) => tags.name(tag));
  let [found, foundCommon] = [0, 0];
  for (const [object, tag] of hidden) {
    const id = recommender.find(object);
    if ((await recommender.suggest(id, { limit: 3 })).some((one) => one.tag === tag)) found++;
    const own = new Set(Array.from(tagged.row(id), (one) => tags.name(one)));
    if (
      common
        .slice(0, 30)
        .filter((one) => !own.has(one))
        .slice(0, 3)
        .includes(tag)
    )
      foundCommon++;
  }
  recommender.close();
  const share = (count) => (count / hidden.size).toFixed(3);
  console.log(
    `a hidden tag of ${hidden.size} objects among the first 3: ${share(found)}, by popularity ${share(foundCommon)}`,
  );
}
