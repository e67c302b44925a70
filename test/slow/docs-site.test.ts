// The built documentation in a real browser, below a path: every page at three widths, light and dark. Nothing is asked for outside
// this machine, nothing moves while a page loads, nothing is wider than the window, axe has no complaint, and every link and anchor
// of the built pages leads somewhere.

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, posix } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAGES } from '../../scripts/docs/navigation.mjs';
import { hasBrowser, sharedBrowser, skipped } from '../browser/chromium.ts';
import { violations } from '../browser/looks.ts';

const BELOW = '/some/path/';
const WIDTHS = [390, 820, 1440];
const MAX_SHIFT = 0.1;
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

let site: string;
let server: Server;
let base: string;

beforeAll(async () => {
  site = await mkdtemp(join(tmpdir(), 'tagloom-docs-site-'));
  await promisify(execFile)(process.execPath, ['scripts/docs/build.mjs', site]);
  server = createServer(async ({ url = '' }, response) => {
    const name = new URL(url, 'http://localhost').pathname;
    const file = join(site, decodeURI(name.slice(BELOW.length)));
    if (!name.startsWith(BELOW) || !existsSync(file)) return void response.writeHead(404).end();
    response.setHeader('content-type', TYPES[extname(file)] ?? 'text/plain');
    response.end(await readFile(file));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as { port: number }).port}${BELOW}`;
});
afterAll(async () => {
  server?.close();
  await rm(site, { recursive: true, force: true });
});

describe('the built documentation', () => {
  it('has links, images and anchors that lead somewhere', () => {
    const pages = new Map(PAGES.map(({ target }) => [target, readFileSync(join(site, target), 'utf8')]));
    const faults: string[] = [];
    for (const [target, html] of pages) {
      for (const [, href] of html.matchAll(/ (?:href|src)="([^"]+)"/g)) {
        if (/^https?:/.test(href)) continue;
        const [path, anchor] = href.replaceAll('&amp;', '&').split('#');
        const file = path === '' ? target : posix.join(posix.dirname(target), decodeURI(path));
        const isThere = pages.has(file) || existsSync(join(site, file));
        const hasAnchor = anchor === undefined || pages.get(file)?.includes(` id="${anchor}"`);
        if (!isThere || !hasAnchor) faults.push(`${target}: ${href}`);
      }
    }
    expect(faults).toEqual([]);
  });

  it('has each id once on a page', () => {
    const faults = PAGES.flatMap(({ target }) => {
      const ids = [...readFileSync(join(site, target), 'utf8').matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      return ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `${target}: ${id}`);
    });
    expect(faults).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)(`the documentation in a browser${skipped}`, () => {
  for (const { target } of PAGES) {
    it(target, async () => {
      const faults: string[] = [];
      for (const width of WIDTHS) faults.push(...(await faultsAt(target, width)));
      expect(faults).toEqual([]);
    });
  }

  it('finds sections by their words, from any page, by keyboard alone', async () => {
    const { page, faults } = await opened('results/loom.html', 1440);
    await page.keyboard.press('/');
    await page.keyboard.type('calibrat');
    await page.locator('#site-found a').first().waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await violations(page, { within: 'header' })).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\.html/);
    expect(await page.locator('main').textContent()).toMatch(/calibrat/i);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('says so where nothing is found, and closes the list with Escape', async () => {
    const { page } = await opened('index.html', 390);
    await page.locator('input[type=search]').fill('xyzzy');
    await page.getByText('Nothing found for “xyzzy”').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('#site-found').isHidden()).toBe(true);
    await page.close();
  });

  it('opens from a file, too', async () => {
    const { page, faults } = await opened('index.html', 1440, `file://${site}/`);
    await page.locator('input[type=search]').fill('confidence');
    await page.locator('#site-found a').first().click();
    await page.waitForURL(/^file:.*\.html/);
    expect(faults).toEqual([]);
    await page.close();
  });
});

/** A page with all that goes wrong on it. */
async function opened(target: string, width: number, from = base): Promise<{ page: Page; faults: string[] }> {
  const browser = await sharedBrowser();
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(`${target}: ${message.text()}`));
  page.on('pageerror', (error) => faults.push(`${target}: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(from)) faults.push(`${target} asks for ${request.url()}`);
  });
  await page.addInitScript(() => {
    const shifts = { sum: 0 };
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.sum += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(from + target, { waitUntil: 'load' });
  return { page, faults };
}

async function faultsAt(target: string, width: number): Promise<string[]> {
  const { page, faults } = await opened(target, width);
  const note = (all: readonly string[]) => faults.push(...all.map((fault) => `${target}, ${width} pixels: ${fault}`));
  // through the whole page, so that images come in
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += 2 * innerHeight) {
      scrollTo(0, y);
      await new Promise((next) => requestAnimationFrame(next));
    }
  });
  const shift = await page.evaluate(() => (window as unknown as { shifts: { sum: number } }).shifts.sum);
  if (shift >= MAX_SHIFT) note([`a layout shift of ${shift.toFixed(3)}`]);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  if (wide > width) note([`${wide} pixels wide`]);
  if (width !== 820) {
    note(await violations(page));
    await page.emulateMedia({ colorScheme: 'dark' });
    note(await violations(page, { rules: ['color-contrast'] }));
  }
  await page.close();
  return faults;
}
