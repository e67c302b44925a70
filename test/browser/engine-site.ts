// A site with the engine on it, for tests in a browser: engine-page.ts and all it imports in one file, as a bundler makes it.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { build, type Rolldown } from 'vite';
import { onTestFinished } from 'vitest';
import type { Numbers, Outcome, Settings } from './engine-page.ts';

const HTML = '<!doctype html><title>engine</title><link rel="icon" href="data:,">'; // else a browser asks for an icon
const WORKER = `
import { runCalls } from '/engine-page.js';
onmessage = async ({ data }) => postMessage(await runCalls(data));
`;

let bundle: Promise<Rolldown.OutputChunk> | undefined;

/** engine-page.ts for browsers. */
export function pageBundle(): Promise<Rolldown.OutputChunk> {
  bundle ??= makeBundle();
  return bundle;
}

async function makeBundle(): Promise<Rolldown.OutputChunk> {
  const made = await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['tagloom-source', 'browser', 'module', 'import', 'default'] },
    build: {
      write: false,
      minify: false,
      target: 'es2023',
      lib: { entry: fileURLToPath(new URL('engine-page.ts', import.meta.url)), formats: ['es'] },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [{ output }] = made as Rolldown.RolldownOutput[];
  return output[0];
}

/** Serves the page, with the given headers on all of it. */
export async function serve(headers: Record<string, string>): Promise<Server> {
  const { code } = await pageBundle();
  const files: Record<string, string> = { '/': HTML, '/worker.js': WORKER, '/engine-page.js': code };
  const server = createServer(({ url = '/' }, response) => {
    const type = url.endsWith('.js') ? 'text/javascript' : 'text/html';
    response.writeHead(url in files ? 200 : 404, { ...headers, 'Content-Type': `${type}; charset=utf-8` });
    response.end(files[url]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Opens the page and keeps what goes wrong on it. */
export async function openPage(browser: Browser, server: Server) {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  const faults: string[] = [];
  let numWorkers = 0;
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('worker', () => numWorkers++);
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return { page, faults, numWorkers: () => numWorkers };
}

// The code for the page is text: a function would arrive there with its imports rewritten for Node.
export function runOnPage(page: Page, settings: Settings): Promise<Outcome> {
  return page.evaluate(`import('/engine-page.js').then(({ runCalls }) => runCalls(${JSON.stringify(settings)}))`);
}

export function bytesOf({ buffer, byteOffset, byteLength }: Numbers): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Relative to the largest number. */
export function largestDifference(got: Numbers, expected: Numbers): number {
  const largest = (values: readonly number[]) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return largest(Array.from(expected, (value, i) => got[i] - value)) / largest(Array.from(expected));
}
