// The page as it is delivered: built once, served by the real service under its real security policy, and visited in a real
// browser. Reviews are kept in memory.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConsoleMessage, Locator, Page, Request } from 'playwright-core';
import type { InlineConfig } from 'vite';
import { expect, onTestFinished, vi } from 'vitest';
import type { Service, ServiceInternals, ServiceOptions } from '../../src/serving/http/service.ts';
import { figureAmong } from '../../web/src/numbers.ts';
import { atEndOfFile } from '../end-of-file.ts';
import { MemoryStore } from '../serving/http/memory-store.ts';
import { ask, post, serviceOf } from '../serving/http/service-under-test.ts';
import { cacheFolder } from '../temp-folder.ts';
import { sharedBrowser } from './chromium.ts';

export interface Served {
  readonly service: Service;
  readonly url: string;
  /** What was in the queue before anything was decided. */
  readonly rows: readonly Row[];
}

export interface Opened {
  readonly page: Page;
  /** What the browser complained of. */
  readonly faults: string[];
}

type BuildOptions = { readonly outDir: string } & Pick<InlineConfig, 'worker'>;

interface VisitOptions {
  /** Complaints of the browser that are meant to come. */
  readonly expected?: RegExp;
  /** Of the window, in pixels. */
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** For tests that set `page.clock`. */
  readonly hasOwnClock?: boolean;
}

const WEB = fileURLToPath(new URL('../../web', import.meta.url));
const LOCK = fileURLToPath(new URL('../../package-lock.json', import.meta.url));
const NOW = '2026-03-04T10:00:00'; // so that no test sees midnight pass
const DESK = { width: 1280, height: 800 };
let tab: Page | undefined;

/** The folder of the page. */
export function builtPage(): Promise<string> {
  return builtOnce('page', [WEB, LOCK], (outDir) => buildPage('vite.config.ts', { outDir }));
}

/** Builds a page of web/ by the configuration it is delivered with. */
export async function buildPage(config: string, { outDir, ...more }: BuildOptions) {
  const { build } = await import('vite'); // most files of tests find the page built
  await build({ configFile: join(WEB, config), logLevel: 'error', build: { outDir, emptyOutDir: true }, ...more });
}

const built = new Map<string, Promise<string>>();

/**
 * A folder that `build` fills, shared by all files of tests and later runs: its name tells what it was built from, so that it is
 * never stale. Where two build at once, the first to finish gives the folder.
 */
export function builtOnce(name: string, from: readonly string[], build: (folder: string) => Promise<void>) {
  const known = built.get(name) ?? make();
  built.set(name, known);
  return known;

  async function make(): Promise<string> {
    const folder = join(cacheFolder(), `tagloom-test-${name}-${hashOf(from)}`);
    if (existsSync(folder)) return folder;
    const made = await mkdtemp(`${folder}-`);
    await build(made);
    await rename(made, folder).catch(async (error) => {
      await rm(made, { recursive: true, force: true });
      if (!existsSync(folder)) throw error;
    });
    return folder;
  }
}

function hashOf(paths: readonly string[]): string {
  const hash = createHash('sha256').update(process.version);
  for (const path of paths.flatMap(filesBelow)) hash.update(`${path}\0`).update(readFileSync(path)).update('\0');
  return hash.digest('hex').slice(0, 16);
}

function filesBelow(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => join(entry.parentPath, entry.name)).sort();
}

/** A service of its own, once all objects are scored. */
export async function serve(options: Partial<ServiceOptions & ServiceInternals> = {}): Promise<Served> {
  void sharedBrowser(); // it starts while the service does
  const service = await serviceOf({ page: await builtPage(), reviews: MemoryStore.make().store, ...options });
  const url = await service.listen({ port: 0 });
  const isComplete = async () => (await ask(service, '/v1/queue')).json.isComplete === true;
  await vi.waitUntil(isComplete, { timeout: 30_000, interval: 10 });
  return { service, url, rows: await queueOf({ service }) };
}

/** Undoes all reviews and waits for the queue to follow, so that the next test finds the service as the first did. */
export async function clear({ service, rows }: Served): Promise<void> {
  for (const { id } of (await ask(service, '/v1/reviews?limit=100')).json.reviews) {
    const { status } = await ask(service, `/v1/reviews/${id}`, { method: 'DELETE' });
    expect(status).toBe(200);
  }
  await expect.poll(() => queueOf({ service })).toEqual(rows);
}

/**
 * A new visitor at this path. A new tab takes far longer than a page, so that all visitors of a file share one: what the last
 * one changed of it is put back.
 */
export async function visit(
  { url }: { readonly url: string },
  path: string,
  options: VisitOptions = {},
): Promise<Opened> {
  const { expected, width = DESK.width, colorScheme = 'light', hasOwnClock = false } = options;
  const page = hasOwnClock ? await openTab() : await sharedTab();
  const faults: string[] = [];
  const onError = (error: Error) => faults.push(String(error));
  const onMessage = (message: ConsoleMessage) => {
    if (message.type() === 'error' && !expected?.test(message.text())) faults.push(message.text());
  };
  const sessions = new Set<string>();
  const onRequest = (request: Request) => {
    if (request.url() === `${url}/v1/queue/claims`) sessions.add(request.postDataJSON().session);
  };
  page.on('pageerror', onError).on('console', onMessage).on('request', onRequest);
  onTestFinished(async () => {
    page.off('pageerror', onError).off('console', onMessage).off('request', onRequest);
    if (page === tab) await leave(page);
    else await page.context().close();
    // a claim that was on its way when the page was left would keep the next visitor from its cards
    for (const session of sessions)
      await fetch(`${url}/v1/queue/claims/${session}`, { method: 'DELETE' }).catch(() => {});
  });
  await page.setViewportSize({ ...DESK, width });
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.goto(`${url}${path}`);
  return { page, faults };
}

async function sharedTab(): Promise<Page> {
  if (tab === undefined || tab.isClosed()) {
    const opened = await openTab();
    await opened.context().clock.setFixedTime(NOW);
    atEndOfFile(() => opened.context().close());
    tab = opened;
  }
  return tab;
}

async function openTab(): Promise<Page> {
  const context = await (await sharedBrowser()).newContext();
  return context.newPage();
}

/** Nothing of the last visitor stays: no storage, no routes, no requests on their way. */
async function leave(page: Page): Promise<void> {
  await page.context().setOffline(false);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.goto('about:blank');
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

export async function queueOf({ service }: Pick<Served, 'service'>, query = ''): Promise<Row[]> {
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

/** How sure a row is, as the page writes it in its list. */
export function figureIn(rows: readonly { readonly confidence: number; readonly score: number }[], index: number) {
  const { figure, tie } = figureAmong(rows, index);
  return tie === undefined ? figure : `${figure} score ${tie}`;
}
