// The queue in a real browser: deciding by hand and by key, and what happens when something goes wrong.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasBrowser, skipped } from './chromium.ts';
import {
  clear,
  decideElsewhere,
  figureIn,
  heading,
  queueOf,
  type Row,
  reviewsOf,
  type Served,
  said,
  serve,
  texts,
  visit,
} from './page-under-test.ts';

describe.skipIf(!hasBrowser)(`the queue${skipped}`, { timeout: 60_000 }, () => {
  let served: Served;
  let rows: Row[];
  beforeAll(async () => {
    served = await serve();
  }, 60_000);
  beforeEach(async () => {
    await clear(served);
    rows = await queueOf(served);
  });

  it('shows the most confident suggestion first, with the tags the object has', async () => {
    const { page, faults } = await visit(served, '/');
    await texts(page.locator('.card h2')).toEqual([rows[0].title]);
    await texts(page.locator('.question-tag')).toEqual([rows[0].tag]);
    await texts(page.locator('.card .figure')).toEqual([figureIn(rows, 0)]);
    const { json } = await served.service.fastify
      .inject(`/v1/objects/${encodeURIComponent(rows[0].object)}`)
      .then((answer) => ({ json: answer.json() }));
    await texts(page.locator('.present .chip')).toEqual(json.tags.map(({ tag }: { tag: string }) => tag));
    expect(await page.locator('.queue-row[aria-selected=true]').textContent()).toContain(rows[0].title);
    expect(faults).toEqual([]);
  });

  it('saves what is decided by hand, goes on to the next, and undoes', async () => {
    const { page, faults } = await visit(served, '/');
    await page.getByRole('button', { name: 'Add tag' }).click();
    await texts(page.locator('.question-tag')).toEqual([rows[1].tag]);
    await page.getByRole('button', { name: 'Reject' }).click();
    await texts(page.locator('.card h2')).toEqual([rows[2].title]);
    await expect.poll(() => reviewsOf(served)).toHaveLength(2);
    expect(await reviewsOf(served)).toEqual([
      { object: rows[1].object, tag: rows[1].tag, decision: 'reject' },
      { object: rows[0].object, tag: rows[0].tag, decision: 'accept' },
    ]);
    await texts(page.locator('.session')).toEqual([expect.stringMatching(/2 decided today: 1 accepted, 1 rejected$/)]);
    await page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => reviewsOf(served)).toHaveLength(1);
    await texts(page.locator('.session')).toEqual([expect.stringMatching(/1 decided today: 1 accepted, 0 rejected$/)]);
    expect(faults).toEqual([]);
  });

  it('can be worked with the keyboard alone', async () => {
    const { page, faults } = await visit(served, '/');
    await texts(page.locator('.card h2')).toEqual([rows[0].title]);
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    await texts(page.locator('.card h2')).toEqual([rows[2].title]);
    await page.keyboard.press('k');
    await texts(page.locator('.card h2')).toEqual([rows[1].title]);
    await page.keyboard.press('a');
    await said(page).toMatch(/^Accepted\. /);
    await page.keyboard.press('x');
    await said(page).toMatch(/^Rejected\. /);
    await expect
      .poll(async () => (await reviewsOf(served)).map(({ decision }) => decision))
      .toEqual(['reject', 'accept']);
    await page.keyboard.press('u');
    await texts(page.locator('.card h2')).toEqual([rows[2].title]); // back at what is open again
    await page.keyboard.press('z');
    await expect.poll(() => reviewsOf(served)).toEqual([]);
    await page.keyboard.press('u');
    await said(page).toBe('Nothing to undo.');
    await page.keyboard.press('o');
    await heading(page).toEqual([rows[1].title]);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1'); // the focus follows
    await page.goBack();
    await texts(page.locator('.card h2')).toEqual([rows[1].title]); // where one was
    expect(faults).toEqual([]);
  });

  it('takes Enter for yes, but not where Enter presses something', async () => {
    const { page } = await visit(served, '/');
    await texts(page.locator('.card h2')).toEqual([rows[0].title]);
    await page.keyboard.press('Enter');
    await expect.poll(() => reviewsOf(served)).toHaveLength(1);
    await page.getByRole('button', { name: 'Why' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: /^Why / }).waitFor();
    expect(await reviewsOf(served)).toHaveLength(1);
  });

  it('lets letters be turned off', async () => {
    const { page, faults } = await visit(served, '/');
    await texts(page.locator('.card h2')).toEqual([rows[0].title]);
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keys' });
    await dialog.waitFor();
    await page.keyboard.press('a'); // a dialog is open: no command
    await dialog.getByLabel('Single letters are commands').uncheck();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.keyboard.press('a');
    await page.keyboard.press('ArrowDown'); // no letter
    await texts(page.locator('.card h2')).toEqual([rows[1].title]);
    expect(await reviewsOf(served)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('says why on demand, in parts that add up to the score', async () => {
    const { page, faults } = await visit(served, '/');
    await page.getByRole('button', { name: 'Why' }).click();
    const parts = page.locator('.parts');
    await parts.waitFor();
    const amounts = async (selector: string) =>
      (await parts.locator(selector).allTextContents()).map((text) => Number(text.replace('−', '-')));
    const [score] = await amounts('.part-total .amount');
    expect(score).toBeCloseTo(rows[0].score, 3);
    const groups = await amounts('.part-group .amount');
    expect(groups.length).toBeGreaterThanOrEqual(3);
    expect(Math.abs(groups.reduce((sum, one) => sum + one, 0) - score)).toBeLessThan(0.004); // each is rounded
    await page.keyboard.press('j'); // they stay open for the next
    await page.getByRole('region', { name: `Why ${rows[1].tag}`, exact: true }).waitFor();
    await page.keyboard.press('w');
    await parts.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  it('shows only what is sure enough and of one tag, and keeps both in the address', async () => {
    const { page, faults } = await visit(served, '/');
    const slider = page.getByRole('slider', { name: 'Minimum confidence' });
    expect(await slider.inputValue()).toBe('0.5'); // unless asked for more, what is likely
    await texts(page.locator('.session strong').first()).toEqual([String((await openOf(0.5)).numOpen)]);
    await slider.fill('0.7');
    await expect.poll(() => new URL(page.url()).search).toBe('?min=0.7');
    await texts(page.locator('.session strong').first()).toEqual([String((await openOf(0.7)).numOpen)]);
    await slider.fill('0');
    await expect.poll(() => new URL(page.url()).search).toBe('?min=0');
    const { numOpen, numLikely } = await openOf(0);
    await texts(page.locator('.session')).toEqual([
      expect.stringMatching(new RegExp(`^${numLikely} likely of ${numOpen} open`)),
    ]);
    await slider.fill('0.5');
    await expect.poll(() => new URL(page.url()).search).toBe('');
    const field = page.getByRole('combobox', { name: 'Filter by tag' });
    await field.fill(rows[0].tag);
    await page.locator('.filters .option').first().click();
    await texts(page.locator('.filters .chip')).toEqual([`Tag: ${rows[0].tag}`]);
    const wanted = await openOf(0.5, rows[0].tag);
    await texts(page.locator('.queue-row .row-tag')).toEqual(wanted.suggestions.map(() => rows[0].tag));
    await page.reload();
    await texts(page.locator('.queue-row .row-tag')).toEqual(wanted.suggestions.map(() => rows[0].tag));
    expect(faults).toEqual([]);
  });

  async function openOf(least: number, tag?: string) {
    const query = `minConfidence=${least}${tag === undefined ? '' : `&tag=${encodeURIComponent(tag)}`}`;
    return (await served.service.fastify.inject(`/v1/queue?limit=100&${query}`)).json();
  }

  it('says so when all is decided, and offers what is less sure', async () => {
    expect((await openOf(0.95)).suggestions).toEqual([]);
    await decideElsewhere(served, rows[0], 'accept', 'Kim');
    const { page, faults } = await visit(served, '/?min=0.95');
    await texts(page.locator('.card h2')).toEqual(['Nothing likely is missing.']);
    await texts(page.locator('.end p')).toEqual([
      'No suggestion at 95 % or more is left to decide. Today: 1 accepted, 0 rejected.',
    ]);
    await page.getByRole('button', { name: 'Show less likely suggestions' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?min=0');
    await expect.poll(() => page.locator('.queue-row').count()).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  });

  it('brings back what could not be saved, with the reason and another try', async () => {
    const { page, faults } = await visit(served, '/', { expected: /ERR_FAILED|503/ });
    await texts(page.locator('.card h2')).toEqual([rows[0].title]);
    await page.route('**/v1/reviews', (route) => route.abort());
    await page.keyboard.press('a');
    const notice = page.locator('.notice.fault');
    await texts(notice.locator('p')).toEqual([
      `“${rows[0].tag}” for ${rows[0].title} was not saved: The service does not answer. Check that it still runs and that this machine is online, then try again.`,
    ]);
    await texts(page.locator('.queue-row.failed .row-decision')).toEqual(['not saved accepted']);
    await page.unroute('**/v1/reviews');
    const problem = {
      title: 'x',
      status: 503,
      detail: 'The store of reviews does not answer.',
      cure: 'Wait a little.',
    };
    await page.route('**/v1/reviews', (route) => route.fulfill({ status: 503, json: problem }));
    await page.keyboard.press('r');
    await texts(notice.locator('p')).toEqual([
      '2 decisions were not saved: The store of reviews does not answer. Wait a little.',
    ]);
    await page.unroute('**/v1/reviews');
    await notice.getByRole('button', { name: 'Try all again' }).click();
    await expect.poll(() => reviewsOf(served)).toHaveLength(2);
    await notice.waitFor({ state: 'detached' });
    expect(await page.locator('.queue-row.failed').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('says who was first', async () => {
    const { page, faults } = await visit(served, '/', { expected: /409/ });
    await texts(page.locator('.card h2')).toEqual([rows[0].title]);
    await decideElsewhere(served, rows[0], 'reject', 'Kim <i>');
    await page.keyboard.press('a');
    await texts(page.locator('.notice.fault p')).toEqual([
      expect.stringMatching(/^Kim <i> was first: rejected .* Your decision was not saved\.$/),
    ]);
    await texts(page.locator('.queue-row.taken')).toEqual([expect.stringContaining('taken')]);
    await texts(page.locator('.session')).toEqual([
      expect.stringMatching(/1 decided today: 0 accepted, 1 rejected$/), // Kim's
    ]);
    expect(faults).toEqual([]);
  });

  it('asks for the token where the service does, and goes on once it has it', async () => {
    const guarded = await serve({ token: 'open sesame' });
    const { page, faults } = await visit(guarded, '/', { expected: /401|404/ });
    await texts(page.locator('.card h2')).toEqual([rows[0].title]);
    await page.keyboard.press('a');
    const notice = page.locator('.notice.fault');
    await texts(notice.locator('p')).toEqual([expect.stringContaining('This needs a token.')]);
    await notice.getByRole('link', { name: 'Enter the token' }).click();
    await page.getByLabel('Token').fill('open sesame');
    await page.getByRole('button', { name: 'Save' }).click();
    await notice.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => reviewsOf(guarded)).toHaveLength(1);
    await page.reload(); // it is kept until the curator signs out
    await page.getByRole('button', { name: 'Signed in as Administrator' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect.poll(() => page.evaluate(() => Object.values(localStorage).join())).not.toContain('sesame');
    expect(faults).toEqual([]);
  });

  it('shows what comes while the service scores objects, unless someone is at work', async () => {
    let numScored = 1; // objects, of three
    const { page, faults } = await visit(served, '/reviews', { hasOwnClock: true });
    await page.clock.install();
    await page.route('**/v1/queue?*', (route) => {
      const suggestions = rows.slice(0, Math.min(2, numScored)).reverse();
      return route.fulfill({ json: { suggestions, isComplete: numScored === 3, numOpen: numScored } });
    });
    const score = async (count: number) => {
      numScored = count;
      await page.clock.fastForward(2000); // when the page asks again
    };
    await page.getByRole('link', { name: 'Queue', exact: true }).click();
    await texts(page.locator('.unfinished')).toEqual(['Still scoring objects: 1 open suggestion so far.']);
    await texts(page.locator('.card h2')).toEqual([rows[0].title]);
    await score(2);
    await texts(page.locator('.card h2')).toEqual([rows[1].title]); // it came later and is first
    await page.keyboard.press('a');
    await score(3);
    await texts(page.locator('.unfinished')).toEqual(['All objects are scored. Show new suggestions']);
    await texts(page.locator('.card h2')).toEqual([rows[0].title]); // nothing moved
    expect(faults).toEqual([]);
  });

  it('keeps few rows in the document however many there are', async () => {
    const { page, faults } = await visit(served, '/about', { expected: /404/ });
    const many = Array.from({ length: 1000 }, (_, i) => ({
      object: `o${i}`,
      title: `Object ${i}`,
      tag: 't',
      score: 1,
      confidence: 0.9,
    }));
    await page.route('**/v1/queue?*', (route) => {
      const start = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
      const suggestions = many.slice(start, start + 100);
      const next = start + 100 < many.length ? { next: String(start + 100) } : {};
      return route.fulfill({ json: { suggestions, ...next, isComplete: true, numOpen: 100_000 } });
    });
    await page.route('**/v1/objects/*', (route) =>
      route.fulfill({ json: { id: 'x', title: 'x', tags: [], numUsers: 0, rejected: [] } }),
    );
    await page.getByRole('link', { name: 'Queue', exact: true }).click();
    await texts(page.locator('.card h2')).toEqual(['Object 0']);
    const list = page.getByRole('listbox', { name: 'Open suggestions' });
    for (const end of [100, 200, 300]) {
      await expect.poll(() => list.evaluate((box) => box.scrollHeight)).toBeGreaterThanOrEqual(end * 46);
      await list.evaluate((box) => box.scrollTo(0, box.scrollHeight));
    }
    await list.evaluate((box) => box.scrollTo(0, 250 * 46));
    await list.getByText('Object 250').click();
    await texts(page.locator('.card h2')).toEqual(['Object 250']);
    expect(await page.locator('.queue-row').count()).toBeLessThan(60);
    expect(faults).toEqual([]);
  });
});
