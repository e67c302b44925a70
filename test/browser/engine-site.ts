// A site with the engine on it, for tests in a browser: dist/ as it is, and the calls of engine-page.ts compiled for a page.

import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import ts from 'typescript';
import { onTestFinished } from 'vitest';
import type { Numbers, Outcome, Settings } from './engine-page.ts';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
const HTML = '<!doctype html><title>engine</title><link rel="icon" href="data:,">'; // else a browser asks for an icon
const WORKER = `
import { runCalls } from '/engine-page.js';
onmessage = async ({ data }) => postMessage(await runCalls(data));
`;

/** Serves dist/ and the page, with the given headers on all of it. */
export async function serve(headers: Record<string, string>): Promise<Server> {
  const made: Record<string, string> = { '/': HTML, '/worker.js': WORKER, '/engine-page.js': await compilePageCode() };
  const server = createServer(async ({ url = '/' }, response) => {
    const type = url.endsWith('.js') ? 'text/javascript' : 'text/html';
    const body = made[url] ?? (await readFile(join(DIST, url)).catch(() => undefined));
    response.writeHead(body === undefined ? 404 : 200, { ...headers, 'Content-Type': `${type}; charset=utf-8` });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** engine-page.ts as a browser takes it: without types, and importing from dist/ what it imports from src/ in Node. */
async function compilePageCode(): Promise<string> {
  const source = await readFile(new URL('engine-page.ts', import.meta.url), 'utf8');
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      rewriteRelativeImportExtensions: true,
    },
  });
  return outputText.replaceAll('../../src/', '/');
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
