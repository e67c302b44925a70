// The page as it is delivered: built once for each file of tests, served by the real service under its real security policy,
// and looked at in a real browser. Reviews are kept in memory.

import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, expect, onTestFinished } from 'vitest';
import type { Service, ServiceOptions } from '../../src/serving/api/service.ts';
import { MemoryStore } from '../serving/api/memory-store.ts';
import { ask, ownFolder, post, serviceOf } from '../serving/api/service-under-test.ts';
import { launchBrowser } from './chromium.ts';

export interface Served {
  readonly service: Service;
  readonly url: string;
}

export interface Opened {
  readonly page: Page;
  /** What the browser complained of. */
  readonly faults: string[];
}

interface OpenOptions extends BrowserContextOptions {
  /** Complaints of the browser that are meant to come. */
  readonly expected?: RegExp;
}

const CONFIG = fileURLToPath(new URL('../../web/vite.config.ts', import.meta.url));
const NOW = '2026-03-04T10:00:00'; // so that no test sees midnight pass
let built: Promise<string> | undefined;
let browser: Promise<Browser> | undefined;

afterAll(async () => (await browser)?.close());

/** The folder of the page. */
export function builtPage(): Promise<string> {
  built ??= ownFolder().then(async (outDir) => {
    await build({ configFile: CONFIG, logLevel: 'error', build: { outDir, emptyOutDir: true } });
    return outDir;
  });
  return built;
}

/** A service of its own, once all objects have been looked at. */
export async function serve(options: Partial<ServiceOptions> = {}): Promise<Served> {
  const service = await serviceOf({ page: await builtPage(), reviews: MemoryStore.make().store, ...options });
  const url = await service.listen({ port: 0 });
  while (!(await ask(service, '/v1/queue')).json.isComplete) await setTimeout(10);
  return { service, url };
}

/** Undoes all reviews, so that the next test finds the service as the first did. */
export async function clear({ service }: Served): Promise<void> {
  for (const { id } of (await ask(service, '/v1/reviews?limit=100')).json.reviews) {
    const { status } = await ask(service, `/v1/reviews/${id}`, { method: 'DELETE' });
    expect(status).toBe(200);
  }
}

/** A new visitor at this path. */
export async function visit({ url }: Served, path: string, options: OpenOptions = {}): Promise<Opened> {
  const { expected, ...rest } = options;
  browser ??= launchBrowser();
  const context = await (await browser).newContext({ viewport: { width: 1280, height: 800 }, ...rest });
  onTestFinished(() => context.close());
  await context.clock.setFixedTime(NOW);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected?.test(message.text())) faults.push(message.text());
  });
  await page.goto(`${url}${path}`);
  return { page, faults };
}

/** Waits until something is so of what is seen. */
export function texts(locator: Locator) {
  return expect.poll(async () => (await locator.allTextContents()).map((text) => text.replaceAll(/\s+/g, ' ').trim()), {
    timeout: 30_000,
  });
}

export function said(page: Page) {
  return expect.poll(async () => (await page.locator('[role=status][aria-live=polite]').textContent())?.trim(), {
    timeout: 30_000,
  });
}

export const heading = (page: Page) => texts(page.locator('h1'));

export interface Row {
  readonly object: string;
  readonly title: string;
  readonly tag: string;
  readonly score: number;
  readonly confidence: number;
}

export async function queueOf({ service }: Served, query = ''): Promise<Row[]> {
  return (await ask(service, `/v1/queue?limit=100${query}`)).json.suggestions;
}

export async function reviewsOf({ service }: Served): Promise<{ object: string; tag: string; decision: string }[]> {
  const { json } = await ask(service, '/v1/reviews?limit=100');
  return json.reviews.map(({ object, tag, decision }: Record<string, string>) => ({ object, tag, decision }));
}

export async function decideElsewhere({ service }: Served, { object, tag }: Row, decision: string, curator: string) {
  const { status } = await post(service, '/v1/reviews', { object, tag, decision, curator });
  expect(status).toBe(201);
}

/** As the page writes it. */
export function percent(confidence: number): string {
  return `${Math.min(99, Math.round(100 * confidence))} %`;
}
