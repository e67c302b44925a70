// The page to train on as it is delivered: built once, below the curator's page of the real service with its real headers, and on a
// bare server that knows nothing of it, below some folder.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import type { Plugin } from 'vite';
import { expect, onTestFinished } from 'vitest';
import { buildPage, builtOnce, type Served, serve } from './page-under-test.ts';

const INPUTS = ['web', 'src', 'data/npm', 'package.json', 'package-lock.json'].map((path) =>
  fileURLToPath(new URL(`../../${path}`, import.meta.url)),
);
const CONFIG = 'train/vite.config.ts';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** The folder of both pages, the one to train on below the other. */
export function builtPages(): Promise<string> {
  return builtOnce('pages', INPUTS, async (outDir) => {
    await buildPage('vite.config.ts', { outDir });
    await buildPage(CONFIG, { outDir: join(outDir, 'train') });
  });
}

export async function serveTraining(): Promise<Served> {
  return serve({ page: await builtPages() });
}

/** The page to train on built so that a GPU adapter which computes on the processor will do. */
export async function builtForSoftwareGpu(outDir: string): Promise<string> {
  const plugin: Plugin = {
    name: 'any adapter',
    transform: (code, id) =>
      id.endsWith('web-gpu-kernels.ts') ? code.replace('software = false', 'software = true') : undefined,
  };
  await buildPage(CONFIG, { outDir, worker: { plugins: () => [plugin] } });
  return outDir;
}

/** Files and nothing else: no header that says what they may do. */
export async function serveBare(folder: string, built?: Promise<string>): Promise<string> {
  const root = (await built) ?? join(await builtPages(), 'train');
  const server = createServer(async ({ url = '/' }, response) => {
    const path = url.replace(/\/$/, '/index.html').replace(`/${folder}/`, '');
    const body = await readFile(join(root, path)).catch(() => undefined);
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': TYPES[extname(path)] ?? 'text/plain' });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/${folder}`;
}

export async function pickFiles(page: Page, files: Readonly<Record<string, Uint8Array | string>>): Promise<void> {
  const given = Object.entries(files).map(([name, contents]) => ({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(contents),
  }));
  await page.locator('input[type=file]').setInputFiles(given);
}

/** As if they were dragged from a desktop. */
export async function dropFiles(page: Page, files: Readonly<Record<string, string>>): Promise<void> {
  const transfer = await page.evaluateHandle((given) => {
    const made = new DataTransfer();
    for (const [name, text] of Object.entries(given)) made.items.add(new File([text], name));
    return made;
  }, files);
  await page.dispatchEvent('.drop-zone', 'drop', { dataTransfer: transfer });
}

/** Presses Train and waits for the end. */
export async function train(page: Page, timeout = 60_000): Promise<void> {
  await page.getByRole('button', { name: 'Train', exact: true }).click();
  await page.locator('.run-line', { hasText: /^Done in/ }).waitFor({ timeout });
}

/** The bytes of what a button hands out. */
export async function downloaded(page: Page, button: RegExp): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button }).click()]);
  const path = await file.path();
  return { name: file.suggestedFilename(), bytes: await readFile(path) };
}

/** Waits until something is so of what was read. */
export function facts(page: Page) {
  const read = async () => (await page.locator('.counts li').allTextContents()).map((text) => text.trim());
  return expect.poll(read, { timeout: 60_000 });
}
