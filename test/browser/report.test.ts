// A report in a real browser: light, dark and on a phone. It may say nothing on the console and ask for nothing.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderReport } from '../../src/evaluation/report.ts';
import { NASTY_TAG, sampleReport } from '../evaluation/sample-report.ts';
import { hasBrowser, sharedBrowser, skipped } from './chromium.ts';
import { tabStops } from './looks.ts';

const LOOKS = [
  { look: 'light', colorScheme: 'light', width: 1280 },
  { look: 'dark', colorScheme: 'dark', width: 1280 },
  { look: 'phone', colorScheme: 'light', width: 360 },
  { look: 'dark phone', colorScheme: 'dark', width: 360 },
] as const;

describe.skipIf(!hasBrowser)(`a report in a browser${skipped}`, () => {
  let page: Page;
  let folder: string;
  let file: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tagloom-report-'));
    file = join(folder, 'report.html');
    await writeFile(file, renderReport(await sampleReport()));
    page = await (await sharedBrowser()).newPage();
  }, 60_000);
  afterAll(async () => {
    await page?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is whole and silent, light and dark, on a desk and on a phone', async () => {
    const { faults, requests } = await open();
    expect(await page.locator('h1').textContent()).toBe('5 models on steam, mine');
    expect(await page.locator('h2').allTextContents()).toEqual([
      'How to read it',
      'Data',
      'Results',
      'Quality by training pairs',
      'Quality by number of training tags',
      'What each graph adds',
      'Some objects',
      'Maps of tags',
    ]);
    // open what is folded away: it must fit, too
    await unfold(page);
    for (const { look, colorScheme, width } of LOOKS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth), look).toBe(width);
      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(background, look).toBe(colorScheme === 'dark' ? 'rgb(19, 20, 24)' : 'rgb(247, 247, 245)');
      const picture = await page.screenshot({ type: 'jpeg', quality: 50 });
      expect(picture.length, look).toBeGreaterThan(10_000);
    }
    expect(requests).toEqual([pathToFileURL(file).href]);
    expect(faults).toEqual([]);
  });

  it('draws its figures in the colours of the page', async () => {
    await open({ colorScheme: 'dark' });
    const fills = await page
      .locator('#maps-steam svg circle')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).fill));
    expect(fills.length).toBeGreaterThan(10);
    expect(fills).toContain('rgb(124, 176, 255)'); // --c0 of the dark page
    expect(await page.locator('#maps-steam svg').first().getAttribute('aria-label')).toMatch(/^steam: map of tags by /);
  });

  it('shows names as they are and runs none of them', async () => {
    const { faults } = await open();
    expect(await page.locator('img, script').count()).toBe(0);
    const titles = await page.locator('#maps-steam svg title').allTextContents();
    expect(titles.some((title) => title.startsWith(NASTY_TAG))).toBe(true);
    expect(faults).toEqual([]);
  });

  it('gives the data of every table and figure, without the network', async () => {
    const { faults, requests } = await open();
    await unfold(page);
    const links = page.locator('a[download]');
    const numBoxes = await page.locator('.download').count();
    expect(await links.count()).toBe(numBoxes);
    expect(numBoxes).toBeGreaterThanOrEqual(12);
    const files = new Map<string, string>();
    for (const link of await links.all()) {
      const [name, address] = [await link.getAttribute('download'), await link.getAttribute('href')];
      expect(address).toMatch(/^data:text\/csv/);
      files.set(name ?? '', await (await fetch(address ?? '')).text());
    }
    // and a browser makes a file of it
    const [download] = await Promise.all([page.waitForEvent('download'), links.last().click()]);
    const contents = await readFile(await download.path(), 'utf8');
    expect(contents).toBe(files.get(download.suggestedFilename()));
    expect(files.size).toBe(numBoxes);
    expect(files.get('results-steam.csv')).toMatch(/^model,seeds,recall@3,recall@3 deviation,recall@3 in the paper,/);
    expect(files.get('results-steam.csv')).toMatch(/^dge,2,[\d.]+,[\d.]+,0\.4139,/m);
    expect(files.get('maps-steam.csv')).toContain(`,${NASTY_TAG},`);
    expect(files.get('maps-steam.csv')).toMatch(/^dge,"rock & ""roll"", live",\d+,-?[\d.]+,-?[\d.]+,[1-8]\r$/m);
    expect(files.get('examples-steam.csv')).toContain('"""Fish"", & <b>chips</b> #1 100% ');
    expect(requests.filter((url) => !url.startsWith('data:'))).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  it('can be read with the keyboard alone', async () => {
    await open({ width: 360 });
    const numBoxes = (all: readonly string[]) => all.filter((stop) => stop === 'scroll').length;
    const stops = await tabStops(
      page,
      (one) => one.className || one.tagName,
      (all) => numBoxes(all) >= 4 && all.includes('SUMMARY'),
    );
    expect(stops[0]).toBe('skip');
    expect(stops).toContain('SUMMARY');
    expect(numBoxes(stops)).toBeGreaterThanOrEqual(4);
    const box = page.locator('.scroll:has(#results-steam)');
    await box.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => box.evaluate((one) => one.scrollLeft)).toBeGreaterThan(0);
  });

  /** The report from the start, in the one page of all tests. */
  async function open({
    colorScheme = 'light',
    width = 1280,
  }: {
    colorScheme?: 'light' | 'dark';
    width?: number;
  } = {}) {
    const faults: string[] = [];
    const requests: string[] = [];
    page.removeAllListeners();
    page.on('console', (message) => faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('request', (request) => requests.push(request.url()));
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await page.goto(pathToFileURL(file).href);
    return { faults, requests };
  }
});

async function unfold(page: Page): Promise<void> {
  await page.locator('details').evaluateAll((all) => {
    for (const one of all) one.setAttribute('open', '');
  });
}
