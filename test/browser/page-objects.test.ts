// The screens of an object and of a tag, and the search that leads to them, in a real browser.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, at, post } from '../serving/http/service-under-test.ts';
import { hasBrowser, skipped } from './chromium.ts';
import { clear, figureIn, heading, queueOf, reviewsOf, type Served, serve, texts, visit } from './page-under-test.ts';

interface Suggested {
  readonly tag: string;
  readonly confidence: number;
  readonly score: number;
}

interface Missing {
  readonly id: string;
  readonly title: string;
  readonly confidence: number;
  readonly score: number;
}

const OBJECT = 'o038';
const SUGGESTIONS = `/v1/objects/${OBJECT}/suggestions?limit=15`;
const TAG = 't001';

let served: Served;

beforeAll(async () => {
  if (hasBrowser) served = await serve();
}, 60_000);

describe.skipIf(!hasBrowser)(`an object${skipped}`, { timeout: 60_000 }, () => {
  let suggestions: Suggested[];
  beforeEach(async () => {
    await clear(served);
    suggestions = (await ask(served.service, SUGGESTIONS)).json.suggestions;
  });

  const suggestedNow = async (): Promise<string[]> =>
    (await ask(served.service, `${SUGGESTIONS}&minConfidence=0.5`)).json.suggestions.map(({ tag }: Suggested) => tag);

  it('shows what it has, what it may lack and how sure that is, and what is similar', async () => {
    const { page, faults } = await visit(served, `/object/${OBJECT}`);
    const { json } = await ask(served.service, `/v1/objects/${OBJECT}`);
    await heading(page).toEqual([json.title]);
    expect(await page.title()).toBe(`${json.title} · tagloom`);
    await texts(page.locator('#own-tags + .chips .chip')).toEqual(json.tags.map(({ tag }: Suggested) => tag));
    const likely = suggestions.filter(({ confidence }) => confidence >= 0.5);
    expect(likely.length).toBeGreaterThan(0);
    expect(likely.length).toBeLessThan(suggestions.length);
    await texts(page.locator('.suggestion-tag')).toEqual(likely.map(({ tag }) => tag));
    await page.getByRole('button', { name: `Show ${suggestions.length - likely.length} less likely` }).click();
    await texts(page.locator('.suggestion-tag')).toEqual(suggestions.map(({ tag }) => tag));
    await texts(page.locator('.suggestion .figure')).toEqual(suggestions.map((_, i) => figureIn(suggestions, i)));
    await page.getByRole('button', { name: 'Hide less likely' }).click();
    await texts(page.locator('.suggestion-tag')).toEqual(likely.map(({ tag }) => tag));
    const { json: similar } = await ask(served.service, `/v1/objects/${OBJECT}/similar?limit=12`);
    await texts(page.locator('.side-column li a')).toEqual(similar.objects.map(({ title }: Missing) => title));
    expect(faults).toEqual([]);
  });

  it('takes decisions by mouse, marks tags that reviews gave, and takes them back', async () => {
    const [first, second] = suggestions;
    const { page, faults } = await visit(served, `/object/${OBJECT}`);
    await page.getByRole('button', { name: `Add tag ${first.tag}`, exact: true }).click();
    await page.getByRole('button', { name: `Reject ${second.tag}`, exact: true }).click();
    await texts(page.locator('.chip.new a')).toEqual([first.tag]);
    await expect.poll(() => reviewsOf(served)).toHaveLength(2);
    await page.reload();
    await texts(page.locator('.chip.new a')).toEqual([first.tag]); // now by what the service says
    await texts(page.locator('.suggestion-tag')).toEqual(await suggestedNow());
    expect(await suggestedNow()).not.toContain(second.tag);
    await page.getByText('1 rejected').click();
    await page.getByRole('button', { name: `Undo the rejection of ${second.tag}` }).click();
    await page.locator('.chip.new').getByRole('button').click();
    await expect.poll(() => reviewsOf(served)).toEqual([]);
    await expect.poll(() => page.locator('.chip.new').count()).toBe(0);
    expect(await page.locator('.rejected').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('takes decisions by key, shows explanations in place, and refreshes', async () => {
    const { page, faults } = await visit(served, `/object/${OBJECT}`);
    await texts(page.locator('.suggestion.active .suggestion-tag')).toEqual([suggestions[0].tag]);
    await page.keyboard.press('j');
    await page.keyboard.press('w');
    await page.getByRole('region', { name: `Why ${suggestions[1].tag}`, exact: true }).waitFor();
    await page.keyboard.press('k');
    await page.keyboard.press('a');
    await texts(page.locator('.suggestion.decided .decision')).toEqual(['Accepted']);
    await texts(page.locator('.suggestion.active .suggestion-tag')).toEqual([suggestions[1].tag]);
    await expect.poll(() => reviewsOf(served)).toHaveLength(1);
    await page.getByRole('button', { name: 'Refresh suggestions' }).click();
    await texts(page.locator('.suggestion-tag')).toEqual(await suggestedNow());
    expect(await suggestedNow()).not.toContain(suggestions[0].tag);
    expect(await page.locator('.suggestion.decided').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('hears a key that comes as soon as there is something to see', async () => {
    const { page } = await visit(served, '/reviews');
    await page.evaluate(() => {
      const press = new MutationObserver(() => {
        if (document.querySelector('.suggestion') === null) return;
        press.disconnect();
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'w', bubbles: true }));
      });
      press.observe(document, { childList: true, subtree: true });
      history.pushState(null, '', '/object/o020');
      dispatchEvent(new PopStateEvent('popstate'));
    });
    await page.locator('.parts').first().waitFor();
  });

  it('leads on to the next object with something open', async () => {
    const rows = await queueOf(served);
    const next = rows.find(({ object }) => object !== rows[0].object);
    const { page, faults } = await visit(served, `/object/${encodeURIComponent(rows[0].object)}`);
    await page.getByRole('link', { name: 'Next open object' }).waitFor();
    await page.keyboard.press('n');
    await heading(page).toEqual([next?.title]);
    expect(faults).toEqual([]);
  });

  it('says so where there is none', async () => {
    const { page, faults } = await visit(served, '/object/no%20such%2Fthing', { expected: /404/ });
    await texts(page.locator('.problem')).toEqual(['There is no object "no such/thing". Search for it above.']);
    expect(faults).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)(`a tag${skipped}`, { timeout: 60_000 }, () => {
  let missing: Missing[];
  beforeEach(async () => {
    await clear(served);
    missing = (await ask(served.service, `/v1/tags/${TAG}/missing?limit=500`)).json.objects;
  });

  it('shows which objects have it, which may miss it, and similar tags', async () => {
    const { page, faults } = await visit(served, `/tag/${TAG}`);
    const { json: carriers } = await ask(served.service, `/v1/tags/${TAG}/objects?limit=100`);
    const { json: similar } = await ask(served.service, `/v1/tags/${TAG}/similar?limit=12`);
    await heading(page).toEqual([TAG]);
    await texts(page.locator('.similar-tags .chip a')).toEqual(similar.tags.map(({ tag }: Suggested) => tag));
    await texts(page.locator('#carriers small')).toEqual([String(carriers.objects.length)]);
    await texts(page.locator('.carriers a').first()).toEqual([carriers.objects[0].title]);
    await texts(page.locator('.missing-list .row-title').first()).toEqual([missing[0].title]);
    await texts(page.locator('.missing-list .figure').first()).toEqual([figureIn(missing, 0)]);
    expect(faults).toEqual([]);
  });

  it('is given to all above a confidence at once, and taken back from all', async () => {
    const wanted = missing.filter(({ confidence }) => confidence >= 0.5);
    expect(wanted.length).toBeGreaterThan(2);
    const { page, faults } = await visit(served, `/tag/${TAG}`);
    await page.getByRole('spinbutton', { name: 'Minimum confidence in percent' }).fill('50');
    await page.getByRole('button', { name: 'Select all ≥ 50 %' }).click();
    await texts(page.locator('.num-selected')).toEqual([`${wanted.length} selected`]);
    await page.getByLabel(wanted[0].title, { exact: true }).uncheck();
    await page.getByRole('button', { name: `Add tag to ${wanted.length - 1} objects` }).click();
    await texts(page.locator('.bulk-result p')).toEqual([`Added “${TAG}” to ${wanted.length - 1} objects.`]);
    const decided = await reviewsOf(served);
    expect(decided.map(({ object }) => object).sort()).toEqual(
      wanted
        .slice(1)
        .map(({ id }) => id)
        .sort(),
    );
    expect(new Set(decided.map(({ tag, decision }) => `${tag} ${decision}`))).toEqual(new Set([`${TAG} accept`]));
    await texts(page.locator('.missing-list .row-title').first()).toEqual([wanted[0].title]);
    const numCarriers = (await ask(served.service, `/v1/tags/${TAG}/objects?limit=100`)).json.objects.length;
    await texts(page.locator('#carriers small')).toEqual([String(numCarriers)]); // counted at once, not on the next visit
    await texts(page.locator('.head-facts .soft')).toEqual([`on ${numCarriers} objects`]);
    await texts(page.locator('.carriers a')).toEqual(expect.arrayContaining([wanted[1].title]));
    await page.getByRole('button', { name: `Undo all ${wanted.length - 1}` }).click();
    await texts(page.locator('.bulk-result p')).toEqual([`Undone: ${wanted.length - 1} objects are open again.`]);
    expect(await reviewsOf(served)).toEqual([]);
    await texts(page.locator('#carriers small')).toEqual([String(numCarriers - wanted.length + 1)]);
    expect(faults).toEqual([]);
  });

  it('is rejected for a range chosen with Shift, and says whom others had decided on', async () => {
    const { page, faults } = await visit(served, `/tag/${TAG}`);
    await texts(page.locator('.missing-list .row-title').first()).toEqual([missing[0].title]);
    await post(served.service, '/v1/reviews', { object: missing[1].id, tag: TAG, decision: 'accept', curator: 'Kim' });
    await page.getByLabel(missing[0].title, { exact: true }).check();
    await page.getByLabel(missing[2].title, { exact: true }).click({ modifiers: ['Shift'] });
    await texts(page.locator('.num-selected')).toEqual(['3 selected']);
    await page.locator('.bulk-bar').getByRole('button', { name: 'Reject' }).click();
    await texts(page.locator('.bulk-result > p')).toEqual([`Rejected “${TAG}” for 2 objects.`]);
    await texts(page.locator('.bulk-result li')).toEqual([`${missing[1].id}: accepted by Kim`]);
    expect(faults).toEqual([]);
  });

  it('says what was not saved, and tries it again', async () => {
    const { page, faults } = await visit(served, `/tag/${TAG}`, { expected: /ERR_FAILED/ });
    await page.getByLabel(missing[0].title, { exact: true }).check();
    await page.route('**/v1/reviews/batch', (route) => route.abort());
    await page.getByRole('button', { name: `Add tag to 1 object` }).click();
    await texts(page.locator('.bulk-result p')).toEqual([
      expect.stringMatching(/^Added .* to 0 objects; 1 was not saved\. The service does not answer\./),
    ]);
    await page.unroute('**/v1/reviews/batch');
    await page.getByRole('button', { name: 'Retry 1 object' }).click();
    await texts(page.locator('.bulk-result p')).toEqual([`Added “${TAG}” to 1 object.`]);
    expect(await reviewsOf(served)).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  it('that is called something difficult is reached all the same', async () => {
    const { page, faults } = await visit(served, '/');
    for (const name of ['<script>alert(1)</script>', 'a?b#c&d=e', '日本語']) {
      const { json } = await ask(served.service, at`/v1/tags/${name}`);
      if (json.tag !== name) continue; // not every difficult name is one of a tag
      await page.goto(`${served.url}/tag/${encodeURIComponent(name)}`);
      await heading(page).toEqual([name]);
      await texts(page.locator('.head-facts .soft')).toEqual([expect.stringContaining(`on ${json.numObjects} object`)]);
    }
    expect(faults).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)(`the search${skipped}`, { timeout: 60_000 }, () => {
  it('finds objects and tags as one types, and opens them by key', async () => {
    const { page, faults } = await visit(served, '/reviews');
    await page.keyboard.press('/');
    const field = page.getByRole('combobox', { name: 'Search objects and tags' });
    expect(await field.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.type('o02');
    await texts(page.locator('.top .option-label')).toEqual(
      expect.arrayContaining(['o021', 'o022', '<img src=x onerror=alert(1)> Twenty']),
    );
    await expect.poll(() => field.getAttribute('aria-expanded')).toBe('true'); // what follows a key may be on its way
    expect(await field.getAttribute('aria-activedescendant')).toBeNull();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const active = await field.getAttribute('aria-activedescendant');
    const second = page.locator(`[id="${active}"]`);
    expect(await second.getAttribute('aria-selected')).toBe('true');
    const name = await second.locator('.option-label').textContent();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await heading(page).toEqual([name]);
    expect(await field.inputValue()).toBe('');
    expect(faults).toEqual([]);
  });

  it('leads to tags, too', async () => {
    const { page, faults } = await visit(served, '/reviews');
    await page.getByRole('combobox', { name: 'Search objects and tags' }).fill('t003');
    await page.getByRole('group', { name: 'Tags' }).getByRole('option').first().click();
    await heading(page).toEqual(['t003']);
    expect(new URL(page.url()).pathname).toBe('/tag/t003');
    expect(faults).toEqual([]);
  });

  it('takes the first result of what was typed last, however early Enter is pressed', async () => {
    const { page, faults } = await visit(served, '/reviews');
    await page.getByRole('combobox', { name: 'Search objects and tags' }).focus();
    await page.keyboard.type('o041');
    await page.keyboard.press('Enter');
    await heading(page).toEqual(['o041']);
    expect(faults).toEqual([]);
  });

  it('never shows the results of an older text, and asks once when typing rests', async () => {
    const { page, faults } = await visit(served, '/reviews');
    const asked: string[] = [];
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/v1/objects?*', async (route) => {
      const query = new URL(route.request().url()).searchParams.get('query') ?? '';
      asked.push(query);
      if (query === 'o01') await gate; // answered after the later one
      await route.continue().catch(() => {}); // given up meanwhile
    });
    const field = page.getByRole('combobox', { name: 'Search objects and tags' });
    await field.fill('o01');
    await expect.poll(() => asked).toEqual(['o01']);
    await field.fill('o033');
    await texts(page.locator('.top .option-label')).toEqual(['o033']);
    release();
    await field.fill('o03');
    await texts(page.locator('.top .option-label')).toEqual(expect.arrayContaining(['o031', 'o033']));
    expect(asked).toEqual(['o01', 'o033', 'o03']);
    expect(faults).toEqual([]);
  });

  it('says so where nothing is called so, and closes on Escape', async () => {
    const { page, faults } = await visit(served, '/reviews');
    const field = page.getByRole('combobox', { name: 'Search objects and tags' });
    await field.fill('<b>nothing</b>');
    await texts(page.locator('.top .results .none')).toEqual(['No match for “<b>nothing</b>”.']);
    await page.keyboard.press('Escape');
    await expect.poll(() => field.getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('Escape');
    expect(await field.inputValue()).toBe('');
    expect(faults).toEqual([]);
  });
});
