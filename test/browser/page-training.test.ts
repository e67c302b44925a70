// Training again from the page: the offer, the choice, the way back, and that nobody is disturbed in the middle of a review.

import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { checkerboardDecisions } from '../retraining/decisions.ts';
import { MemoryStore } from '../serving/http/memory-store.ts';
import { ask, graph, modelFile, ownFolder, post } from '../serving/http/service-under-test.ts';
import { hasBrowser, skipped } from './chromium.ts';
import { faultsOfLooks } from './looks.ts';
import { type Served, said, serve, texts, visit } from './page-under-test.ts';

/** Some suggestions are left open. */
async function decided(): Promise<Served> {
  const model = join(await ownFolder(), 'model.tagloom');
  await copyFile(await modelFile(), model);
  const { memory, store } = MemoryStore.make();
  const all = checkerboardDecisions(graph);
  await memory.decide(all.slice(0, Math.floor(0.7 * all.length)));
  return serve({ model, reviews: store });
}

const line = (page: Page) => page.locator('.training-line');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const fingerprintOf = async ({ service }: Served) => (await ask(service, '/v1/model')).json.fingerprint;
const look = process.env.TAGLOOM_LOOK; // a folder for pictures, for those who look

async function picture(page: Page, name: string): Promise<void> {
  if (look === undefined) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(look, `${name}-${colorScheme}.png`), fullPage: true });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  const desk = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ ...desk, width: 360 });
  await page.screenshot({ path: join(look, `${name}-phone.png`), fullPage: true });
  await page.setViewportSize(desk);
}

describe.skipIf(!hasBrowser)(`training from the page${skipped}`, { timeout: 60_000 }, () => {
  it('is offered above the queue, compared, put in use without leaving the card, and taken back', async () => {
    const served = await decided();
    const before = await fingerprintOf(served);
    const { page, faults } = await visit(served, '/');
    await texts(line(page).locator('p')).toEqual([
      expect.stringMatching(/^\d+ decisions since the model was trained\.$/),
    ]);
    await picture(page, 'offer');
    expect(await faultsOfLooks(page)).toEqual([]);
    await page.keyboard.press('j');
    const card = await page.locator('.card h2').textContent();
    await button(page, 'Train again').click();
    await said(page).toMatch(/held back|Too few/);
    await texts(line(page).locator('p')).toEqual([expect.stringMatching(/held back.* More$/)]);
    await picture(page, 'ready');
    await button(page, 'Use the new model').click();
    await said(page).toBe('The new model is in use.');
    expect(await fingerprintOf(served)).not.toBe(before);
    expect(await page.locator('.card h2').textContent()).toBe(card);
    await page.keyboard.press('a'); // the card in hand is decided as if nothing had happened
    await said(page).toMatch(/^Accepted\. /);
    await button(page, 'Show new suggestions').waitFor();
    await picture(page, 'used');
    await page.goto(`${served.url}/about`);
    await button(page, 'Go back to the model before').click();
    await said(page).toBe('The model before is in use again.');
    expect(await fingerprintOf(served)).toBe(before);
    await texts(page.locator('.facts dd').nth(3)).toEqual([before]); // the page has asked for the model again
    await page.locator('.old-and-new').waitFor();
    await picture(page, 'about');
    expect(await faultsOfLooks(page)).toEqual([]);
    await button(page, 'Keep the old one').click();
    await page.locator('.old-and-new').waitFor({ state: 'detached' });
    expect(faults.filter((fault) => !/404/.test(fault))).toEqual([]); // no results were given
  });

  it('can be put off, stopped, and says why it failed', async () => {
    const served = await decided();
    const facts = (await ask(served.service, '/v1/model/training')).json;
    const { page } = await visit(served, '/', { expected: /409/ });
    await button(page, 'Later').click();
    await line(page).waitFor({ state: 'detached' });
    await page.route('**/v1/model/training', (route) =>
      route.request().method() === 'GET'
        ? route.fulfill({
            json: { ...facts, state: 'training', progress: { stage: 'fitting weights', done: 3, total: 8 } },
          })
        : route.continue(),
    );
    await page.reload();
    await texts(page.locator('.training-step')).toEqual(['Training: fitting weights']);
    await picture(page, 'training');
    expect(await faultsOfLooks(page)).toEqual([]);
    await button(page, 'Stop').click(); // none runs: the service says so
    await texts(page.locator('.notice.fault')).toEqual([expect.stringContaining('No training runs')]);
    const problem = { detail: 'The process that trains was killed (SIGKILL).', cure: 'Look whether there is memory.' };
    await page.unroute('**/v1/model/training');
    await page.route('**/v1/model/training', (route) =>
      route.fulfill({ json: { ...facts, state: 'failed', problem } }),
    );
    await page.reload();
    await texts(line(page).locator('p')).toEqual([`The training failed. ${problem.detail} ${problem.cure}`]);
    await picture(page, 'failed');
    expect(await faultsOfLooks(page)).toEqual([]);
  });

  it('hears of a model that somebody else put in use', async () => {
    const served = await decided();
    const { page } = await visit(served, '/about', { expected: /404|409/ });
    await texts(page.locator('.training-part p')).toEqual([expect.stringContaining('since the model was trained')]);
    await post(served.service, '/v1/model/training', {});
    await expect.poll(async () => (await ask(served.service, '/v1/model/training')).json.state).toBe('ready');
    await page.goto(`${served.url}/about`);
    await page.locator('.old-and-new').waitFor();
    const used = (await ask(served.service, '/v1/model/training/use', { method: 'POST' })).json;
    await button(page, 'Keep the old one').click(); // it is in use by now, as the page hears
    await texts(page.locator('.notice.fault')).toEqual([expect.stringContaining('no new model waits')]);
    await texts(page.locator('.notice:not(.fault)')).toEqual([expect.stringContaining('The new model is in use.')]);
    await texts(page.locator('.facts dd').nth(3)).toEqual([used.fingerprint]);
  });
});
