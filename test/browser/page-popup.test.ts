// The results of a search stay within the window, wherever their field is.

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, skipped } from './chromium.ts';
import { type Served, serve, visit } from './page-under-test.ts';

const FIELDS = [
  { name: 'Filter by tag', query: 't0' },
  { name: 'Search objects and tags', query: 'o0' },
] as const;

describe.skipIf(!hasBrowser)(`results of a search${skipped}`, { timeout: 60_000 }, () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve();
  }, 60_000);

  it.each([1280, 1000, 800, 710, 390])('are within a window of %i pixels', async (width) => {
    const { page, faults } = await visit(served, '/', { width });
    await page.locator('.present').waitFor();
    for (const { name, query } of FIELDS) {
      await page.getByRole('combobox', { name }).fill(query);
      expect(await outside(page), name).toEqual([]);
      await page.keyboard.press('Escape');
    }
    expect(faults).toEqual([]);
  });

  it('stay there when the window becomes narrower or the page is scrolled', async () => {
    const { page, faults } = await visit(served, '/');
    await page.locator('.present').waitFor();
    await page.getByRole('combobox', { name: 'Filter by tag' }).fill('t0');
    await outside(page);
    await page.setViewportSize({ width: 700, height: 500 });
    await expect.poll(() => outside(page)).toEqual([]);
    await page.mouse.wheel(0, 200);
    await expect.poll(() => outside(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});

/** Edges of the open results that the window cuts off. */
async function outside(page: Page): Promise<string[]> {
  const results = page.locator('.results:visible');
  await results.locator('.option').first().waitFor();
  return results.evaluate((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const { clientWidth, clientHeight, scrollWidth } = document.documentElement;
    const edges = { left: -left, top: -top, right: right - clientWidth, bottom: bottom - clientHeight };
    const cut = Object.entries(edges).filter(([, over]) => over > 0.5);
    const sideways = scrollWidth > clientWidth ? ['the page scrolls sideways'] : [];
    return [...cut.map(([edge, over]) => `${edge} by ${Math.round(over)}`), ...sideways];
  });
}
