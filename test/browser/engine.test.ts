// The engine in a real browser, bundled: on a page that may share memory between threads, in a worker of such a page, and on
// a page that may not. What comes out is compared with what Node gives for the same calls.

import type { Server } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, sharedBrowser, skipped } from './chromium.ts';
import { type Outcome, runCalls, type Settings } from './engine-page.ts';
import { bytesOf, largestDifference, openPage, pageBundle, runOnPage, serve } from './engine-site.ts';

const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};
const TOLERANCE = 1e-5; // as for the products of any two backends

it('is bundled for browsers without anything of Node', async () => {
  const { fileName, moduleIds, imports, dynamicImports } = await pageBundle();
  const files = moduleIds.map((id) => id.replace(/^.*\/src\//, ''));
  expect(files).toContain('platform/browser.ts');
  expect(files).toContain('engine/webgpu/device.ts');
  expect(files.filter((file) => /node\.ts$|node:|external/.test(file))).toEqual([]);
  expect([...imports, ...dynamicImports].filter((file) => file !== fileName)).toEqual([]);
});

describe.skipIf(!hasBrowser)(`the engine in a browser${skipped}`, () => {
  let browser: Browser;
  let isolated: Server;
  let plain: Server;
  let fusedInNode: Outcome;
  let unfusedInNode: Outcome;

  beforeAll(async () => {
    fusedInNode = await runCalls({ threads: 3 });
    unfusedInNode = await runCalls({ threads: 3, fused: false });
    [isolated, plain, browser] = await Promise.all([serve(ISOLATION), serve({}), sharedBrowser()]);
  }, 30_000);
  afterAll(async () => {
    isolated?.close();
    plain?.close();
  });

  it('runs on 3 threads though its page may not wait', async () => {
    const { page, faults, numWorkers } = await openPage(browser, isolated);
    const outcome = await runOnPage(page, { threads: 3 });
    expect(outcome).toMatchObject({ name: 'cpu, 3 threads', warnings: [], mayWait: false });
    await expect.poll(numWorkers).toBe(2); // the page is the third thread
    await expect.poll(() => page.workers()).toHaveLength(0); // close ended them
    expectSame(outcome, fusedInNode);
    expectSame(await runOnPage(page, { threads: 3, fused: false }), unfusedInNode);
    expect(faults).toEqual([]);
  });

  it('runs on 3 threads in a worker of a page, which may wait', async () => {
    const { page, faults, numWorkers } = await openPage(browser, isolated);
    const outcome = await runInWorker(page, { threads: 3 });
    expect(outcome).toMatchObject({ name: 'cpu, 3 threads', warnings: [], mayWait: true });
    await expect.poll(numWorkers).toBe(3); // it and the two it started
    expectSame(outcome, fusedInNode);
    expect(faults).toEqual([]);
  });

  it('runs on one thread and says so where no memory is shared and there is no GPU', async () => {
    const { page, faults, numWorkers } = await openPage(browser, plain);
    const outcome = await runOnPage(page, { threads: 3, backend: 'gpu' });
    expect(outcome.name).toBe('cpu');
    expect(outcome.warnings).toEqual([
      expect.stringMatching(/^No GPU is used: .*/),
      expect.stringMatching(/cross-origin isolated.*one thread/),
    ]);
    expect(numWorkers()).toBe(0);
    expectSame(outcome, fusedInNode);
    expectSame(await runOnPage(page, { threads: 3, fused: false }), unfusedInNode);
    expect(faults).toEqual([]);
  });
});

function runInWorker(page: Page, settings: Settings): Promise<Outcome> {
  return page.evaluate(`new Promise((resolve, reject) => {
    const worker = new Worker('/worker.js', { type: 'module' });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(${JSON.stringify(settings)});
  })`);
}

/**
 * The same bytes, since both sides run the same WebAssembly on the same processor. Only where fused was asked for and
 * one side has no relaxed SIMD do they run different builds: a multiply-add rounds once in one and twice in the other.
 */
function expectSame(page: Outcome, node: Outcome): void {
  const sameBuild = page.isFused === node.isFused;
  expect(Object.keys(page.results)).toEqual(Object.keys(node.results));
  for (const [kernel, expected] of Object.entries(node.results)) {
    for (const [i, values] of expected.entries()) {
      const got = page.results[kernel][i];
      const what = `${kernel}, result ${i}`;
      if (sameBuild) expect(bytesOf(got).equals(bytesOf(values)), what).toBe(true);
      else expect(largestDifference(got, values), what).toBeLessThanOrEqual(TOLERANCE);
    }
  }
}
