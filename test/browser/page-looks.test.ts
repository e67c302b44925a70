// How every screen looks, light and dark, on a desk and on a phone: readable by those who do not see it, too (axe), without
// sideways scrolling, silent on the console, and with names shown as what they are.

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, skipped } from './chromium.ts';
import { tooSmall, violations } from './looks.ts';
import { queueOf, type Row, type Served, serve, texts, visit } from './page-under-test.ts';

const HTML_TITLE = '<img src=x onerror=alert(1)> Twenty';

/** Each with what is there once it is loaded, and something to open. */
const SCREENS: readonly { name: string; path: string; ready: string; open?: (page: Page) => Promise<void> }[] = [
  { name: 'queue', path: '/', ready: '.present', open: openReasons },
  { name: 'object', path: '/object/o020', ready: '.suggestion', open: openReasons },
  { name: 'tag', path: '/tag/t001', ready: '.missing-list .list-row' },
  { name: 'map', path: '/map', ready: '.map-host' },
  { name: 'reviews', path: '/reviews', ready: '.review' },
  { name: 'about', path: '/about', ready: '.facts' },
];

const LOOKS = [
  { look: 'light', colorScheme: 'light', width: 1280 },
  { look: 'dark', colorScheme: 'dark', width: 1280 },
  { look: 'phone', colorScheme: 'light', width: 360 },
] as const;

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

  it.each(LOOKS)('has no fault that axe knows or a thumb would meet: $look', async ({ colorScheme, width }) => {
    const { page, faults } = await visit(served, '/reviews', {
      colorScheme,
      viewport: { width, height: 800 },
      expected: /404/, // no results were given
    });
    await drawMap(page);
    for (const { name, path, ready, open } of SCREENS) {
      await page.goto(`${served.url}${path}`);
      await page.locator(ready).first().waitFor();
      await open?.(page);
      if (width !== 360) expect(await violations(page), name).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(width);
      expect(await page.locator('h1').count(), name).toBe(1);
      if (width === 360) expect(await tooSmall(page), `${name}: what a thumb would miss`).toEqual([]);
    }
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(background).toBe(colorScheme === 'dark' ? 'rgb(19, 21, 25)' : 'rgb(244, 244, 241)');
    expect(faults).toEqual([]);
  });

  it('has no fault with a search, a notice or the help open', async () => {
    const { page, faults } = await visit(served, '/', { expected: /ERR_FAILED/ });
    await page.locator('.present').waitFor();
    await page.getByRole('combobox', { name: 'Search objects and tags' }).fill('o0');
    await page.locator('.top .option').first().waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await violations(page), 'search').toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('h1').click();
    await page.route('**/v1/reviews', (route) => route.abort());
    await page.keyboard.press('a');
    await page.locator('.notice.fault').waitFor();
    expect(await violations(page), 'fault').toEqual([]);
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    expect(await violations(page), 'help').toEqual([]);
    expect(faults).toEqual([]);
  });

  it('takes the colours a curator chooses, and keeps them', async () => {
    const { page, faults } = await visit(served, '/reviews', { colorScheme: 'dark' });
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const toggle = page.getByRole('button', { name: /^Colours/ });
    expect(await toggle.getAttribute('aria-label')).toBe('Colours: as the system');
    expect(await background()).toBe('rgb(19, 21, 25)');
    await toggle.click();
    expect(await background()).toBe('rgb(244, 244, 241)');
    await page.reload();
    expect(await page.evaluate(() => document.documentElement.dataset.scheme)).toBe('light');
    expect(await background()).toBe('rgb(244, 244, 241)');
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

  it('asks for nothing but itself and the API', async () => {
    const { page } = await visit(served, '/reviews', { expected: /404/ });
    await drawMap(page);
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).origin));
    for (const { path, ready } of SCREENS) {
      await page.goto(`${served.url}${path}`);
      await page.locator(ready).first().waitFor();
    }
    expect([...hosts]).toEqual([served.url]);
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
    const stops: string[] = [];
    for (let i = 0; i < 30; i++) {
      await page.keyboard.press('Tab');
      stops.push(
        await page.evaluate(() => {
          const one = document.activeElement;
          return one?.getAttribute('aria-label') ?? one?.textContent ?? '';
        }),
      );
    }
    expect(stops[0]).toBe('Skip to the content');
    for (const stop of [
      'tagloom, to the queue',
      'Map',
      'Least confidence',
      'Accept',
      'Reject',
      'Why',
      'Open suggestions',
    ]) {
      expect(stops).toContainEqual(expect.stringMatching(new RegExp(`^${stop}`)));
    }
  });
});

async function openReasons(page: Page): Promise<void> {
  await page.keyboard.press('w');
  await page.locator('.parts').waitFor();
}

/** In place of the service's own, which takes a thread and its time. */
async function drawMap(page: Page): Promise<void> {
  const points = Array.from({ length: 50 }, (_, i) => ({ name: `t${i}`, x: i % 7, y: i % 11, cluster: i % 4 }));
  const clusters = ['web', 'data', 'tools', 'other'].map((name) => ({ name }));
  await page.route('**/v1/map/*', (route) => route.fulfill({ json: { points, clusters } }));
}
