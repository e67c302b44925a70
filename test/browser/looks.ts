// What is wrong with the looks of a page, as far as a program can tell.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** axe looks at what it is given; a policy that forbids strange scripts does not forbid the debugger. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(AXE, 'utf8'));
  return page.evaluate(async () => {
    const found = await (
      window as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }
    ).axe.run();
    return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  });
}

/** Controls of less than 44 pixels; links within text may be. */
export function tooSmall(page: Page): Promise<string[]> {
  return page
    .locator('button, select, summary, .button, nav a, input[type=text], input[type=search]')
    .evaluateAll((all) =>
      all
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.5)
        .map((one) => `${one.tagName} ${one.textContent} ${Math.round(one.getBoundingClientRect().height)}`),
    );
}
