// What curators do all day, in a real browser: put aside, skip, write notes, undo after a reload, work by groups and in a grid.

import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasBrowser, skipped } from './chromium.ts';
import { faultsOfLooks, tabStops } from './looks.ts';
import {
  clear,
  decideElsewhere,
  queueOf,
  type Row,
  reviewsOf,
  type Served,
  said,
  serve,
  texts,
  visit,
} from './page-under-test.ts';

let served: Served;
let rows: Row[];

beforeAll(async () => {
  if (hasBrowser) served = await serve();
}, 60_000);

const card = (page: Page) => texts(page.locator('.card h2'));
const noticed = (page: Page) => page.getByRole('region', { name: 'Notices' });

describe.skipIf(!hasBrowser)(`a curator${skipped}`, { timeout: 60_000 }, () => {
  beforeEach(async () => {
    await clear(served);
    rows = await queueOf(served, '&minConfidence=0.5');
    expect(rows.length).toBeGreaterThan(8);
  });

  it('finds Accept and Reject in one place, whatever the suggestion', async () => {
    const { page, faults } = await visit(served, '/reviews', { expected: /404|ERR/ });
    const long = 'A text that goes on and on, in many lines. '.repeat(60);
    const items = [
      { object: 'a', title: 'Short', tag: 't' },
      {
        object: 'b',
        title: 'A title that is long enough to need more than one line '.repeat(4),
        tag: 'tag '.repeat(40),
      },
      {
        object: 'c',
        title: 'With everything',
        tag: 'x',
        texts: { description: long, notes: long },
        image: '/mark.svg',
      },
    ];
    const suggestions = items.map((item, i) => ({ ...item, score: 3 - i, confidence: 0.99 }));
    await page.route('**/v1/queue?*', (route) =>
      route.fulfill({ json: { suggestions, isComplete: true, numOpen: 3, numLikely: 3 } }),
    );
    await page.route('**/v1/objects/*', (route) => {
      const item = items.find(({ object }) => route.request().url().endsWith(`/${object}`));
      const tags = Array.from({ length: item?.object === 'c' ? 40 : 0 }, (_, i) => ({ tag: `tag ${i}`, from: 'data' }));
      return route.fulfill({ json: { id: item?.object, ...item, tags, rejected: [], unsure: [] } });
    });
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${served.url}/`);
      const places = [];
      for (const { title } of items) {
        await card(page).toEqual([title.trim()]);
        await page.locator('.present').waitFor();
        const boxes = [];
        for (const name of ['Add tag', 'Reject', 'Not sure', 'Skip']) {
          boxes.push(await page.getByRole('button', { name, exact: true }).boundingBox());
        }
        places.push(boxes);
        expect(
          boxes.every((box) => box !== null && box.y + box.height <= 800),
          'in sight',
        ).toBe(true);
        await page.keyboard.press('j');
      }
      expect(places[1], `at ${width} pixels`).toEqual(places[0]);
      expect(places[2], `at ${width} pixels`).toEqual(places[0]);
      await page.keyboard.press('w');
      expect(await page.getByRole('button', { name: 'Reject', exact: true }).boundingBox()).toEqual(places[0][1]);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.route('**/v1/reviews', (route) => route.abort());
    const before = await page.getByRole('button', { name: 'Add tag', exact: true }).boundingBox();
    await page.getByRole('button', { name: 'Skip', exact: true }).click();
    await page.keyboard.press('a'); // a notice comes, and words above grow
    await page.locator('.notice').first().waitFor();
    expect(await page.getByRole('button', { name: 'Add tag', exact: true }).boundingBox()).toEqual(before);
    expect(faults).toEqual([]);
  });

  it('puts aside what is unclear, with a note, and skips what can wait until the end', async () => {
    const { page, faults } = await visit(served, '/');
    await card(page).toEqual([rows[0].title]);
    await page.getByRole('button', { name: 'Note' }).click();
    const field = page.getByRole('textbox', { name: 'Note, saved with your decision' });
    await page.keyboard.type('Ask Kim. r and a are letters here.');
    await page.keyboard.press('Enter'); // back to the keys
    expect(await field.inputValue()).toBe('Ask Kim. r and a are letters here.');
    await page.getByRole('button', { name: 'Not sure' }).click();
    await texts(page.locator('.question-tag')).toEqual([rows[1].tag]);
    expect(await field.count()).toBe(0); // each decision has a note of its own
    await page.getByRole('button', { name: 'Skip' }).click();
    await said(page).toMatch(/^Skipped\. /);
    await card(page).toEqual([rows[2].title]);
    await texts(page.locator('.queue-row').nth(1).locator('.row-decision')).toEqual(['skipped']);
    await page.keyboard.press('d');
    await expect.poll(() => reviewsOf(served)).toHaveLength(2);
    const { reviews } = (await served.service.fastify.inject('/v1/reviews')).json();
    expect(reviews).toMatchObject([
      { object: rows[2].object, decision: 'unsure', note: '' },
      { object: rows[0].object, decision: 'unsure', note: 'Ask Kim. r and a are letters here.' },
    ]);
    await texts(page.locator('.session')).toEqual([expect.stringMatching(/0 accepted, 0 rejected, 2 not sure$/)]);
    for (const _ of [2, 1, 0]) await page.keyboard.press('k');
    await texts(page.locator('.card .decision')).toEqual(['Not sure: “Ask Kim. r and a are letters here.”']);
    expect(faults).toEqual([]);
  });

  it('comes back to what was skipped when all else is decided', async () => {
    const { page, faults } = await visit(served, '/reviews', { expected: /404|503/ });
    await page.route('**/v1/live?*', (route) => route.fulfill({ status: 503 })); // it would count other suggestions
    await page.route('**/v1/queue?*', (route) =>
      route.fulfill({ json: { suggestions: rows.slice(0, 3), isComplete: true, numOpen: 3, numLikely: 3 } }),
    );
    await page.getByRole('link', { name: 'Queue', exact: true }).click();
    await card(page).toEqual([rows[0].title]);
    await page.keyboard.press('s');
    await page.keyboard.press('a');
    await page.keyboard.press('r');
    await texts(page.locator('.question-tag')).toEqual([rows[0].tag]);
    await texts(page.locator('.session strong').first()).toEqual(['1']);
    await page.keyboard.press('a');
    await card(page).toEqual(['Nothing likely is missing.']);
    expect(faults).toEqual([]);
  });

  it('undoes by notice and by key from one history, also after a reload', async () => {
    const { page, faults } = await visit(served, '/');
    await card(page).toEqual([rows[0].title]);
    for (const [i, key] of ['a', 'r', 'd', 'a'].entries()) {
      await page.keyboard.press(key);
      await texts(page.locator('.question-tag')).toEqual([rows[i + 1].tag]);
    }
    const left = async () => (await reviewsOf(served)).map(({ object, tag }) => `${object} ${tag}`).reverse();
    const names = rows.slice(0, 4).map(({ object, tag }) => `${object} ${tag}`);
    await expect.poll(left).toEqual(names);
    await noticed(page).getByRole('button', { name: 'Undo' }).click(); // the one it names: the last
    await texts(page.locator('.question-tag')).toEqual([rows[3].tag]); // and there one is
    await expect.poll(left).toEqual(names.slice(0, 3));
    await page.keyboard.press('u'); // the one before
    await expect.poll(left).toEqual(names.slice(0, 2));
    await page.reload();
    await page.locator('.present').waitFor();
    await page.keyboard.press('u');
    await expect.poll(left).toEqual(names.slice(0, 1));
    await texts(noticed(page).locator('p')).toEqual([`“${rows[1].tag}” for ${rows[1].title} is open again`]);
    await page.goto(`${served.url}/object/${encodeURIComponent(rows[9].object)}`);
    await page.locator('.own-tags').waitFor();
    await page.keyboard.press('u'); // on any screen
    await expect.poll(left).toEqual([]);
    await page.keyboard.press('u');
    await said(page).toBe('Nothing to undo.');
    expect(faults).toEqual([]);
  });

  it('reads from the service what was decided today, by everyone or, with a name, by that name', async () => {
    await decideElsewhere(served, rows[0], 'accept', 'Kim');
    const { page, faults } = await visit(served, '/', { expected: /404/ });
    await texts(page.locator('.session')).toEqual([expect.stringMatching(/1 decided today: 1 accepted, 0 rejected$/)]);
    await page.goto(`${served.url}/about`);
    await page.getByLabel('Your name').fill('Ada');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Queue', exact: true }).click();
    await texts(page.locator('.session')).toEqual([expect.stringMatching(/, 0 decided by you today; 1 by everyone$/)]);
    await page.locator('.present').waitFor();
    await page.keyboard.press('r');
    await texts(page.locator('.session')).toEqual([
      expect.stringMatching(/1 decided by you today: 0 accepted, 1 rejected; 2 by everyone$/),
    ]);
    await expect.poll(() => reviewsOf(served)).toHaveLength(2);
    await page.evaluate(() => localStorage.removeItem('tagloom.tally')); // as in another browser
    await page.reload();
    await texts(page.locator('.session')).toEqual([
      expect.stringMatching(/1 decided by you today: 0 accepted, 1 rejected; 2 by everyone$/),
    ]);
    expect(faults).toEqual([]);
  });

  it.each(['object', 'tag'] as const)(
    'works by %s: groups in the list, and the focus goes through them',
    async (group) => {
      const grouped = await queueOf(served, `&minConfidence=0.5&group=${group}`);
      const { page, faults } = await visit(served, '/');
      await page.getByRole('combobox', { name: 'Group' }).selectOption(group);
      await expect.poll(() => new URL(page.url()).search).toBe(`?group=${group}`);
      await texts(page.locator('.queue-row .row-tag').nth(2)).toEqual([grouped[2].tag]);
      const heads = [...new Set(grouped.slice(0, 4).map((row) => (group === 'tag' ? row.tag : row.title)))];
      expect((await page.locator('.queue-group').allTextContents()).slice(0, heads.length)).toEqual(heads);
      for (const row of grouped.slice(0, 4)) {
        await card(page).toEqual([row.title]);
        await texts(page.locator('.question-tag')).toEqual([row.tag]);
        await page.keyboard.press('j');
      }
      await page.reload();
      await texts(page.locator('.queue-row .row-tag').first()).toEqual([grouped[0].tag]);
      expect(faults).toEqual([]);
    },
  );

  it.each(['useful', 'covered'] as const)('asks in another order: %s', async (order) => {
    const ordered = await queueOf(served, `&minConfidence=0.5&order=${order}`);
    const { page, faults } = await visit(served, '/');
    await card(page).toEqual([rows[0].title]);
    await page.getByRole('combobox', { name: 'Order' }).selectOption(order);
    await expect.poll(() => new URL(page.url()).search).toBe(`?order=${order}`);
    for (const row of ordered.slice(0, 4)) {
      await card(page).toEqual([row.title]);
      await texts(page.locator('.question-tag')).toEqual([row.tag]);
      await page.keyboard.press('j');
    }
    await page.reload();
    await texts(page.locator('.queue-row .row-tag').first()).toEqual([ordered[0].tag]);
    expect(faults).toEqual([]);
  });

  it('works in a grid, with arrows in four directions, buttons on each card and the same keys', async () => {
    const { page, faults } = await visit(served, '/');
    await card(page).toEqual([rows[0].title]);
    await page.keyboard.press('v');
    await expect.poll(() => new URL(page.url()).search).toBe('?view=grid');
    const active = () => texts(page.locator('.grid-card.active .grid-tag, .grid-card.active .grid-title'));
    const shown = ({ title, tag }: Row) => [title, tag];
    await active().toEqual(shown(rows[0]));
    const numColumns = await page.locator('.grid-line').first().locator('.grid-card').count();
    expect(numColumns).toBeGreaterThan(2);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await active().toEqual(shown(rows[numColumns + 1]));
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp'); // nothing is above
    await active().toEqual(shown(rows[0]));
    await page.keyboard.press('a');
    await active().toEqual(shown(rows[1]));
    await page.getByRole('button', { name: `Reject ${rows[3].tag} for ${rows[3].title}`, exact: true }).click();
    await active().toEqual(shown(rows[4])); // where the hand is, it goes on
    await expect
      .poll(() => reviewsOf(served))
      .toMatchObject([
        { object: rows[3].object, decision: 'reject' },
        { object: rows[0].object, decision: 'accept' },
      ]);
    await page.keyboard.press('u');
    await active().toEqual(shown(rows[3]));
    expect(await faultsOfLooks(page)).toEqual([]);
    const stops = await tabStops(
      page,
      (one) => one.getAttribute('aria-label') ?? one.textContent ?? '',
      (all) => all.some((stop) => stop.startsWith('Not sure')),
    );
    expect(
      stops.some((stop) => stop.startsWith('Add tag')),
      'reached by Tab',
    ).toBe(true);
    await page.setViewportSize({ width: 390, height: 800 });
    await expect.poll(() => page.locator('.grid-line').first().locator('.grid-card').count()).toBe(1);
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await page.locator('.card').waitFor();
    expect(faults).toEqual([]);
  });

  it('has no fault of looks with a note open, something skipped and groups', async () => {
    const { page, faults } = await visit(served, '/?group=tag');
    await page.locator('.present').waitFor();
    await page.keyboard.press('s');
    await page.keyboard.press('d');
    await page.locator('.present').waitFor();
    await page.keyboard.press('c');
    await page.getByRole('textbox', { name: 'Note, saved with your decision' }).waitFor();
    expect(await faultsOfLooks(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});
