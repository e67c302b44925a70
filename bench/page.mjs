// How fast the page is with many objects: from a key or a click to the painted answer, in Chromium, on a synthetic model.
//   npm run bench:page -- [--objects 100000] [--tags 50000] [--rounds 20] [--json]
// The service runs in a process of its own, with an embedded store, and still ranks its queue while it is measured, as it does for
// the first hours with a million objects. Medians and the slowest of all rounds, in milliseconds; the map is sampled once.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '100000' },
    tags: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '20' },
    json: { type: 'boolean', default: false },
    build: { type: 'string' }, // what this program passes to its own other halves
    serve: { type: 'string' },
  },
});
const SELF = fileURLToPath(import.meta.url);
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const SWITCHES = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];
const NUM_ROUNDS = Number(values.rounds);

if (values.build !== undefined) await build(values.build);
else if (values.serve !== undefined) await serve(JSON.parse(values.serve));
else await main();

async function build(path) {
  const { syntheticModel } = await import('./synthetic-model.mjs');
  const { saveModel } = await import('../dist/tagloom.js');
  await saveModel(path, syntheticModel({ numObjects: Number(values.objects), numTags: Number(values.tags) }));
}

async function serve(options) {
  const { openService } = await import('../dist/serving/http/service.js');
  const began = performance.now();
  const service = await openService(options, {});
  const url = await service.listen({ port: 0 });
  process.on('message', () => process.send({ rss: process.memoryUsage().rss }));
  process.send({ url, startMs: performance.now() - began });
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'tagloom-bench-'));
  const children = [];
  try {
    const model = join(folder, 'synthetic.tagloom');
    await ended(start(['--build', model, '--objects', values.objects, '--tags', values.tags]));
    const service = start(['--serve', JSON.stringify({ model, reviews: join(folder, 'reviews') })]);
    children.push(service);
    const { url, startMs } = await message(service);
    const api = await measureApi(url);
    const page = await measurePage(url);
    service.send('memory');
    const { rss } = await message(service);
    report({ startMs, rssMiB: Math.round(rss / 2 ** 20), api, page });
  } finally {
    for (const child of children) child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function start(args) {
  const node = ['--max-old-space-size=12000', SELF, ...args];
  return spawn(process.execPath, node, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

function ended(child) {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`ended with ${code}`))));
  });
}

function message(child) {
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', () => reject(new Error('The service ended before its time.')));
  });
}

/** What the service takes for each answer that the page asks for. */
async function measureApi(url) {
  const ask = async (path) => (await fetch(url + path)).json();
  await queueOf(ask);
  const objects = await distinct(ask, '/v1/objects?limit=100', 'objects', 'id');
  const tags = await distinct(ask, '/v1/tags?limit=100', 'tags', 'tag');
  const [object, tag] = [objects, tags].map((names) => (i) => encodeURIComponent(names[(7 * i) % names.length]));
  const calls = {
    'search objects, two letters': (i) => `/v1/objects?limit=8&query=${wordAt(i)}`,
    'search objects, a word': (i) => `/v1/objects?limit=8&query=${wordAt(i)}lo${wordAt(i + 3)}`,
    'search objects, no match': (i) => `/v1/objects?limit=8&query=qx${i}`,
    'search tags': (i) => `/v1/tags?limit=8&query=${wordAt(i)}`,
    queue: () => '/v1/queue?limit=100',
    'queue of one tag': (i) => `/v1/queue?limit=100&tag=${tag(i)}`,
    'queue from 50 %': () => '/v1/queue?limit=100&minConfidence=0.5',
    object: (i) => `/v1/objects/${object(i)}`,
    suggestions: (i) => `/v1/objects/${object(i)}/suggestions?limit=10`,
    explanation: (i) => `/v1/objects/${object(i)}/explanation?tag=${tag(i)}`,
    'similar objects': (i) => `/v1/objects/${object(i)}/similar`,
    'objects of a tag': (i) => `/v1/tags/${tag(i)}/objects`,
    'missing a tag': (i) => `/v1/tags/${tag(i)}/missing?limit=50`,
    'similar tags': (i) => `/v1/tags/${tag(i)}/similar`,
  };
  const found = { 'missing a tag, the first time': await firstMissing(url, tag(0)) };
  for (const [name, pathOf] of Object.entries(calls)) {
    const times = [];
    for (let i = 0; i < NUM_ROUNDS; i++) {
      const began = performance.now();
      const response = await fetch(url + pathOf(i));
      await response.text();
      if (!response.ok) throw new Error(`${pathOf(i)}: status ${response.status}`);
      times.push(performance.now() - began);
    }
    found[name] = summary(times);
  }
  return found;
}

/** Waits for all texts to be read, which goes on in the background; the service closes connections that wait for too long. */
async function firstMissing(url, tag) {
  const began = performance.now();
  for (;;) {
    const response = await fetch(`${url}/v1/tags/${tag}/missing?limit=50`).catch(() => undefined);
    await response?.text();
    if (response?.ok) return summary([performance.now() - began]);
  }
}

/** Until the queue has something to page through. */
async function queueOf(ask) {
  for (;;) {
    const { suggestions } = await ask('/v1/queue?limit=100');
    if (suggestions.length === 100) return suggestions;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function distinct(ask, path, list, key) {
  return (await ask(path))[list].map((one) => one[key]);
}

async function measurePage(url) {
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.addInitScript(watch);
    await page.goto(url);
    await page.locator('.present .chip').first().waitFor();
    const found = {};
    found['search, from the last letter'] = await rounds(page, searches, '.top .option');
    await page.locator('#search').fill('');
    await page.locator('h1').click(); // keys are commands again
    found['next card'] = await rounds(page, (p) => p.keyboard.press('j'), '.card .present .chip', 'card');
    found['add tag, to the next card'] = await rounds(
      page,
      (p) => p.keyboard.press('a'),
      '.card .present .chip',
      'card',
    );
    found['object page, with suggestions'] = await rounds(page, (p) => p.keyboard.press('o'), '.suggestion', 'back');
    const openTag = (p) => p.locator('.question-tag').click();
    found['tag page, with what lacks it'] = await rounds(page, openTag, '.missing-list .list-row', 'back');
    const began = performance.now();
    await page.goto(`${url}/map`);
    await page.locator('.map-host canvas').first().waitFor({ timeout: 0 });
    found['map drawn, the first time'] = summary([performance.now() - began]);
    await page.goto(url);
    await page.locator('.present').waitFor();
    const openMap = (p) => p.locator('.top nav a', { hasText: 'Map' }).click();
    await page.waitForTimeout(4000); // its code is fetched by then
    found['map opened'] = await rounds(page, openMap, '.map-host canvas[width]', 'back');
    await openMap(page);
    await page.locator('.map-host').focus();
    found['map panned'] = await rounds(page, (p) => p.keyboard.press('ArrowLeft'), '.map-host');
    return found;
  } finally {
    await browser.close();
  }
}

async function launch() {
  for (const executablePath of BROWSERS) {
    const browser = await chromium.launch({ executablePath, args: SWITCHES }).catch(() => undefined);
    if (browser !== undefined) return browser;
  }
  throw new Error(`Found none of ${BROWSERS.join(', ')}: install one of them.`);
}

/** In the page: from the last key, click or input to the frame in which something is there. */
function watch() {
  for (const kind of ['keydown', 'click', 'input']) {
    addEventListener(kind, ({ timeStamp }) => Object.assign(window, { lastEvent: timeStamp }), true);
  }
  Object.assign(window, {
    painted: (selector, before) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const isNew = before === undefined || document.querySelector('.card')?.getAttribute('aria-label') !== before;
          if (performance.now() > window.lastEvent + 60_000)
            return reject(new Error(`waited a minute for ${selector}`));
          if (document.querySelector(selector) === null || !isNew) return requestAnimationFrame(look);
          // the frame that shows it is painted once the next one begins
          requestAnimationFrame(() => resolve(performance.now() - window.lastEvent));
        };
        requestAnimationFrame(look);
      }),
  });
}

async function rounds(page, act, selector, kind) {
  const times = [];
  for (let i = 0; i < NUM_ROUNDS; i++) {
    const card = kind === 'card' ? await page.locator('.card').getAttribute('aria-label') : undefined;
    const back = page.url();
    await act(page, i);
    times.push(await page.evaluate(([what, before]) => window.painted(what, before), [selector, card]));
    if (kind !== 'back') continue;
    await page.goBack();
    await page.waitForURL(back);
    await page.locator('.present .chip').first().waitFor();
    await page.keyboard.press('j'); // another object, another tag
    await page.waitForTimeout(300);
  }
  return summary(times);
}

async function searches(page, i) {
  const field = page.locator('#search');
  await field.fill('');
  await page.waitForTimeout(300);
  await field.fill(wordAt(i));
}

/** The beginning of many words. */
function wordAt(i) {
  return ['ka', 'lo', 'mi', 'ne', 'pu', 'ra', 'so', 'ti'][i % 8];
}

function summary(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const round = (ms) => Math.round(10 * ms) / 10;
  return { median: round(sorted[sorted.length >> 1]), most: round(sorted.at(-1)) };
}

function report({ startMs, rssMiB, api, page }) {
  const sizes = { objects: Number(values.objects), tags: Number(values.tags) };
  if (values.json) return console.log(JSON.stringify({ ...sizes, startMs, rssMiB, api, page }, null, 2));
  console.log(`node ${process.version}, ${cpus()[0].model}, ${cpus().length} cores`);
  console.log(`${sizes.objects} objects, ${sizes.tags} tags: ready in ${Math.round(startMs)} ms, ${rssMiB} MiB`);
  for (const [title, table] of Object.entries({ 'answers of the service': api, 'key or click to paint': page })) {
    console.log(`\n${title.padEnd(34)}  median    most`);
    for (const [name, { median, most }] of Object.entries(table))
      console.log(`${name.padEnd(34)}${String(median).padStart(8)}${String(most).padStart(8)}`);
  }
}
