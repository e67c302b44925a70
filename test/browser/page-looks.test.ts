// How every screen looks, light and dark, on a desk and on a phone: readable by those who do not see it, too (axe), without
// sideways scrolling, silent on the console, and with names shown as what they are.

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, skipped } from './chromium.ts';
import { BACKGROUNDS, faultsOfLooks, tabStops, violations } from './looks.ts';
import { queueOf, type Row, type Served, serve, texts, visit } from './page-under-test.ts';

const HTML_TITLE = '<img src=x onerror=alert(1)> Twenty';

/** Each with what is there once it is loaded, and something to open. */
const SCREENS: readonly { name: string; path: string; ready: string; open?: (page: Page) => Promise<void> }[] = [
  { name: 'queue', path: '/', ready: '.present', open: openExplanation },
  { name: 'vocabulary', path: '/vocabulary', ready: '.vocabulary-row', open: openChange },
  { name: 'suggest', path: '/suggest', ready: '.marked-field textarea:enabled', open: suggestToText },
  { name: 'object', path: '/object/o020', ready: '.suggestion', open: openExplanation },
  { name: 'tag', path: '/tag/t001', ready: '.missing-list .list-row' },
  { name: 'map', path: '/map', ready: '.map-host' },
  { name: 'reviews', path: '/reviews', ready: '.review' },
  { name: 'about', path: '/about', ready: '.facts' },
];

describe.skipIf(!hasBrowser)(`the page${skipped}`, { timeout: 120_000 }, () => {
  let served: Served;
  let rows: Row[];
  beforeAll(async () => {
    served = await serve();
    rows = await queueOf(served);
    const [{ object, tag }] = rows.slice(-1);
    await served.service.fastify.inject({
      method: 'POST',
      url: '/v1/reviews',
      payload: { object, tag, decision: 'reject' },
    });
  }, 60_000);

  it('has no fault that axe knows or a thumb would meet, and asks for nothing but itself and the API', async () => {
    const { page, faults } = await visit(served, '/reviews', { expected: /404/ }); // no results yet
    await drawMap(page);
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).origin));
    for (const { name, path, ready, open } of SCREENS) {
      await page.goto(`${served.url}${path}`);
      await page.locator(ready).first().waitFor();
      await open?.(page);
      expect(await page.locator('h1').count(), name).toBe(1);
      expect(await faultsOfLooks(page), name).toEqual([]);
    }
    expect([...hosts]).toEqual([served.url]);
    expect(faults).toEqual([]);
  });

  it('has no fault with a search, a notice or the help open', async () => {
    const { page, faults } = await visit(served, '/', { expected: /ERR_FAILED/ });
    await page.locator('.present').waitFor();
    await page.getByRole('combobox', { name: 'Search objects and tags' }).fill('o0');
    await page.locator('.top .option').first().waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await violations(page, { within: '.top' }), 'search').toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('h1').click();
    await page.route('**/v1/reviews', (route) => route.abort());
    await page.keyboard.press('a');
    await page.locator('.notice.fault').waitFor();
    expect(await violations(page, { within: '.notices' }), 'fault').toEqual([]);
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    expect(await violations(page, { within: 'dialog' }), 'help').toEqual([]);
    expect(faults).toEqual([]);
  });

  it('takes the colours a curator chooses, and keeps them', async () => {
    const { page, faults } = await visit(served, '/reviews', { colorScheme: 'dark' });
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const toggle = page.getByRole('button', { name: /^Colours/ });
    expect(await toggle.getAttribute('aria-label')).toBe('Colours: as the system');
    expect(await background()).toBe(BACKGROUNDS.dark);
    await toggle.click();
    expect(await background()).toBe(BACKGROUNDS.light);
    await page.reload();
    expect(await page.evaluate(() => document.documentElement.dataset.scheme)).toBe('light');
    expect(await background()).toBe(BACKGROUNDS.light);
    await toggle.click();
    expect(await toggle.getAttribute('aria-label')).toBe('Colours: dark');
    expect(faults).toEqual([]);
  });

  it('shows names of HTML as they are, and runs none of them', async () => {
    const { page, faults } = await visit(served, '/object/o020');
    await texts(page.locator('h1')).toEqual([HTML_TITLE]);
    expect(await page.title()).toBe(`${HTML_TITLE} · tagloom`);
    await page.goto(`${served.url}/tag/${encodeURIComponent('<script>alert(1)</script>')}`);
    await texts(page.locator('h1')).toEqual(['<script>alert(1)</script>']);
    await page.locator('.missing-list .list-row').first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.locator('script:not([src])').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('names each screen in the tab, and says so where there is none', async () => {
    const { page, faults } = await visit(served, '/reviews', { expected: /404/ });
    expect(await page.title()).toBe('Reviews · tagloom');
    await page.getByRole('link', { name: 'About' }).click();
    await expect.poll(() => page.title()).toBe('About · tagloom');
    await page.getByRole('link', { name: 'Queue', exact: true }).click();
    const [first] = await queueOf(served);
    await expect.poll(() => page.title()).toBe(`${first.tag}? ${first.title} · tagloom`);
    await page.evaluate(() => {
      history.pushState(null, '', '/object/');
      dispatchEvent(new PopStateEvent('popstate'));
    });
    await texts(page.locator('h1')).toEqual(['Nothing here']);
    expect(faults).toEqual([]);
  });

  it('can be skipped into and walked through with Tab', async () => {
    const { page } = await visit(served, '/');
    await page.locator('.present').waitFor();
    const wanted = [
      'tagloom, to the queue',
      'Map',
      'Minimum confidence',
      'Add tag',
      'Reject',
      'Why',
      'Open suggestions',
    ];
    const missing = (all: readonly string[]) => wanted.filter((one) => !all.some((stop) => stop.startsWith(one)));
    const stops = await tabStops(
      page,
      (one) => one.getAttribute('aria-label') ?? one.textContent ?? '',
      (all) => missing(all).length === 0,
    );
    expect(stops[0]).toBe('Skip to the content');
    expect(missing(stops)).toEqual([]);
  });
});

async function openExplanation(page: Page): Promise<void> {
  await page.keyboard.press('w');
  await page.locator('.parts').waitFor();
}

async function openChange(page: Page): Promise<void> {
  for (const row of [0, 1]) await page.locator('.vocabulary-row input').nth(row).check();
  await page.getByRole('button', { name: 'Merge' }).first().click();
  await page.locator('.change-examples li').first().waitFor();
}

async function suggestToText(page: Page): Promise<void> {
  await page.getByLabel('Minimum confidence').fill('0');
  await page.getByLabel('Title').fill('Twenty');
  await page.locator('.suggested li').first().waitFor();
  await page.locator('.suggested-tag').first().click();
}

/** In place of the service's own, which takes a thread and its time. */
async function drawMap(page: Page): Promise<void> {
  const points = Array.from({ length: 50 }, (_, i) => ({ name: `t${i}`, x: i % 7, y: i % 11, cluster: i % 4 }));
  const clusters = ['web', 'data', 'tools', 'other'].map((name) => ({ name }));
  await page.route('**/v1/map/*', (route) => route.fulfill({ json: { points, clusters } }));
}
