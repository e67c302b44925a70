// The page to train on, in a real browser: from files that are dropped to a model file that the library reads, byte for byte what it
// writes itself; under the service with its headers, and on a bare server without any.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { load } from '../../src/data/data-set.ts';
import { split } from '../../src/data/split.ts';
import { writeFolder } from '../../src/data/write-folder.ts';
import { WASM_BINARIES } from '../../src/engine/wasm/wasm-binary.ts';
import type { ModelName } from '../../src/models/catalogue.ts';
import type { Model } from '../../src/models/model.ts';
import { loadModel } from '../../src/models/model-file.ts';
import { encodeModel } from '../../src/models/model-tensors.ts';
import { train as trainInNode } from '../../src/pipeline.ts';
import { Recommender } from '../../src/serving/recommend/recommender.ts';
import { tsvLines } from '../../src/serving/recommend/suggestion-lines.ts';
import type { Settings } from '../../src/settings.ts';
import { checkerboard } from '../checkerboard.ts';
import { parquetOf } from '../parquet-of.ts';
import { ownFolder } from '../serving/http/service-under-test.ts';
import { hasBrowser, skipped } from './chromium.ts';
import { faultsOfLooks } from './looks.ts';
import { type Served, texts, visit } from './page-under-test.ts';
import { builtPages, downloaded, dropFiles, facts, pickFiles, serveBare, serveTraining, train } from './train-site.ts';

/** 24 mugs with texts and links, that nobody clicked on. */
const CATALOGUE = [
  'sku,name,blurb,labels,page,price',
  ...Array.from({ length: 24 }, (_, i) => {
    const [kind, sku] = [['coffee', 'tea', 'water'][i % 3], `p${String(i).padStart(2, '0')}`];
    const blurb = `"A &lt;mug&gt; <b>for ${kind}</b> &amp; more, number ${i}"`;
    const place = i % 2 === 0 ? 'kitchen' : 'garden';
    return `${sku},Mug for ${kind},${blurb},${kind};${place},https://shop.example/${sku},${(i % 4) + 1}`;
  }),
].join('\n');
const OBJECTS = 'object\ttitle\no000\t<b>Zero</b>\no001\tÜnö\n';

describe.skipIf(!hasBrowser)(`the page to train on${skipped}`, { timeout: 120_000 }, () => {
  let served: Served;
  let folder: string;
  let files: Record<string, string>;
  beforeAll(async () => {
    folder = await ownFolder();
    await writeFolder(folder, split(checkerboard(), { trainFraction: 0.7, seed: 3 }).train);
    await writeFile(join(folder, 'objects.tsv'), OBJECTS);
    const names = ['interact.tsv', 'tagged.tsv', 'objects.tsv'];
    files = Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')])),
    );
    served = await serveTraining();
  }, 60_000);

  const inNode = async (model: ModelName, settings: Settings = {}) =>
    trainInNode(await load(folder), { model, settings, threads: 1 });

  it('trains loom on dropped files, on all cores, and hands out what the library writes', async () => {
    const expected = await inNode('loom');
    const { page, faults } = await visit(served, '/train/');
    const origins = new Set<string>();
    page.on('request', (request) => origins.add(new URL(request.url()).origin));
    await dropFiles(page, files);
    await facts(page).toEqual([
      '40 users',
      '60 objects',
      '20 tags',
      `${expected.graph.interact.size} interactions`,
      `${expected.graph.tagged.size} tagged pairs`,
    ]);
    await page.getByLabel('engine').selectOption('cpu');
    await train(page);
    const cores = availableParallelism();
    await texts(page.locator('.engine')).toEqual([cores > 1 ? `cpu, ${cores} threads` : 'cpu']);
    await texts(page.locator('.run-line')).toEqual([
      expect.stringMatching(/^Done in .* Recall@3 on hidden pairs: 0\.\d+\.$/),
    ]);
    expect(await page.locator('.run-point').count()).toBeGreaterThan(1);
    await expect.poll(() => page.locator('.run-chart .bin').count()).toBe(10);
    await expectSuggestions(page, expected);
    await expectFiles(page, expected);
    expect([...origins].filter((origin) => origin !== 'null')).toEqual([served.url]); // null: a blob of its own
    expect(faults).toEqual([]);
  });

  it('does the same below a folder of a server that sends no headers, on one thread', async () => {
    const expected = await inNode('loom', { seed: 5 });
    const url = await serveBare('some/where');
    const { page, faults } = await visit({ ...served, url }, '/');
    const origins = new Set<string>();
    page.on('request', (request) => origins.add(new URL(request.url()).origin));
    await page.getByRole('button', { name: 'Try the npm packages' }).click();
    await facts(page).toContain('9,072 objects');
    const csv = (text: string) => text.replaceAll('\t', ',');
    await pickFiles(page, {
      'interact.tsv.gz': gzipSync(files['interact.tsv']),
      'tagged.csv': csv(files['tagged.tsv']),
      'objects.csv.gz': gzipSync(csv(files['objects.tsv'])),
      'README.md': 'not a table',
    });
    await facts(page).toContain('60 objects');
    await page.getByLabel('seed').fill('5');
    await page.getByLabel('engine').selectOption('cpu');
    await train(page);
    await texts(page.locator('.engine')).toEqual(['cpu']);
    const warnings = page.getByRole('list', { name: 'Warnings' });
    if (availableParallelism() > 1)
      await texts(warnings).toEqual([expect.stringMatching(/cross-origin isolated.*one thread/)]);
    expect(await page.getByRole('link', { name: 'Queue' }).count()).toBe(0);
    await expectSuggestions(page, expected);
    await expectFiles(page, expected);
    expect([...origins].filter((origin) => origin !== 'null')).toEqual([new URL(url).origin]);
    expect(faults).toEqual([]);
  });

  it('draws DGE epoch by epoch, and ends in the bytes of the library', async () => {
    const expected = await inNode('dge', { epochs: 12, hidden: 16 });
    const { page, faults } = await visit(served, '/train/');
    const { 'tagged.tsv': tagged, ...others } = files;
    await pickFiles(page, { ...others, 'tagged.parquet': parquetOf(tagged) });
    await page.getByRole('radio', { name: /DGE/ }).check();
    await page.getByLabel('epochs').fill('12');
    await page.getByText('More settings').click();
    await page.getByLabel('hidden').fill('16');
    await page.getByLabel('engine').selectOption('cpu');
    await facts(page).toContain('60 objects');
    await train(page);
    const charts = page.locator('.run-chart');
    await texts(page.locator('.run-charts figcaption')).toEqual([
      expect.stringMatching(/^Recall@3 on hidden pairs by epoch/),
      expect.stringMatching(/^Loss by epoch/),
    ]);
    const numEpochs = Number(expected.metrics.epochs);
    expect(await charts.nth(1).locator('.run-point').count()).toBe(numEpochs);
    expect(await charts.nth(0).locator('.run-point').count()).toBeGreaterThan(1);
    await expect.poll(() => charts.nth(0).locator('.yardstick').textContent()).toMatch(/^popularity 0\.\d{4}$/);
    await expectSuggestions(page, expected);
    await expectFiles(page, expected);
    expect(faults).toEqual([]);
  });

  it('takes the processor, and says so in one line, where there is no GPU', async () => {
    const { page, faults } = await visit(served, '/train/');
    await pickFiles(page, files);
    await facts(page).toContain('60 objects');
    await train(page);
    await texts(page.getByRole('list', { name: 'Warnings' }).locator('li')).toEqual([
      expect.stringMatching(/^No GPU is used: .* The processor computes instead\.$/),
    ]);
    await texts(page.locator('.engine')).toEqual([expect.stringMatching(/^cpu/)]);
    expect(faults).toEqual([]);
  });

  it('says what is wrong in the words of the command line', async () => {
    const { page, faults } = await visit(served, '/train/');
    const problem = page.getByRole('alert');
    await pickFiles(page, { ...files, 'tagged.tsv': `${files['tagged.tsv']}alone\n` });
    const line = files['tagged.tsv'].split('\n').length;
    await texts(problem).toEqual([
      `tagged.tsv, line ${line}: got 1 field ("alone"), expected 2, as in the header. ` +
        'Mend or remove this row; a name that holds the delimiter must be quoted in CSV.',
    ]);
    expect(await page.getByRole('button', { name: 'Train', exact: true }).isDisabled()).toBe(true);
    await pickFiles(page, { 'interact.tsv': files['interact.tsv'] });
    await texts(problem).toEqual([
      expect.stringMatching(/^got the files interact\.tsv, expected a table called tagged\..*drop one file/),
    ]);
    await pickFiles(page, { ...files, 'interact.tsv.gz': gzipSync(files['interact.tsv']).subarray(0, 60) });
    await texts(problem).toEqual([
      expect.stringMatching(/^got interact\.tsv and interact\.tsv\.gz, expected one interact/),
    ]);
    const { 'interact.tsv': interact, ...others } = files;
    await pickFiles(page, { ...others, 'interact.tsv.gz': gzipSync(interact).subarray(0, 60) });
    await texts(problem).toEqual([
      'interact.tsv.gz: got a broken gzip file (unexpected end of file), expected a whole one. ' +
        'It was cut short or damaged: fetch or compress it again.',
    ]);
    const damaged = gzipSync(interact);
    damaged[damaged.length - 8] ^= 1;
    await pickFiles(page, { ...others, 'interact.tsv.gz': damaged });
    await texts(problem).toEqual([
      expect.stringMatching(/^interact\.tsv\.gz: got a broken gzip file \(incorrect data check\)/),
    ]);
    await pickFiles(page, { ...files, 'tagged.tsv': `${files['tagged.tsv']}o001\t \n` });
    await texts(page.getByRole('list', { name: 'Warnings' }).locator('li')).toEqual([
      `tagged.tsv: left out 1 row with a blank name; the first has a blank tag on line ${line}.`,
    ]);
    await page.getByLabel('seed').fill('-1');
    await page.getByRole('button', { name: 'Train', exact: true }).click();
    await texts(problem).toEqual([
      expect.stringMatching(/^got seed -1, expected a whole number from 0 to \d+\. It is: /),
    ]);
    expect(faults).toEqual([]);
  });

  it('stops at once when it is cancelled, and can start again', async () => {
    const { page, faults } = await visit(served, '/train/');
    await pickFiles(page, files);
    await page.getByRole('radio', { name: /DGE/ }).check();
    await page.getByLabel('epochs').fill('10000');
    await page.getByText('More settings').click();
    for (const width of ['hidden', 'output']) await page.getByLabel(width).fill('512'); // no run that is over before the click
    await facts(page).toContain('60 objects');
    await page.getByRole('button', { name: 'Train', exact: true }).click();
    await page.locator('.run-point').first().waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Cancel' }).click();
    await texts(page.locator('.run-line')).toEqual([expect.stringMatching(/^Cancelled\./)]);
    await expect.poll(() => page.workers().length, { timeout: 30_000 }).toBe(1); // a new one: the old one and its threads are gone
    await page.getByRole('radio', { name: /loom/ }).check();
    await expect.poll(() => page.getByRole('button', { name: 'Train', exact: true }).isEnabled()).toBe(true);
    await train(page);
    await page.locator('.plain-suggestion').first().waitFor();
    expect(faults).toEqual([]);
  });

  it('keeps what it has where something is refused', async () => {
    const { page, faults } = await visit(served, '/train/');
    await pickFiles(page, { ...files, 'holiday.jpg': 'no table' });
    await facts(page).toContain('60 objects');
    await texts(page.locator('.data-now .note')).toEqual(['Read from interact.tsv, tagged.tsv, objects.tsv']);
    await train(page);
    await page.getByLabel('seed').fill('-1');
    await page.getByRole('button', { name: 'Train', exact: true }).click();
    await texts(page.getByRole('alert')).toEqual([expect.stringMatching(/^got seed -1/)]);
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('text/plain', 'some words');
      document.querySelector('.drop-zone')?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
    });
    await page.locator('.most-confident-row').first().click();
    await page.locator('.plain-suggestion').first().waitFor();
    expect((await downloaded(page, /^Download model/)).bytes.length).toBeGreaterThan(1000);
    await page.getByLabel('seed').fill(''); // the default
    await page.getByRole('button', { name: 'Train', exact: true }).click();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    await page.locator('.run-line', { hasText: /^Done in/ }).waitFor();
    expect(faults).toEqual([]);
  });

  it('gives up a run for other data, and has no model of the old', async () => {
    const { page, faults } = await visit(served, '/train/');
    await pickFiles(page, files);
    await facts(page).toContain('60 objects');
    await page.getByRole('radio', { name: /DGE/ }).check();
    await page.getByLabel('epochs').fill('10000');
    await page.getByRole('button', { name: 'Train', exact: true }).click();
    await page.locator('.run-point').first().waitFor({ state: 'attached' });
    await pickFiles(page, {
      'interact.tsv': 'user\tobject\nu\ta\nu\tb\n',
      'tagged.tsv': 'object\ttag\na\tt\nb\tt\n',
    });
    await facts(page).toContain('2 objects');
    expect(await page.locator('.run-line').count()).toBe(0);
    await page.getByRole('radio', { name: /loom/ }).check();
    await train(page);
    await texts(page.locator('.main-column .soft')).toEqual(['The model suggests no tag for any object.']);
    expect(faults).toEqual([]);
  });

  it('tries again where a part of it could not be loaded', async () => {
    const { page } = await visit(served, '/about', { expected: /404/ });
    await page.route('**/train-worker*', (route) => route.abort(), { times: 1 });
    await page.goto(`${served.url}/train/`);
    await texts(page.getByRole('alert')).toEqual([expect.stringMatching(/could not be loaded/)]);
    await pickFiles(page, files);
    await facts(page).toContain('60 objects');
    await train(page);
  });

  it('asks its server for nothing more once it is loaded', async () => {
    const { page } = await visit(served, '/train/');
    await page.getByLabel('seed').waitFor();
    await page.context().setOffline(true);
    const { 'tagged.tsv': tagged, ...others } = files;
    await pickFiles(page, { ...others, 'tagged.parquet': parquetOf(tagged) });
    await facts(page).toContain('60 objects');
    await train(page);
    await page.locator('.plain-suggestion').first().waitFor();
  });

  it('trains on one file without users, says what it understood, and shows text and link', async () => {
    const { page, faults } = await visit(served, '/train/');
    await pickFiles(page, { 'shop.csv': CATALOGUE });
    await texts(page.locator('.understanding dd')).toEqual([
      'sku',
      'name',
      'blurb',
      'labels (separated by ;), 5 different',
      'page',
      'price',
    ]);
    await facts(page).toEqual(['24 objects', '5 tags', '48 tagged pairs']);
    await page.getByText('Change what the columns are').click();
    await page.getByLabel('price').selectOption('Tags');
    await page.getByLabel('labels').selectOption('not used');
    await page.getByLabel('blurb').selectOption('not used');
    await page.getByRole('button', { name: 'Read again' }).click();
    await facts(page).toEqual(['24 objects', '4 tags', '24 tagged pairs']);
    await texts(page.locator('.understanding dt')).toEqual(['Id', 'Title', 'Tags', 'Link', 'Not used']);
    await pickFiles(page, { 'shop.csv': CATALOGUE });
    await facts(page).toContain('5 tags');
    await page.getByLabel('engine').selectOption('cpu');
    await train(page);
    await page.getByRole('combobox', { name: 'Search objects' }).fill('p05');
    await page.locator('.combobox .option').first().click();
    await texts(page.locator('.object-view h3')).toEqual([expect.stringMatching(/^Mug for water/)]);
    await texts(page.locator('.object-view .text-lines')).toEqual(['A <mug> for water & more, number 5']);
    await texts(page.locator('.object-view .outside')).toEqual(['shop.example/p05 (opens in a new tab)']);
    expect(await page.locator('main').textContent()).not.toMatch(/\d users/);
    expect(faults).toEqual([]);
  });

  it('reads a file whose tags it does not find once it is told where they are', async () => {
    const { page, faults } = await visit(served, '/train/');
    await pickFiles(page, { 'shop.csv': 'sku,words\n1,tea pot\n2,tea mug\n3,coffee pot\n' });
    await texts(page.getByRole('alert')).toEqual([
      expect.stringMatching(/expected a column of tags\. Choose “tags” for it below\.$/),
    ]);
    await page.getByLabel('words').selectOption('Tags');
    await page.getByLabel('Between tags').selectOption('a space');
    await page.getByRole('button', { name: 'Read again' }).click();
    await facts(page).toEqual(['3 objects', '4 tags', '6 tagged pairs']);
    // what was said stays when something else is changed, and so does the place of a keyboard
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Change what the columns are');
    await page.keyboard.press('Enter');
    expect(await page.getByLabel('Between tags').inputValue()).toBe(' ');
    expect(await page.getByRole('button', { name: 'Read again' }).isDisabled()).toBe(true);
    await page.getByLabel('sku').selectOption('not used');
    await page.getByRole('button', { name: 'Read again' }).click();
    await texts(page.locator('.understanding dt')).toContain('Not used');
    await facts(page).toEqual(['3 objects', '4 tags', '6 tagged pairs']);
    await pickFiles(page, { 'one.csv': 'id,tags\na,x\n' });
    await facts(page).toEqual(['1 object', '1 tag', '1 tagged pair']);
    expect(faults).toEqual([]);
  });

  it('keeps what was said of columns while the file still cannot be read', async () => {
    const { page, faults } = await visit(served, '/train/');
    await pickFiles(page, { 'shop.csv': 'sku,words,blank\n1,tea pot,\n2,tea mug,\n3,coffee pot,\n' });
    await page.getByLabel('sku').selectOption('Title');
    await page.getByLabel('blank').selectOption('Tags');
    await page.getByRole('button', { name: 'Read again' }).click();
    await texts(page.getByRole('alert')).toEqual([expect.stringMatching(/blank/)]);
    await expect.poll(() => page.getByLabel('sku').inputValue()).toBe('title');
    expect(await page.getByLabel('blank').inputValue()).toBe('tags');
    expect(faults).toEqual([]);
  });

  it('has no fault that axe knows or a thumb would meet', async () => {
    const { page, faults } = await visit(served, '/train/');
    const look = async (state: string) => {
      expect(await faultsOfLooks(page), state).toEqual([]);
      expect(await page.locator('h1').count(), state).toBe(1);
    };
    await page.getByLabel('seed').waitFor();
    await page.getByText('More settings').click();
    await look('empty');
    await pickFiles(page, { 'shop.csv': 'sku,words\n1,tea pot\n2,mug\n' });
    await page.getByRole('alert').waitFor();
    await page.getByLabel('words').waitFor();
    await look('refused');
    await pickFiles(page, { 'shop.csv': CATALOGUE });
    await facts(page).toContain('24 objects');
    await page.getByText('Change what the columns are').click();
    await look('understood');
    await pickFiles(page, files);
    await facts(page).toContain('60 objects');
    await train(page);
    await page.locator('.most-confident-row').first().waitFor();
    await page.getByRole('button', { name: /^Why/ }).first().click();
    await page.locator('.parts').waitFor();
    await look('done');
    expect(faults).toEqual([]);
  });

  it('can be worked by keyboard alone', async () => {
    const { page, faults } = await visit(served, '/train/');
    await page.getByLabel('seed').waitFor();
    const tabTo = async (what: string) => {
      const isThere = () => page.evaluate((selector) => document.activeElement?.matches(selector) ?? false, what);
      for (let i = 0; i < 40 && !(await isThere()); i++) await page.keyboard.press('Tab');
      expect(await isThere(), what).toBe(true);
    };
    await tabTo('.drop-zone button');
    // the browser's own dialog is not what is tested
    await page.locator('input[type=file]').evaluate((field) =>
      field.addEventListener('click', (event) => {
        event.preventDefault();
        field.dataset.opened = 'yes';
      }),
    );
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('input[type=file]').getAttribute('data-opened')).toBe('yes');
    await pickFiles(page, files);
    await facts(page).toContain('60 objects');
    await tabTo('button[type=submit]');
    await page.keyboard.press('Enter');
    await page.locator('.run-line', { hasText: /^Done in/ }).waitFor({ timeout: 60_000 });
    await page.locator('.most-confident-row').nth(1).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('run'); // where it was shown how far it is
    await tabTo('[role=combobox]');
    await page.keyboard.type('o00');
    await page.locator('.option').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await tabTo('.most-confident-row:not([aria-current])');
    const [title] = await page.locator('.most-confident-row:focus .most-confident-words > span').allTextContents();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.object-view h3').textContent()).toContain(title);
    expect(faults).toEqual([]);
  });

  it('needs nothing that only Node has', async () => {
    const folder = join(await builtPages(), 'train/assets');
    const scripts = (await readdir(folder)).filter((name) => name.endsWith('.js'));
    expect(scripts).toHaveLength(2); // the page and its worker
    for (const script of scripts) {
      expect(await readFile(join(folder, script), 'utf8')).not.toMatch(/(from|import) ?["']node:|browser-external/);
    }
  });

  it('is a link away from the queue, and back', async () => {
    const { page, faults } = await visit(served, '/about', { expected: /404/ }); // no results were given
    await page.getByRole('link', { name: 'Train a model in a tab' }).click();
    await texts(page.locator('h1')).toEqual(['Train in this tab']);
    expect(new URL(page.url()).pathname).toBe('/train/');
    await page.getByRole('link', { name: 'Queue' }).click();
    await page.locator('.present').waitFor();
    expect(faults).toEqual([]);
  });

  /** An object is searched for, looked at, and explained. */
  async function expectSuggestions(page: Page, expected: Model): Promise<void> {
    const recommender = await Recommender.open(expected, { threads: 1 });
    const suggested = await recommender.suggest(recommender.find('o001'), { limit: 10 });
    recommender.close();
    await page.locator('.most-confident-row').first().waitFor();
    await page.getByRole('combobox', { name: 'Search objects' }).fill('ünö');
    await page.locator('.option').first().waitFor();
    await page.keyboard.press('Enter');
    await texts(page.locator('.object-view h3')).toEqual(['Ünö o001']);
    await texts(page.locator('.suggestion-tag')).toEqual(suggested.map(({ tag }) => tag));
    expect(suggested.length).toBeGreaterThan(1);
    await page.getByRole('button', { name: `Why ${suggested[0].tag}`, exact: true }).click();
    await page.locator('.explanation table, .explanation p:not(.waiting)').first().waitFor();
  }

  /** The model, byte for byte where both run the same build of the kernels, and all suggestions. */
  async function expectFiles(page: Page, expected: Model): Promise<void> {
    const model = await downloaded(page, /^Download model/);
    expect(model.name).toBe(`${expected.name}.tagloom`);
    const path = join(folder, model.name);
    await writeFile(path, model.bytes);
    const back = await loadModel(path);
    expect(back.settings).toEqual(expected.settings);
    const sameBuild = (await page.evaluate(isFused, WASM_BINARIES.fusedSingle)) === isFused(WASM_BINARIES.fusedSingle);
    const lines = await downloaded(page, /^Download all suggestions/);
    expect(lines.name).toBe('suggestions.tsv');
    expect(lines.bytes.toString()).toBe(await allSuggestions(back));
    if (!sameBuild) return;
    expect(model.bytes.equals(Buffer.concat(encodeModel(expected)))).toBe(true);
  }
});

async function allSuggestions(model: Model): Promise<string> {
  const recommender = await Recommender.open(model, { threads: 1 });
  let text = '';
  for await (const line of tsvLines(recommender.suggestAll({ limit: 5 }))) text += line;
  recommender.close();
  return text;
}

function isFused(binary: string): boolean {
  return WebAssembly.validate(Uint8Array.from(atob(binary), (character) => character.charCodeAt(0)));
}
