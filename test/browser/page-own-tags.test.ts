// The tags of an object by hand, in a real browser: add one there is or a new one, remove a wrong one, settle what someone was not
// sure about, and undo each of them.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, post } from '../serving/http/service-under-test.ts';
import { hasBrowser, skipped } from './chromium.ts';
import { faultsOfLooks } from './looks.ts';
import { clear, reviewsOf, type Served, said, serve, texts, visit } from './page-under-test.ts';

const OBJECT = 'o021';
let served: Served;
let own: string[];

beforeAll(async () => {
  if (hasBrowser) served = await serve();
}, 60_000);

const tagsNow = async (): Promise<string[]> =>
  (await ask(served.service, `/v1/objects/${OBJECT}`)).json.tags.map(({ tag }: { tag: string }) => tag);

describe.skipIf(!hasBrowser)(`the tags of an object${skipped}`, { timeout: 60_000 }, () => {
  beforeEach(async () => {
    await clear(served);
    own = await tagsNow();
    expect(own.length).toBeGreaterThan(1);
  });

  it('are added by hand, from those there are', async () => {
    const { page, faults } = await visit(served, `/object/${OBJECT}`);
    const other = (await ask(served.service, '/v1/tags?limit=100')).json.tags.find(
      ({ tag }: { tag: string }) => !own.includes(tag) && tag.startsWith('t0'),
    ).tag;
    await page.getByRole('combobox', { name: 'Add a tag' }).fill(other);
    await page.locator('.own-tags .option').first().waitFor();
    expect(await page.locator('.own-tags .option-label').allTextContents()).not.toContain(`Add new tag “${other}”`);
    await page.keyboard.press('Enter');
    await texts(page.locator('.chip.new a')).toEqual([other]);
    await said(page).toBe(`Added ${other}.`);
    await texts(page.locator('.notice p')).toEqual([`Added “${other}” to ${OBJECT}`]);
    await expect.poll(tagsNow).toEqual([...own, other].sort());
    await page.keyboard.press('Tab'); // out of the field, where letters are letters
    await page.keyboard.press('u');
    await expect.poll(tagsNow).toEqual(own);
    await expect.poll(() => page.locator('.chip.new').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('are added by hand although no object has them yet, and lead to their reviews', async () => {
    const { page, faults } = await visit(served, `/object/${OBJECT}`);
    const field = page.getByRole('combobox', { name: 'Add a tag' });
    await field.fill('  Brand new ');
    await texts(page.locator('.own-tags .option-label')).toEqual(['Add new tag “Brand new”']);
    await page.locator('.own-tags .option').click();
    await expect.poll(tagsNow).toContain('Brand new');
    await page.reload();
    await texts(page.locator('.chip.new a')).toEqual(['Brand new']);
    await field.fill('Brand new');
    await texts(page.locator('.own-tags .option')).toEqual(['Brand newalready a tag of this object']);
    await page.keyboard.press('Enter');
    await said(page).toBe('Brand new is already a tag of this object.');
    expect(await reviewsOf(served)).toHaveLength(1);
    await page.getByRole('link', { name: 'Brand new' }).click();
    await texts(page.locator('.review .row-tag')).toEqual(['Brand new']);
    await page.goBack();
    await page.getByRole('button', { name: 'Remove Brand new' }).click();
    await texts(page.locator('.notice p')).toEqual([expect.stringContaining('Brand new')]);
    await expect.poll(tagsNow).toEqual(own);
    expect(faults).toEqual([]);
  });

  it('are removed where they are wrong, and brought back', async () => {
    const { page, faults } = await visit(served, `/object/${OBJECT}`);
    const chips = page.locator('.own-tags .chip a');
    await texts(chips).toEqual(own);
    await page.getByRole('button', { name: `Remove ${own[0]}`, exact: true }).click();
    await texts(chips).toEqual(own.slice(1));
    await texts(page.locator('.notice p')).toEqual([`Removed “${own[0]}” from ${OBJECT}`]);
    await expect.poll(tagsNow).toEqual(own.slice(1));
    await page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Undo' }).click();
    await texts(chips).toEqual(own);
    await texts(page.locator('.notice p')).toEqual([`“${own[0]}” is a tag of ${OBJECT} again`]);
    await expect.poll(tagsNow).toEqual(own);
    await page.getByRole('button', { name: `Remove ${own[1]}`, exact: true }).click();
    await expect.poll(tagsNow).not.toContain(own[1]);
    await page.reload();
    await texts(chips).toEqual(own.filter((_, i) => i !== 1));
    await page.getByText('1 removed').click();
    await page.getByRole('button', { name: `Undo the removal of ${own[1]}` }).click();
    await expect.poll(tagsNow).toEqual(own);
    await expect.poll(async () => (await chips.allTextContents()).sort()).toEqual(own);
    expect(faults).toEqual([]);
  });

  it('that someone was not sure about wait for a verdict', async () => {
    const [{ tag }, { tag: second }] = (await ask(served.service, `/v1/objects/${OBJECT}/suggestions`)).json
      .suggestions;
    await post(served.service, '/v1/reviews', { object: OBJECT, tag, decision: 'unsure', curator: 'Kim' });
    const { page, faults } = await visit(served, `/object/${OBJECT}`);
    const list = page.locator('.unsure-tags');
    await texts(list.locator('li > a')).toEqual([tag]);
    await page.locator('.suggestion-tag').first().waitFor(); // they come with an answer of their own
    expect(await page.locator('.suggestion-tag').allTextContents()).not.toContain(tag);
    await page.keyboard.press('d'); // the suggestion in focus
    await texts(list.locator('li > a')).toEqual([tag, second]);
    expect(await faultsOfLooks(page)).toEqual([]);
    await list.getByRole('button', { name: `Add tag ${tag}`, exact: true }).click();
    await texts(page.locator('.chip.new a')).toEqual([tag]);
    await list.getByRole('button', { name: `Undo the doubt about ${second}` }).click();
    await expect.poll(() => reviewsOf(served)).toEqual([{ object: OBJECT, tag, decision: 'accept' }]);
    expect(await list.count()).toBe(0);
    await page.reload();
    await texts(page.locator('.chip.new a')).toEqual([tag]);
    expect(faults).toEqual([]);
  });

  it('lack nothing where nothing is likely, and say so', async () => {
    const { page, faults } = await visit(served, '/reviews');
    const suggestions = [0.3, 0.004, 0].map((confidence, i) => ({ tag: `t00${2 * i + 1}`, score: -i, confidence }));
    await page.route('**/suggestions?*', (route) => route.fulfill({ json: { object: OBJECT, suggestions } }));
    await page.goto(`${served.url}/object/${OBJECT}`);
    await texts(page.locator('#suggestions ~ .soft')).toEqual(['Nothing likely is missing.']);
    expect(await page.locator('.suggestion').count()).toBe(0);
    await page.keyboard.press('a'); // nothing is in focus
    expect(await reviewsOf(served)).toEqual([]);
    await page.getByRole('button', { name: 'Show 3 less likely' }).click();
    await texts(page.locator('.suggestion .figure')).toEqual(['30 %', '< 1 %', '0 %']);
    expect(faults).toEqual([]);
  });
});
