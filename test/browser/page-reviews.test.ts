// The screens of reviews and of what is served, in a real browser.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder } from '../temp-folder.ts';
import { hasBrowser, skipped } from './chromium.ts';
import { faultsOfLooks } from './looks.ts';
import {
  clear,
  decideElsewhere,
  heading,
  queueOf,
  type Row,
  reviewsOf,
  type Served,
  serve,
  texts,
  visit,
} from './page-under-test.ts';

let served: Served;

beforeAll(async () => {
  if (hasBrowser) served = await serve();
}, 60_000);

describe.skipIf(!hasBrowser)(`reviews${skipped}`, { timeout: 60_000 }, () => {
  let rows: Row[];
  beforeEach(async () => {
    await clear(served);
    rows = (await queueOf(served)).slice(0, 3);
    await decideElsewhere(served, rows[0], 'accept', '');
    await decideElsewhere(served, rows[1], 'reject', 'Kim');
    await decideElsewhere(served, rows[2], 'accept', '<i>Lee</i>');
  });

  it('are listed newest first, with who decided', async () => {
    const { page, faults } = await visit(served, '/reviews');
    await texts(page.locator('.review .row-tag')).toEqual([rows[2].tag, rows[1].tag, rows[0].tag]);
    await texts(page.locator('.review small')).toEqual([
      expect.stringMatching(/^accepted by <i>Lee<\/i> /),
      expect.stringMatching(/^rejected by Kim /),
      expect.stringMatching(/^accepted \d/),
    ]);
    expect(faults).toEqual([]);
  });

  it('are narrowed down by decision, object and tag', async () => {
    const { page, faults } = await visit(served, '/reviews');
    await page.getByLabel('Rejected').check();
    await texts(page.locator('.review .row-tag')).toEqual([rows[1].tag]);
    expect(new URL(page.url()).search).toBe('?decision=reject');
    await page.getByLabel('All').check();
    await page.getByRole('combobox', { name: 'Filter by object' }).fill(rows[0].title);
    await page.locator('.filters .option').first().click();
    await texts(page.locator('.filters .chip')).toEqual([`Object: ${rows[0].object}`]);
    const own = rows.filter(({ object }) => object === rows[0].object).map(({ tag }) => tag);
    await texts(page.locator('.review .row-tag')).toEqual(own.reverse());
    await page.getByRole('button', { name: `Remove the filter ${rows[0].object}` }).click();
    await texts(page.locator('.review .row-tag')).toEqual([rows[2].tag, rows[1].tag, rows[0].tag]);
    expect(faults).toEqual([]);
  });

  it('are narrowed down by who decided, and show notes', async () => {
    const [{ object, tag }] = (await queueOf(served)).slice(-1);
    const note = `See the manual. ${'More of it. '.repeat(60)}`.trim();
    const payload = { object, tag, decision: 'unsure', curator: 'Kim', note };
    expect((await served.service.fastify.inject({ method: 'POST', url: '/v1/reviews', payload })).statusCode).toBe(201);
    const { page, faults } = await visit(served, '/reviews');
    await page.getByRole('combobox', { name: 'Filter by curator' }).fill('ki');
    await page.locator('.filters .option').first().click();
    await texts(page.locator('.review .row-tag')).toEqual([tag, rows[1].tag]);
    expect(new URL(page.url()).search).toBe('?curator=Kim');
    await page.reload();
    await texts(page.locator('.filters .chip')).toEqual(['By: Kim']);
    await page.getByLabel('Not sure').check();
    await texts(page.locator('.review .row-tag')).toEqual([tag]);
    await texts(page.locator('.review small')).toEqual([
      expect.stringMatching(/^put aside by Kim .* · note: “See the/),
    ]);
    const full = page.locator('.note-text');
    expect(await full.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Show note' }).click();
    expect(await full.isVisible()).toBe(true);
    expect(await full.textContent()).toBe(note);
    await page.keyboard.press('Escape');
    expect(await full.isVisible()).toBe(false);
    expect(await faultsOfLooks(page)).toEqual([]);
    await page.getByRole('button', { name: /^Undo/ }).click();
    await expect.poll(() => reviewsOf(served)).toHaveLength(3);
    expect(faults).toEqual([]);
  });

  it('are undone, and decided again', async () => {
    const { page, faults } = await visit(served, '/reviews');
    const row = page.locator('.review').nth(1);
    await row.getByRole('button', { name: /^Undo/ }).click();
    await texts(row.locator('small')).toEqual([expect.stringMatching(/^undone; it was rejected by Kim/)]);
    await expect.poll(() => reviewsOf(served)).toHaveLength(2);
    await row.getByRole('button', { name: /^Reject again/ }).click();
    await expect.poll(() => reviewsOf(served)).toHaveLength(3);
    expect(faults).toEqual([]);
  });

  it('that accept are downloaded as links', async () => {
    const { page, faults } = await visit(served, '/reviews');
    const link = page.getByRole('link', { name: 'Download accepted tags' });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toBe('tagged.tsv');
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n');
    expect(lines[0]).toBe('object\ttag');
    expect(lines.slice(1).sort()).toEqual([rows[0], rows[2]].map(({ object, tag }) => `${object}\t${tag}`).sort());
    expect(faults).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)(`about${skipped}`, { timeout: 60_000 }, () => {
  it('says what is served, and how to show results', async () => {
    const { page, faults } = await visit(served, '/about', { expected: /404/ });
    const { numObjects, fingerprint, version } = (await served.service.fastify.inject('/v1/model')).json();
    await heading(page).toEqual(['About']);
    await texts(page.locator('.counts li').first()).toEqual([`${numObjects} objects`]);
    await texts(page.locator('.facts dd').filter({ hasText: fingerprint })).toEqual([fingerprint]);
    await texts(page.locator('.facts dd').filter({ hasText: version })).toEqual([version]);
    await texts(page.locator('#comparison + p')).toEqual([
      'No results yet. Write some with tagloom compare DATA --json > FILE and start the service with --results FILE.',
    ]);
    expect(faults).toEqual([]);
  });

  it('shows how models compare', async () => {
    const result = (model: string, trainFraction: number, mean: number) => ({
      data: 'npm',
      trainFraction,
      model,
      seconds: 2.5,
      metrics: { 'ndcg@3': { mean: mean / 2, deviation: 0 }, 'recall@3': { mean, deviation: 0.01 } },
      groups: [
        { group: 'cold', numObjects: 9, metrics: { 'recall@3': { mean: 0.6 - mean, deviation: 0 } } },
        { group: '1–9', numObjects: 9, metrics: { 'recall@3': { mean, deviation: 0 } } },
      ],
      reliability: {
        bins: [
          { size: 10, confidence: 0.25, right: 0.3 },
          { size: 4, confidence: 0.75, right: 0.7 },
        ],
      },
    });
    const models = [0.4, 0.8].flatMap((share) => [
      result('ease', share, 0.2 + share / 4),
      result('loom', share, 0.3 + share / 4),
    ]);
    const results = join(await tempFolder(), 'results.json');
    await writeFile(results, JSON.stringify({ models }));
    const { page, faults } = await visit(await serve({ results }), '/about');
    await texts(page.locator('.chart tbody th')).toEqual(['loom in service', 'ease']); // the best first
    await texts(page.locator('.chart .amount:not(.wide)')).toEqual(['0.5000 ± 0.0100', '0.4000 ± 0.0100']);
    await page.getByRole('combobox', { name: 'Objects', exact: true }).selectOption('cold');
    await texts(page.locator('.chart tbody th')).toEqual(['ease', 'loom in service']);
    await page.getByRole('combobox', { name: 'Metric' }).selectOption('NDCG@3');
    await page.getByRole('combobox', { name: 'Objects', exact: true }).selectOption('all');
    await texts(page.locator('.chart .amount:not(.wide)')).toEqual(['0.2500', '0.2000']);
    expect(await page.locator('.fraction-lines polyline').count()).toBe(2);
    expect(await page.locator('.calibration').first().locator('circle').count()).toBe(2);
    expect(faults).toEqual([]);
  });

  it('keeps the name that signs decisions', async () => {
    await clear(served);
    const { page, faults } = await visit(served, '/about', { expected: /404/ });
    await page.getByLabel('Your name').fill('  Ada  ');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.goto(`${served.url}/`);
    await page.getByRole('button', { name: 'Add tag' }).click();
    await expect.poll(() => reviewsOf(served)).toHaveLength(1);
    const [{ curator }] = (await served.service.fastify.inject('/v1/reviews')).json().reviews;
    expect(curator).toBe('Ada');
    expect(faults).toEqual([]);
  });
});
