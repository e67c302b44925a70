// The GPU backend in a real browser, on the adapter that computes on the processor: what a page gets from navigator.gpu is
// what Node gives for the same calls, to the rounding of float32. Where a page has no GPU the processor takes over.

import type { Server } from 'node:http';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, launchBrowser, skipped } from './chromium.ts';
import { type Outcome, runCalls } from './engine-page.ts';
import { largestDifference, openPage, runOnPage, serve } from './engine-site.ts';

const TOLERANCE = 1e-5; // as for the products of any two backends
const SETTINGS = { threads: 1, fused: true, backend: 'gpu' } as const;

describe.skipIf(!hasBrowser)(`the engine on a browser's GPU${skipped}`, () => {
  let site: Server;
  let inNode: Outcome;
  const browsers: Browser[] = [];

  beforeAll(async () => {
    inNode = await runCalls({ threads: 1, fused: true });
    site = await serve({});
  }, 30_000);
  afterAll(async () => {
    for (const browser of browsers) await browser.close();
    site?.close();
  });

  it('agrees with the processor', async ({ skip }) => {
    browsers.push(await launchBrowser({ gpu: true }));
    const { page, faults } = await openPage(browsers[0], site);
    const hasAdapter = await page.evaluate('navigator.gpu?.requestAdapter().then((adapter) => adapter !== null)');
    if (hasAdapter !== true) skip('this browser has no GPU adapter, not even a software one');
    const outcome = await runOnPage(page, { ...SETTINGS, gpu: { software: true } });
    expect(outcome).toMatchObject({ name: expect.stringMatching(/^gpu, /), warnings: [] });
    expect(Object.keys(outcome.results)).toEqual(Object.keys(inNode.results));
    for (const [kernel, expected] of Object.entries(inNode.results)) {
      for (const [i, values] of expected.entries()) {
        const difference = largestDifference(outcome.results[kernel][i], values);
        expect(difference, `${kernel}, result ${i}`).toBeLessThanOrEqual(TOLERANCE);
      }
    }
    expect(faults).toEqual([]);
  }, 120_000);

  it.each([
    ['there is none', false, /No GPU is used: /],
    ['there is only a software one, unless that will do', true, /No GPU is used: the only GPU adapter is a program/],
  ])(
    'leaves the work to the processor where %s, in one line',
    async (_case, gpu, line) => {
      browsers.push(await launchBrowser({ gpu }));
      const { page } = await openPage(browsers[browsers.length - 1], site);
      const { name, warnings } = await runOnPage(page, SETTINGS);
      expect(name).toBe('wasm');
      expect(warnings).toEqual([expect.stringMatching(line)]);
    },
    60_000,
  );
});
