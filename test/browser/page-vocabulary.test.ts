// The screen of the vocabulary in a real browser.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, graph, post } from '../serving/http/service-under-test.ts';
import { hasBrowser, skipped } from './chromium.ts';
import { faultsOfLooks } from './looks.ts';
import { heading, type Served, serve, texts, visit } from './page-under-test.ts';

const [A, B] = ['t001', 't003'];
const carriers = (tag: string) => graph.tagged.reversed().rowLength(graph.tags.idOf(tag));
let served: Served;

beforeAll(async () => {
  if (hasBrowser) served = await serve();
}, 60_000);

const changes = async () => (await ask(served.service, '/v1/vocabulary/changes?limit=100')).json.changes;

describe.skipIf(!hasBrowser)(`vocabulary${skipped}`, { timeout: 60_000 }, () => {
  beforeEach(async () => {
    for (const { id, undoneAt } of await changes()) {
      if (undoneAt === undefined) await ask(served.service, `/v1/vocabulary/changes/${id}`, { method: 'DELETE' });
    }
  });

  it('merges tags after a preview, and undoes it from the notice', async () => {
    const { page, faults } = await visit(served, '/vocabulary?query=t00');
    await heading(page).toEqual(['Vocabulary']);
    await page.getByLabel(`Select ${A}`).check();
    await page.getByLabel(`Select ${B}`).check();
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    await texts(page.locator('.change-preview p')).toEqual([
      expect.stringMatching(
        new RegExp(`^Merge ${A} into ${B}\\. \\d+ objects would gain a tag, ${carriers(A)} lose one, `),
      ),
    ]);
    await texts(page.locator('.change-examples li').first()).toEqual([expect.stringContaining(`loses ${A}`)]);
    expect(await changes()).toEqual(
      expect.not.arrayContaining([expect.not.objectContaining({ undoneAt: expect.anything() })]),
    );
    await page.locator('.change-form button[type=submit]').click();
    await texts(page.locator('.notice p')).toEqual([`Done: merge ${A} into ${B}`]);
    await texts(
      page
        .locator('.vocabulary-row')
        .filter({ hasText: `also ${A}` })
        .locator('a'),
    ).toEqual([B]);
    expect(await page.getByLabel(`Select ${A}`, { exact: true }).count()).toBe(0);
    await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
    await page.getByLabel(`Select ${A}`).waitFor();
    expect(faults).toEqual([]);
  });

  it('renames, retires and relates the tag that its screen leads from, and lists it all with the way back', async () => {
    const { page, faults } = await visit(served, `/tag/${A}`);
    await page.getByRole('link', { name: 'Merge, rename, …' }).click();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('New name').fill('odd one');
    await texts(page.locator('.change-preview strong')).toEqual([`Rename ${A} to odd one.`]);
    await page.keyboard.press('Enter');
    await texts(page.locator('.notice p')).toEqual([`Done: rename ${A} to odd one`]);
    await page.getByLabel('Select odd one').check();
    await page.getByRole('button', { name: 'Implied tags' }).click();
    await page.getByLabel('Tags that carriers have').fill('odd, strange');
    await texts(page.locator('.change-preview strong')).toEqual(['Let odd one imply odd, strange.']);
    await page.locator('.change-form button[type=submit]').click();
    await texts(page.locator('.vocabulary-row small').first()).toEqual([`also ${A} · implies odd, strange`]);
    await page.getByLabel('History').check();
    await texts(page.locator('.review-words > span')).toEqual(
      expect.arrayContaining(['Let odd one imply odd, strange', `Rename ${A} to odd one`]),
    );
    await page.getByRole('button', { name: `Undo rename ${A} to odd one` }).click();
    await texts(page.locator('.notice.fault p')).toEqual([
      expect.stringMatching(/which other decisions stand on.*Undo these first/),
    ]);
    await page.getByRole('button', { name: 'Undo let odd one imply odd, strange' }).click();
    await expect.poll(async () => (await changes()).filter((one: object) => !('undoneAt' in one))).toHaveLength(1);
    expect(faults.filter((fault) => !/409/.test(fault))).toEqual([]);
  });

  it('lists proposals with a choice, and remembers what was rejected', async () => {
    const proposal = { from: A, into: B, score: 0.91, evidence: [{ text: 'Same words' }], numObjects: [3, 4] };
    const { page, faults } = await visit(served, '/about', { expected: /404/ });
    await page.route('**/v1/vocabulary/proposals*', (route) =>
      route.fulfill({ json: { proposals: [proposal], isComplete: true } }),
    );
    await page.goto(`${served.url}/vocabulary?show=proposals`);
    await texts(page.locator('.proposal .evidence li')).toEqual(['Same words']);
    expect(await faultsOfLooks(page)).toEqual([]);
    await page.getByRole('button', { name: 'Different tags' }).click();
    await texts(page.locator('.notice p')).toEqual([`Done: keep ${A} and ${B} apart`]);
    await page.getByRole('button', { name: /^Preview/ }).click();
    await page.locator('.change-examples li').first().waitFor();
    await page.getByRole('button', { name: /^Merge/ }).click();
    await texts(page.locator('.notice p')).toEqual([`Done: merge ${A} into ${B}`]);
    expect(faults).toEqual([]);
  });

  it('divides the objects of a split tag among its parts', async () => {
    await post(served.service, '/v1/vocabulary/changes', { kind: 'split', tags: [A], into: [B, 't005'] });
    const { page, faults } = await visit(served, '/vocabulary?show=retired');
    await page.getByRole('link', { name: `divide among ${B}, t005` }).click();
    const { objects } = (await ask(served.service, `/v1/tags/${A}/divide`)).json;
    const row = page.locator('.divide-list li').first();
    await row.getByRole('button', { name: new RegExp(`^${B}`) }).click();
    await texts(row.locator('.soft')).toEqual([B]);
    const { tags } = (await ask(served.service, `/v1/objects/${encodeURIComponent(objects[0].id)}`)).json;
    const names = tags.map(({ tag }: { tag: string }) => tag);
    expect(names).toContain(B);
    expect(names).not.toContain(A);
    expect(faults).toEqual([]);
    const { reviews } = (await ask(served.service, '/v1/reviews')).json;
    for (const { id } of reviews) await ask(served.service, `/v1/reviews/${id}`, { method: 'DELETE' });
  });
});
