// loom on a large catalogue of texts, without users: what training costs, how it grows, and how fast a text gets its suggestions.
//   npm run bench:texts -- [OBJECTS,…] [TAGS]        (100000,1000000 and 20000 by default; 100 words an object)
// A synthetic CSV: words follow Zipf's law; each tag has words of its own, and an object has words of its tags and common ones.
// It is read and trained by the command line in a process of its own. The last 2,000 objects carry no tags: theirs are to be found.

import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { loadModel } from '../dist/models/model-file.js';
import { Random } from '../dist/random.js';
import { Recommender } from '../dist/serving/recommend/recommender.js';

const SIZES = (process.argv[2] ?? '100000,1000000').split(',').map(Number);
const NUM_TAGS = Number(process.argv[3] ?? 20_000);
const NUM_WORDS = 200_000; // of the language
const PER_OBJECT = 100; // words
const PER_TAG = 12; // words that go with a tag
const NUM_HELD = 2000;
const NUM_SINGLE = 300;

console.log(`node ${process.version}, ${cpus()[0].model}, ${cpus().length} cores`);
for (const size of SIZES) {
  const folder = mkdtempSync(join(tmpdir(), 'tagloom-texts-'));
  try {
    await measure(folder, size);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(folder, size) {
  const [csv, file] = [join(folder, 'catalogue.csv'), join(folder, 'catalogue.tagloom')];
  const held = await writeCatalogue(csv, size);
  const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
  const before = performance.now();
  const { status, stderr } = spawnSync(
    '/usr/bin/time',
    ['-f', 'peak %M', process.execPath, cli, 'train', csv, '-o', file],
    { encoding: 'utf8', maxBuffer: 1e9 },
  );
  if (status !== 0) throw new Error(stderr.slice(-2000));
  const seconds = (performance.now() - before) / 1000;
  const peak = Number(/peak (\d+)/.exec(stderr)?.[1]) / 1e6;
  const megabytes = (path) => (statSync(path).size / 1e6).toFixed(0);
  console.log(
    `${size} objects of ${PER_OBJECT} words, ${NUM_TAGS} tags, CSV of ${megabytes(csv)} MB: ${seconds.toFixed(0)} s to a file of ` +
      `${megabytes(file)} MB, peak ${peak.toFixed(2)} GB`,
  );
  await judge(file, held);
}

/** The tags and texts of the objects that carry none in the file. */
async function writeCatalogue(path, size) {
  const random = new Random(1, 'texts');
  const zipf = (count, power) => Math.min(count - 1, Math.floor(count * random.float() ** power));
  const stream = createWriteStream(path);
  stream.write('id,title,description,tags\n');
  const held = new Map();
  for (let o = 0; o < size; o++) {
    const tags = new Set();
    const numTags = 2 + random.below(5);
    while (tags.size < numTags) tags.add(zipf(NUM_TAGS, 2.5));
    const words = Array.from({ length: PER_OBJECT }, () => {
      if (random.float() < 0.6) return wordOf(zipf(NUM_WORDS, 4));
      const tag = [...tags][random.below(tags.size)];
      return wordOf((tag * 9 + 37 * random.below(PER_TAG) + 1000) % NUM_WORDS);
    });
    const names = [...tags].map((tag) => `tag ${tag}`);
    const isHeld = o >= size - NUM_HELD;
    if (isHeld) held.set(`${o}`, { tags: new Set(names), text: words.join(' ') });
    const line = `${o},${words.slice(0, 4).join(' ')},"${words.join(' ')}.",${isHeld ? '' : names.join(';')}\n`;
    if (!stream.write(line)) await new Promise((go) => stream.once('drain', go));
  }
  stream.end();
  await finished(stream);
  return held;
}

/** A made-up word, the same for the same number: syllables of a consonant and a vowel. */
function wordOf(number) {
  let word = '';
  for (let rest = number + 20; rest > 0; rest = Math.floor(rest / 70)) {
    word += 'bdfgklmnprstvz'[rest % 14] + 'aeiou'[Math.floor(rest / 14) % 5];
  }
  return word;
}

async function judge(file, held) {
  const model = await loadModel(file);
  const recommender = await Recommender.open(model);
  let found = 0;
  for (const [object, { tags }] of held) {
    const suggestions = await recommender.suggest(object, { limit: 3 });
    found += suggestions.filter(({ tag }) => tags.has(tag)).length / 3;
  }
  const texts = [...held.values()].map(({ text }, i, all) => `${text} ${all[(i + 1) % all.length].text}`); // 200 words
  const times = [];
  for (const text of texts.slice(0, 2 * NUM_SINGLE)) {
    const start = performance.now();
    await recommender.suggestFor({ text }, { limit: 5 });
    times.push(performance.now() - start);
  }
  recommender.close();
  const single = times.slice(NUM_SINGLE).sort((a, b) => a - b);
  const at = (share) => single[Math.floor(share * single.length)].toFixed(2);
  console.log(
    `  of the first 3 suggestions to ${held.size} untagged objects, ${(found / held.size).toFixed(3)} are right; ` +
      `one text of 200 words: median ${at(0.5)} ms, p99 ${at(0.99)} ms`,
  );
}
