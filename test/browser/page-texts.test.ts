// The page on a catalogue of texts, links and pictures that has no users: what is being judged is seen, nothing unsafe is followed,
// and the words that count are marked where they stand.

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NameTable } from '../../src/data/vocabulary.ts';
import { train } from '../../src/pipeline.ts';
import { catalogue } from '../serving/http/text-catalogue.ts';
import { hasBrowser, skipped } from './chromium.ts';
import { faultsOfLooks } from './looks.ts';
import { type Served, said, serve, texts, visit } from './page-under-test.ts';

const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30"/></svg>';

const LONG_TEXT = `<p>For tea.</p> <ul><li>Of clay.</li></ul> ${'It keeps warm. '.repeat(7000)} The last word.`;

describe.skipIf(!hasBrowser)(`the page of a catalogue of texts${skipped}`, { timeout: 120_000 }, () => {
  let served: Served;
  const asked: IncomingMessage[] = [];
  // another host, as far as a browser is concerned; it allows nothing, and knows one picture
  const shop = createServer((request, response) => {
    asked.push(request);
    const isThere = request.url === '/p00.svg';
    response.writeHead(isThere ? 200 : 404, { 'content-type': 'image/svg+xml' }).end(isThere ? PICTURE : '');
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    const host = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
    const graph = catalogue();
    const links = ['https://shop.example/mugs/1?a=b', 'javascript:alert(1)', 'not an address'];
    const images = [`${host}/p00.svg`, `${host}/none.svg`, 'javascript:alert(1)'];
    const shown = {
      links: NameTable.from(Array.from({ length: 30 }, (_, i) => links[i] ?? '')),
      images: NameTable.from(Array.from({ length: 30 }, (_, i) => images[i] ?? '')),
    };
    const [{ name, texts: written }, ...others] = graph.texts;
    const withLong = written.toArray().map((text, i) => (i === 4 ? LONG_TEXT : text));
    const texts = [{ name, texts: NameTable.from(withLong) }, ...others];
    const settings = { search: 'off', neighbours: 5 };
    served = await serve({
      model: await train({ ...graph, ...shown, texts }, { model: 'loom', settings, threads: 1 }),
    });
  }, 60_000);
  afterAll(() => void shop.close());

  it('says nothing of users, who are not in the data', async () => {
    const { page, faults } = await visit(served, '/object/p00', { expected: /404/ });
    await page.locator('.side-column li').first().waitFor();
    await page.getByRole('button', { name: /^Show \d+ less likely$/ }).click();
    await page.keyboard.press('w');
    await page.locator('.parts').waitFor();
    expect(await page.locator('main').textContent()).not.toMatch(/user/);
    for (const path of ['/', '/?min=0', '/about']) {
      await page.goto(`${served.url}${path}`);
      await page.locator('.card, .facts').first().waitFor();
      expect(await page.locator('main').textContent()).not.toMatch(/\busers?\b/);
    }
    expect(faults).toEqual([]);
  });

  it('shows text, link and picture of an object, whatever host the picture is on', async () => {
    const { page, faults } = await visit(served, '/object/p00');
    const picture = page.locator('.picture img');
    await expect.poll(() => picture.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(40);
    expect(await picture.getAttribute('alt')).toBe('Mug for coffee');
    expect(asked.every(({ headers }) => headers.referer === undefined && headers.cookie === undefined)).toBe(true);
    const link = page.getByRole('link', { name: /shop\.example/ });
    await texts(link).toEqual(['shop.example/mugs/1 (opens in a new tab)']);
    expect(await link.evaluate(({ rel, target, href }: HTMLAnchorElement) => [rel, target, href])).toEqual([
      'noopener noreferrer',
      '_blank',
      'https://shop.example/mugs/1?a=b',
    ]);
    const lines = page.locator('.text-lines');
    const folded = await lines.evaluate((one) => one.clientHeight);
    await page.getByRole('button', { name: 'Show all' }).click();
    expect(await lines.evaluate((one) => one.clientHeight)).toBeGreaterThan(folded);
    expect(await page.locator('main').textContent()).not.toMatch(/users?\b/);
    expect(await faultsOfLooks(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('shows all of a long text on demand', async () => {
    const { page, faults } = await visit(served, '/object/p04');
    const lines = page.locator('.text-lines').first();
    await expect.poll(() => lines.textContent()).toMatch(/^For tea\.\nOf clay\.\nIt keeps warm\./);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => lines.textContent()).toMatch(/The last word\.$/);
    expect(faults).toEqual([]);
  });

  it('hides a picture that cannot be loaded, and follows nothing but addresses of the web', async () => {
    const { page, faults } = await visit(served, '/object/p01', { expected: /404/ });
    await page.locator('.picture.broken').waitFor({ state: 'attached' });
    expect(await page.locator('.picture img').count()).toBe(0);
    expect(await page.locator('.outside').count()).toBe(0);
    await page.goto(`${served.url}/object/p02`);
    await page.locator('.text-lines').first().waitFor();
    expect(await page.locator('.picture, .outside').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('marks the words that count on the card in focus, and counts no users', async () => {
    const { page, faults } = await visit(served, '/', { expected: /404/ }); // no results yet
    await page.locator('.card h2 mark').first().waitFor();
    const title = await page.locator('.card h2').textContent();
    expect(title).toMatch(/^Mug for (coffee|tea|water)$/);
    await page.goto(`${served.url}/about`);
    await texts(page.locator('.counts li')).toEqual(['30 objects', '5 tags', '54 tagged pairs']);
    expect(faults).toEqual([]);
  });

  it('moves nothing when the words that count become known', async () => {
    const { page, faults } = await visit(served, '/', { expected: /404/ });
    const top = () => page.locator('.card .actions').evaluate((one) => one.getBoundingClientRect().top);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.locator('.card h2 mark').first().waitFor();
    await page.route('**/explanation?*', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`${served.url}/`);
    await page.locator('.card .present.chips, .card .present.soft').waitFor();
    expect(await page.locator('.card h2 mark').count()).toBe(0);
    const before = await top();
    release();
    await page.locator('.card h2 mark').first().waitFor();
    expect(await top()).toBe(before);
    expect(faults).toEqual([]);
  });

  it('suggests tags for a text as one types, marks the words, and copies the tags', async () => {
    const { page, faults } = await visit(served, '/');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('link', { name: 'Suggest' }).click();
    await texts(page.locator('.side-column > p')).toEqual([expect.stringMatching(/^Type or paste/)]);
    await page.getByLabel('Minimum confidence').fill('0');
    await page.getByLabel('Title').fill('A bowl for tea');
    const first = page.locator('.suggested-tag', { has: page.getByText('tea', { exact: true }) }).first();
    await first.waitFor();
    await said(page).toMatch(/^Suggestions: /);
    await first.click();
    await expect.poll(() => marked(page)).toContain('tea');
    await page.getByLabel('Title').press('End');
    await page.keyboard.type(' and more');
    await expect.poll(() => marked(page)).toContain('tea');
    const tags = await page.locator('.suggested-name').allTextContents();
    await page.getByRole('button', { name: 'Copy tags' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(tags.join(', '));
    expect(await faultsOfLooks(page)).toEqual([]);
    await page.getByRole('button', { name: 'Clear' }).click();
    expect(await page.locator('.suggested').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('says that it knows no word, instead of that words are marked', async () => {
    const { page, faults } = await visit(served, '/suggest');
    const note = page.locator('.side-column > .note');
    await page.getByLabel('Minimum confidence').fill('0');
    await page.getByLabel('Title').fill('zzzz qqqq');
    await texts(note).toEqual(['The model knows none of these words: these are the most common tags.']);
    await page.getByLabel('Title').fill('zzzz tea');
    await texts(note).toEqual([expect.stringMatching(/^Words that count for any/)]);
    expect(faults).toEqual([]);
  });

  it('says so when it takes only the beginning of what is pasted', async () => {
    const { page, faults } = await visit(served, '/suggest');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const field = page.getByRole('textbox', { name: /^(Text|Description)/ }).first();
    const note = page.locator('.marked-field .note');
    await page.evaluate(() => navigator.clipboard.writeText('tea '.repeat(30_000)));
    await field.press('Control+V');
    await texts(note).toEqual(['Only the first 100,000 characters fit. The rest is left out.']);
    expect((await field.inputValue()).length).toBe(100_000);
    await page.getByRole('button', { name: 'Clear' }).click();
    await field.fill('tea');
    await texts(note).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('keeps suggestions in view, and marks the words that stand beside each of them', async () => {
    const { page, faults } = await visit(served, '/suggest');
    const heightOf = async (nth: number) => (await page.locator('.long .field-frame').nth(nth).boundingBox())?.height;
    await page.getByRole('textbox', { name: 'Description' }).waitFor();
    expect(await heightOf(1)).toBeLessThan((await heightOf(0)) ?? 0);
    await page.getByLabel('Minimum confidence').fill('0');
    await page.getByRole('textbox', { name: 'Description' }).fill('tea and coffee\n'.repeat(60));
    await page.locator('.suggested-tag').first().waitFor();
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    expect((await page.locator('#suggested').boundingBox())?.y).toBeGreaterThan(50);
    const named = (await page.locator('.suggested-words small').allTextContents()).flatMap((text) => text.split(', '));
    const marks = await page.locator('.field-copy mark').allTextContents();
    expect(new Set(marks)).toEqual(new Set(named));
    expect(faults).toEqual([]);
  });

  it('lays marks and text out alike from right to left', async () => {
    const { page } = await visit(served, '/suggest');
    const field = page.getByRole('textbox', { name: /^(Text|Description)/ }).first();
    await field.fill('خيمة tea مقاومة\ntea for two');
    const styles = await page
      .locator('.long .field-frame')
      .first()
      .evaluate((frame) => Array.from(frame.children, (one) => getComputedStyle(one).unicodeBidi));
    expect(styles).toEqual(['plaintext', 'plaintext']);
  });

  it('says what is wrong where the model is not known yet, and tries again', async () => {
    const { page, faults } = await visit(served, '/reviews', { expected: /ERR_FAILED/ });
    await page.route('**/v1/model', (route) => route.abort(), { times: 1 });
    await page.goto(`${served.url}/suggest`);
    await texts(page.locator('.problem')).toEqual([expect.stringMatching(/^The service does not answer\./)]);
    expect(await page.getByLabel('Title').isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('Title').fill('tea');
    await page.locator('.suggested-tag').first().waitFor();
    expect(faults).toEqual([]);
  });

  it('says what went wrong with suggestions, and tries again', async () => {
    const { page, faults } = await visit(served, '/suggest', { expected: /ERR_FAILED/ });
    await page.route('**/v1/suggest', (route) => route.abort(), { times: 1 });
    await page.getByLabel('Title').fill('tea');
    await page.locator('.problem').waitFor();
    await page.getByLabel('Minimum confidence').fill('0');
    await page.locator('.suggested-tag').first().waitFor();
    expect(await page.locator('.problem').count()).toBe(0);
    expect(faults).toEqual([]);
  });
});

/** What is marked in the title. */
function marked(page: Page): Promise<string[]> {
  return page.locator('.field-copy').first().locator('mark').allTextContents();
}
