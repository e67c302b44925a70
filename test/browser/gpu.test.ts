// The GPU backend in a real browser, on the adapter that computes on the processor: what a page gets from navigator.gpu is
// what Node gives for the same calls, to the rounding of float32. Where that adapter may not be used the processor computes.

import { describe, expect, it, onTestFinished } from 'vitest';
import { hasBrowser, launchBrowser, skipped } from './chromium.ts';
import { runCalls } from './engine-page.ts';
import { largestDifference, openPage, runOnPage, serve } from './engine-site.ts';

const TOLERANCE = 1e-5; // as for the products of any two backends
// without invertSymmetric, which takes a software adapter as long as all the others; `npm run test:gpu` has it
const CALLS = ['spmm', 'gemm', 'nce', 'adam', 'softmaxCrossEntropy', 'dropout', 'topK'];

describe.skipIf(!hasBrowser)(`the engine on a browser's GPU${skipped}`, () => {
  it('agrees with the processor, and uses a software adapter only where it may', async ({ skip }) => {
    const [site, browser] = await Promise.all([serve({}), launchBrowser({ gpu: true })]);
    onTestFinished(async () => {
      await browser.close();
      site.close();
    });
    const { page, faults } = await openPage(browser, site);
    const hasAdapter = await page.evaluate('navigator.gpu?.requestAdapter().then((adapter) => adapter !== null)');
    if (hasAdapter !== true) skip('this browser has no GPU adapter, not even a software one');

    const refused = await runOnPage(page, { threads: 1, backend: 'gpu', calls: [] });
    expect(refused.name).toBe('cpu');
    expect(refused.warnings).toEqual([
      expect.stringMatching(
        /^No GPU is used: the only GPU adapter is a program \(.*\)\. The processor computes instead\.$/,
      ),
    ]);

    const expected = await runCalls({ threads: 1, calls: CALLS });
    const outcome = await runOnPage(page, { threads: 1, software: true, calls: CALLS });
    expect(outcome).toMatchObject({ name: expect.stringMatching(/^gpu, /), warnings: [] });
    expect(Object.keys(outcome.results)).toEqual(CALLS);
    for (const [kernel, results] of Object.entries(expected.results)) {
      for (const [i, values] of results.entries()) {
        const difference = largestDifference(outcome.results[kernel][i], values);
        expect(difference, `${kernel}, result ${i}`).toBeLessThanOrEqual(TOLERANCE);
      }
    }
    expect(faults).toEqual([]);
  }, 120_000);
});
