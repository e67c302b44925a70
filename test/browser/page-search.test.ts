// The search in a real browser: results as one types, by key and by mouse.

import { beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, skipped } from './chromium.ts';
import { heading, type Served, serve, texts, visit } from './page-under-test.ts';

describe.skipIf(!hasBrowser)(`the search${skipped}`, { timeout: 60_000 }, () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve();
  }, 60_000);

  it('finds objects and tags as one types, and opens them by key', async () => {
    const { page, faults } = await visit(served, '/reviews');
    await page.keyboard.press('/');
    const field = page.getByRole('combobox', { name: 'Search objects and tags' });
    expect(await field.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.type('o02');
    await texts(page.locator('.top .option-label')).toEqual(
      expect.arrayContaining(['o021', 'o022', '<img src=x onerror=alert(1)> Twenty']),
    );
    expect(await field.getAttribute('aria-expanded')).toBe('true');
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
    await texts(page.locator('.top .results .none')).toEqual(['Nothing is called “<b>nothing</b>”.']);
    await page.keyboard.press('Escape');
    await expect.poll(() => field.getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('Escape');
    expect(await field.inputValue()).toBe('');
    expect(faults).toEqual([]);
  });
});
