// The reference and the page for mistyped addresses in a browser: accessible, in light, dark and on a phone, without a script.

import { beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, skipped } from './chromium.ts';
import { faultsOfLooks } from './looks.ts';
import { type Served, serve, visit } from './page-under-test.ts';

describe.skipIf(!hasBrowser)(`pages without a script${skipped}`, () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve();
  });

  it('/docs looks right everywhere, and an anchor leads to its operation', async () => {
    const { page, faults } = await visit(served, '/docs#decideBatch');
    const { y } = (await page.locator('#decideBatch').boundingBox()) ?? { y: -1 };
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y).toBeLessThan(100);
    expect(await faultsOfLooks(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('a mistyped address leads home', async () => {
    const { page, faults } = await visit(served, '/objects/o030', { expected: /404/ });
    expect(await page.title()).toContain('Not found');
    expect(await faultsOfLooks(page)).toEqual([]);
    await page.getByRole('link', { name: '/object/o030' }).click();
    await page.getByRole('heading', { name: /o030/ }).first().waitFor();
    expect(faults).toEqual([]);
  });
});
