// The page on its way: what is seen before the script has come, what is loaded on demand, and what is said where it does not come.

import type { CDPSession, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, skipped } from './chromium.ts';
import { violations } from './looks.ts';
import { heading, type Served, serve, texts, visit } from './page-under-test.ts';

const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }; // 400 kbit/s

describe.skipIf(!hasBrowser)(`the page on its way${skipped}`, { timeout: 60_000 }, () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve();
  }, 60_000);

  it('shows the bar and that it loads before the script has come', async () => {
    const { page, faults } = await visit(served, '/reviews');
    const script = await held(page, '**/assets/*.js');
    await page.goto(`${served.url}/`, { waitUntil: 'commit' });
    await texts(page.locator('.waiting')).toEqual(['Loading…']);
    await texts(page.locator('.top nav a')).toEqual(['Queue', 'Suggest', 'Map', 'Reviews', 'Train', 'About']);
    await expect.poll(() => page.locator('.top').evaluate((top) => getComputedStyle(top).position)).toBe('sticky');
    expect(await violations(page, { rules: ['color-contrast', 'link-name', 'list'] })).toEqual([]);
    script.release();
    await page.locator('.present').waitFor();
    expect(await page.locator('.first').count()).toBe(0);
    expect(await page.locator('header').count()).toBe(1);
    expect(faults).toEqual([]);
  });

  it('is painted early on a slow network, in files that a browser keeps', async () => {
    const { page, faults } = await visit(served, '/reviews', { hasOwnClock: true }); // it measures
    const session = await slowed(page);
    const order: string[] = [];
    page.on('requestfinished', (request) => order.push(new URL(request.url()).pathname));
    await page.goto(`${served.url}/`, { waitUntil: 'commit' });
    await texts(page.locator('.waiting')).toEqual(['Loading…']);
    expect(order.filter((path) => path.endsWith('.js') && path.includes('/assets/'))).toEqual([]);
    await page.locator('.present').waitFor();
    const sizes = await page.evaluate(() =>
      performance.getEntriesByType('resource').map((one) => {
        const { name, encodedBodySize: sent, decodedBodySize: whole } = one as PerformanceResourceTiming;
        return { path: new URL(name).pathname, sent, whole };
      }),
    );
    const assets = sizes.filter(({ path, whole }) => path.startsWith('/assets/') && whole > 1000); // smaller ones go as they are
    expect(assets.length).toBeGreaterThanOrEqual(2);
    for (const { path, sent, whole } of assets) expect([path, sent < whole / 2]).toEqual([path, true]);
    expect(assets.reduce((sum, { sent }) => sum + sent, 0)).toBeLessThan(60_000);
    await session.detach();
    expect(faults).toEqual([]);
  });

  it('loads a screen when it is opened, and shows that it does', async () => {
    const { page, faults } = await visit(served, '/reviews', { expected: /404/ }); // no results yet
    const script = await held(page, '**/assets/about-screen*.js');
    await page.getByRole('link', { name: 'About', exact: true }).click();
    await heading(page).toEqual(['About']);
    await texts(page.locator('.waiting')).toEqual(['Loading…']);
    script.release();
    await page.locator('.facts').first().waitFor();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    expect(faults).toEqual([]);
  });

  it('says that a screen did not come, and tries again', async () => {
    const { page } = await visit(served, '/reviews');
    await page.route('**/assets/suggest-screen*.js', (route) => route.abort());
    await page.getByRole('link', { name: 'Suggest', exact: true }).click();
    await texts(page.getByRole('alert').locator('p')).toEqual([
      'A part of the page could not be loaded. Check that the service still runs, then try again or load the page again.',
    ]);
    await page.unroute('**/assets/suggest-screen*.js');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.marked-field').first().waitFor();
  });

  it('says so where its own script does not come', async () => {
    const { page } = await visit(served, '/reviews');
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.goto(`${served.url}/`);
    await texts(page.locator('.waiting')).toEqual([
      'A part of the page could not be loaded. Check the connection, then load the page again.',
    ]);
  });
});

/** Requests that wait until they are released. */
async function held(page: Page, pattern: string): Promise<{ release(): void }> {
  let release = () => {};
  const free = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(pattern, async (route) => {
    await free;
    await route.continue();
  });
  return { release };
}

async function slowed(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Network.emulateNetworkConditions', SLOW);
  return session;
}
