// Reviewing on the page to train on, in a real browser: by key, across a reload, and the files that come of it.

import { gunzipSync, gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkerboard } from '../checkerboard.ts';
import { hasBrowser, skipped } from './chromium.ts';
import { faultsOfLooks } from './looks.ts';
import { type Served, texts, visit } from './page-under-test.ts';
import { downloaded, facts, pickFiles, serveTraining, train } from './train-site.ts';

/** Half of the mugs for tea lack a tag that the others have. */
const ROWS = Array.from({ length: 40 }, (_, i) => {
  const [kind, sku] = [['coffee', 'tea', 'water', 'juice'][i % 4], `p${String(i).padStart(2, '0')}`];
  const colour = ['red', 'green', 'blue'][i % 3];
  const tags = i % 8 === 1 ? `${kind};${colour}` : `${kind};${kind} lover;${colour}`;
  return `${sku},Mug for ${kind} ${i},"A mug for ${kind}, hot or cold",${tags},https://shop.example/${sku}`;
});
const CATALOGUE = ['sku,name,blurb,labels,page', ...ROWS, ''].join('\n');

describe.skipIf(!hasBrowser)(`reviewing on the page to train on${skipped}`, { timeout: 120_000 }, () => {
  let served: Served;
  beforeAll(async () => {
    served = await serveTraining();
  }, 60_000);

  async function trained(page: Page, files: Parameters<typeof pickFiles>[1] = { 'shop.csv': CATALOGUE }) {
    await pickFiles(page, files);
    await facts(page).toContain('40 objects');
    await page.getByLabel('engine').selectOption('cpu');
    await train(page);
    await page.locator('.review-card, .review-end').waitFor();
  }

  it('is done by key, survives a reload, and gives the pairs and the file with its tags', async () => {
    const { page, faults } = await visit(served, '/train/');
    await trained(page);
    await lowest(page);
    const [one, two, three] = [await card(page), await press(page, 'a'), await press(page, 'r')];
    await press(page, 'a');
    expect(new Set([one, two, three].map(({ object, tag }) => `${object} ${tag}`)).size).toBe(3);
    await texts(page.locator('.review-progress span')).toEqual([expect.stringMatching(/^3 of \d+ reviewed$/)]);
    await press(page, 'u');
    expect(await card(page)).toEqual(three);
    await press(page, 's');
    await texts(page.locator('.review-progress span')).toEqual([expect.stringMatching(/^2 of \d+ reviewed$/)]);
    await press(page, 'u');
    await press(page, 'a');

    const pairs = await downloaded(page, /^Download accepted tags/);
    expect(pairs.name).toBe('accepted-tags.tsv');
    expect(pairs.bytes.toString()).toBe(
      `object\ttag\n${[one, three].map(({ object, tag }) => `${object}\t${tag}\n`).join('')}`,
    );
    const file = await downloaded(page, /^Download shop\.csv with the tags added/);
    expect(file.name).toBe('shop-tagged.csv');
    expect(file.bytes.toString()).toBe(withTags([one, three]));
    await texts(page.locator('.review-downloads small')).toEqual(['2 tags added.']);

    await page.reload();
    await trained(page);
    await lowest(page);
    await texts(page.locator('.review-progress span')).toEqual([expect.stringMatching(/^3 of \d+ reviewed$/)]);
    expect((await downloaded(page, /^Download accepted tags/)).bytes).toEqual(pairs.bytes);
    expect(faults).toEqual([]);
  });

  it('says each step, shows what is judged, and has no fault that axe knows or a thumb would meet', async () => {
    const { page, faults } = await visit(served, '/train/');
    await trained(page);
    await lowest(page);
    const { tag, title } = await card(page);
    await texts(page.locator('.review-card .text-lines')).toEqual([
      expect.stringMatching(/^A mug for \w+, hot or cold$/),
    ]);
    await texts(page.locator('.review-card .outside')).toEqual([expect.stringMatching(/^shop\.example\/p\d\d/)]);
    expect(await faultsOfLooks(page)).toEqual([]);
    const add = page.getByRole('button', { name: 'Add tag' });
    await add.scrollIntoViewIfNeeded();
    const before = await add.boundingBox();
    await add.click();
    await texts(page.locator('.review-stage [aria-live]')).toEqual([
      expect.stringMatching(new RegExp(`^Added ${tag} to ${title}\\. Next: .+ for .+\\.$`)),
    ]);
    expect(await add.boundingBox()).toEqual(before);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => card(page)).toMatchObject({ tag, title });
    expect(faults).toEqual([]);
  });

  it('begins with what is likely, and says so where nothing is left', async () => {
    const { page, faults } = await visit(served, '/train/');
    await trained(page);
    expect(await page.getByLabel('Minimum confidence').inputValue()).toBe('0.5');
    while ((await page.locator('.review-card').count()) > 0) await page.keyboard.press('s');
    await texts(page.locator('.review-end p')).toEqual([expect.stringMatching(/Lower the confidence/)]);
    expect(await page.getByRole('button', { name: /^Download accepted tags/ }).isDisabled()).toBe(true);
    expect(faults).toEqual([]);
  });

  it('writes a compressed file back compressed, and tables only as pairs', async () => {
    const { page, faults } = await visit(served, '/train/');
    await trained(page, { 'shop.csv.gz': gzipSync(CATALOGUE) });
    await lowest(page);
    const first = await card(page);
    await press(page, 'a');
    const file = await downloaded(page, /^Download shop\.csv\.gz with the tags added/);
    expect(file.name).toBe('shop-tagged.csv.gz');
    expect(gunzipSync(file.bytes).toString()).toBe(withTags([first]));
    const { tagged, interact, objects, tags, users } = checkerboard();
    await pickFiles(page, {
      'tagged.tsv': `object\ttag\n${Array.from(tagged.heads, (one, i) => `${objects.name(one)}\t${tags.name(tagged.tails[i])}\n`).join('')}`,
      'interact.tsv': `user\tobject\n${Array.from(interact.heads, (one, i) => `${users.name(one)}\t${objects.name(interact.tails[i])}\n`).join('')}`,
    });
    await facts(page).toContain('60 objects');
    await page.getByRole('radio', { name: /DGE/ }).check(); // which knows no confidence
    await page.getByLabel('epochs').fill('2');
    await train(page);
    await page.locator('.review-card').waitFor();
    expect(await page.getByLabel('Minimum confidence').count()).toBe(0);
    expect(await page.getByRole('button', { name: /with the tags added/ }).count()).toBe(0);
    expect(faults).toEqual([]);
  });
});

interface Card {
  readonly object: string;
  readonly title: string;
  readonly tag: string;
}

async function card(page: Page): Promise<Card> {
  const found = page.locator('.review-card');
  const text = async (where: string) => (await found.locator(where).textContent()) ?? '';
  const [object, tag, heading] = [await text('.id'), await text('.review-question strong'), await text('h3')];
  return { object, tag, title: heading.replace(object, '').trim() };
}

/** Presses a key and gives the card that is then shown. */
async function press(page: Page, key: string): Promise<Card> {
  const before = await page.locator('.review-card').getAttribute('aria-label');
  await page.keyboard.press(key);
  await expect.poll(() => page.locator('.review-card').getAttribute('aria-label')).not.toBe(before);
  return card(page);
}

/** All that is suggested, however unlikely. */
async function lowest(page: Page): Promise<void> {
  const before = await page.locator('.review-progress span').textContent();
  await page.getByLabel('Minimum confidence').fill('0');
  await page.locator('h1').click();
  await expect.poll(() => page.locator('.review-progress span').textContent()).not.toBe(before);
}

function withTags(added: readonly Card[]): string {
  return CATALOGUE.split('\n')
    .map((line) => {
      const own = added.filter(({ object }) => line.startsWith(`${object},`)).map(({ tag }) => `;${tag}`);
      return line.replace(/(,[^,]+)(,https:.*)$/, `$1${own.join('')}$2`);
    })
    .join('\n');
}
