// node research/text-peers.mjs DATA --python PYTHON: tagloom beside scikit-learn and omikuji (text-peers.py) on tags for objects
// that have none yet, from their words alone: one split, one judge, one table (and JSON in the output folder).
//
// DATA is a data set folder. Words come from its features table, from its table "descriptions" (object, text), or from --texts FILE
// (JSON Lines with id and description); --titles adds the names in its table of objects. With test/tagged.tsv the split is the official
// one; else a fifth of the objects that have both tags and words is drawn by --seed. --users adds a row of tagloom with the users.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { contentOf, textOf, writeCase, writeUsers } from './text-peers-data.mjs';
import { judged, markdownTable } from './text-peers-judge.mjs';

const PEERS = ['logistic-regression', 'linear-svm', 'parabel', 'bonsai'];
const LIMIT = 5; // suggestions an object
const SINGLES = 300; // objects that are suggested to one at a time, as in text-peers.py

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    python: { type: 'string', default: 'python3' },
    texts: { type: 'string' },
    titles: { type: 'boolean', default: false },
    users: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    c: { type: 'string', default: '0.1,1,10' },
    only: { type: 'string', default: ['tagloom', ...PEERS].join(',') },
    dist: { type: 'string', default: fileURLToPath(new URL('../dist', import.meta.url)) },
    output: { type: 'string', short: 'o', default: 'research/out/text-peers' },
  },
});

if (positionals.length !== 1) {
  process.stderr.write(
    'tagloom: expected one data set folder, e.g. research/text-peers.mjs DATA/bibtex --python python3\n',
  );
  process.exit(1);
}
const [data] = positionals;
const seed = Number(values.seed);
const only = values.only.split(',');
const name = basename(resolve(data));
const folder = resolve(values.output, name);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const content = contentOf(data, { ...values, seed });
writeCase(folder, content);
const started = { at: new Date().toISOString(), load: loadavg() };
const rows = [];
if (only.includes('tagloom')) {
  rows.push(...(await measureTagloom('tagloom', false)));
  if (values.users && content.interact) rows.push(...(await measureTagloom('tagloom with users', true)));
}
const { versions, peers } = await measurePeers(PEERS.filter((one) => only.includes(one)));
rows.push(...peers);

const facts = {
  data: name,
  split: content.isOfficial ? 'official' : `by object, seed ${seed}`,
  numTrain: content.train.size,
  numTest: content.test.size,
  numTags: new Set([...content.train.values()].flat()).size,
  machine: {
    cpu: cpus()[0].model,
    cores: cpus().length,
    memory: totalmem(),
    node: process.version,
    ...versions,
    ...started,
  },
};
writeFileSync(join(values.output, `${name}.json`), `${JSON.stringify({ ...facts, rows }, null, 2)}\n`);
process.stdout.write(`${markdownTable(facts, rows)}\n`);

/** Two rows: `suggest --all`, where the data has the untagged objects, and suggestFor, where the model has never seen them. */
async function measureTagloom(label, hasUsers) {
  const { Recommender, loadModel } = await import(pathToFileURL(resolve(values.dist, 'tagloom.js')).href);
  const results = [];
  for (const isSeen of [true, false]) {
    const input = join(folder, isSeen ? 'tagloom' : 'tagloom-unseen');
    if (hasUsers) writeUsers(input, content, isSeen);
    const model = `${input}.tagloom`;
    const features = existsSync(join(folder, 'features.tsv')) ? ['--features', featuresFile(isSeen)] : [];
    const trained = JSON.parse(
      await cli(['train', input, ...features, '--seed', `${seed}`, '-o', model, '--force', '--json']),
    );
    const recommender = await Recommender.open(await loadModel(model));
    const found = isSeen ? await readSuggestions(model) : new Map();
    const speed = isSeen ? await batchSpeed(recommender) : await singleSpeed(recommender, found);
    recommender.close();
    const size = { seconds: trained.seconds, bytes: statSync(model).size };
    const named = isSeen ? label : `${label}, unseen objects`;
    results.push({ model: named, settings: trained.settings, ...size, ...speed, ...judged(found, content.test) });
  }
  return results;
}

function featuresFile(isSeen) {
  return join(folder, isSeen ? 'features.tsv' : 'features-train.tsv');
}

/** What `suggest --all` gives to the test objects. */
async function readSuggestions(model) {
  const path = `${model}.tsv`;
  await cli(['suggest', model, '--all', '--limit', `${LIMIT}`, '-o', path, '--force']);
  const found = new Map();
  for (const line of readFileSync(path, 'utf8').trimEnd().split('\n').slice(1)) {
    const [object, tag] = line.split('\t');
    if (content.test.has(object)) found.set(object, [...(found.get(object) ?? []), tag]);
  }
  return found;
}

/** Suggestions to all objects of the model, a second. */
async function batchSpeed(recommender) {
  const start = performance.now();
  let count = 0;
  for await (const _ of recommender.suggestAll({ limit: LIMIT })) count++;
  return { batch: (1000 * count) / (performance.now() - start) };
}

/** Suggestions to one object after the other, a second; `found` gets those of all test objects. */
async function singleSpeed(recommender, found) {
  const suggest = async (object) => {
    const facts = {
      title: content.titles.get(object),
      text: textOf(content, object),
      features: content.features?.get(object),
    };
    found.set(
      object,
      (await recommender.suggestFor(facts, { limit: LIMIT })).map(({ tag }) => tag),
    );
  };
  const objects = [...content.test.keys()];
  const singles = objects.slice(0, SINGLES);
  for (const object of singles) await suggest(object); // warm, as the others are
  const start = performance.now();
  for (const object of singles) await suggest(object);
  const single = (1000 * singles.length) / (performance.now() - start);
  for (const object of objects.slice(SINGLES)) await suggest(object);
  return { single };
}

async function measurePeers(models) {
  if (models.length === 0) return { versions: {}, peers: [] };
  const job = { folder, models, c: values.c.split(',').map(Number), threads: cpus().length };
  const script = fileURLToPath(new URL('text-peers.py', import.meta.url));
  await run(values.python, [script, JSON.stringify(job)]);
  const lines = readFileSync(join(folder, 'peers.jsonl'), 'utf8').trimEnd().split('\n');
  const [{ versions }, ...measured] = lines.map((line) => JSON.parse(line));
  const peers = measured.map((one) => {
    const found = new Map();
    for (const line of readFileSync(join(folder, `${one.model}.tsv`), 'utf8')
      .trimEnd()
      .split('\n')) {
      const [object, ...tags] = line.split('\t');
      found.set(object, tags);
    }
    return { ...one, ...judged(found, content.test) };
  });
  return { versions, peers };
}

function cli(parameters) {
  return run('node', [join(values.dist, 'cli.js'), ...parameters]);
}

/** What a command says on standard output; its progress is shown. */
function run(command, parameters) {
  return new Promise((done) => {
    const child = spawn(command, parameters, { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    child.on('error', (error) => {
      process.stderr.write(`tagloom: ${command} cannot be run (${error.message}). Pass --python PYTHON.\n`);
      process.exit(1);
    });
    child.on('close', (code) => (code === 0 ? done(text) : process.exit(code ?? 130)));
  });
}
