// What is wrong with the looks of a page, as far as a program can tell: light and dark, on a desk and on a phone.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { JSHandle, Page } from 'playwright-core';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const PHONE = 360; // pixels

/** Of the body, by colour scheme. */
export const BACKGROUNDS = { light: 'rgb(244, 244, 241)', dark: 'rgb(19, 21, 25)' } as const;

/**
 * Faults of a page in all its looks: whatever axe knows in light, what colours can spoil in dark (the document is the same), and
 * on a phone controls that a thumb would miss and sideways scrolling. It ends as it began.
 */
export async function faultsOfLooks(page: Page): Promise<string[]> {
  const desk = page.viewportSize() ?? { width: 1280, height: 800 };
  const found: string[] = [];
  const note = (look: string, faults: readonly string[]) => found.push(...faults.map((fault) => `${look}: ${fault}`));
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    note(colorScheme, await violations(page, colorScheme === 'dark' ? { rules: ['color-contrast'] } : {}));
    note(colorScheme, await wrongBackground(page, BACKGROUNDS[colorScheme]));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  note('desk', await tooWide(page, desk.width));
  await page.setViewportSize({ ...desk, width: PHONE });
  note('phone', await tooWide(page, PHONE));
  note('phone', await tooSmall(page));
  await page.setViewportSize(desk);
  return found;
}

/** By axe, whose script a security policy keeps off the page, but not off the debugger. */
export async function violations(page: Page, { within = 'html', rules }: AxeOptions = {}): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in window);
  if (!isThere) await page.evaluate(readFileSync(AXE, 'utf8'));
  const given = { where: within, options: { resultTypes: ['violations'], ...(rules && { runOnly: rules }) } };
  return page.evaluate(async ({ where, options }) => {
    const { axe } = window as unknown as { axe: Axe };
    const { violations: all } = await axe.run(where, options);
    return all.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  }, given);
}

interface AxeOptions {
  /** A selector of what is looked at; the whole page unless given. */
  readonly within?: string;
  /** All that axe has unless given. */
  readonly rules?: string[];
}

interface Axe {
  run(where: string, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

/** Controls of less than 44 pixels; links within text may be. */
function tooSmall(page: Page): Promise<string[]> {
  return page
    .locator('button, select, summary, .button, nav a, input[type=text], input[type=search]')
    .evaluateAll((all) =>
      all
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.5)
        .map((one) => `too small: ${one.tagName} ${one.textContent} ${Math.round(one.getBoundingClientRect().height)}`),
    );
}

async function tooWide(page: Page, width: number): Promise<string[]> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  return wide > width ? [`${wide} pixels wide in a window of ${width}`] : [];
}

async function wrongBackground(page: Page, expected: string): Promise<string[]> {
  const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  return background === expected ? [] : [`the background is ${background}`];
}

/** What the Tab key leads to, as `describe` calls it in the page, until `isEnough` or `most` were seen. */
export async function tabStops(
  page: Page,
  describe: (one: Element) => string,
  isEnough: (stops: readonly string[]) => boolean,
  most = 60,
): Promise<string[]> {
  const handle: JSHandle<string[]> = await page.evaluateHandle(`(() => {
    const [describe, stops] = [${describe}, []];
    document.addEventListener('focusin', ({ target }) => stops.push(describe(target)));
    return stops;
  })()`);
  for (let count = 1; ; count++) {
    await page.keyboard.press('Tab');
    if (count % 10 > 0) continue; // each look costs as much as a key
    const stops = await handle.jsonValue();
    if (count >= most || isEnough(stops)) return stops;
  }
}
