// The map in a real browser: drawn by WebGL under the service's security policy, or by a plain canvas where there is none.

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, skipped } from './chromium.ts';
import { heading, type Served, said, serve, texts, visit } from './page-under-test.ts';

/** A ring of clusters around one point in the middle, which is a tag of the data. */
const NUM_POINTS = 3000;
const NUM_CLUSTERS = 12;
const map = {
  points: Array.from({ length: NUM_POINTS }, (_, i) => {
    if (i === 0) return { name: 't007', x: 0, y: 0, cluster: 0 };
    const angle = (2 * Math.PI * (i % NUM_CLUSTERS)) / NUM_CLUSTERS;
    const wander = 0.1 * Math.sin(i * 12.9898); // no chance: the same everywhere
    const radius = 1 + 0.1 * Math.cos(i * 78.233);
    return {
      name: `far ${i}`,
      x: radius * Math.cos(angle + wander),
      y: radius * Math.sin(angle + wander),
      cluster: i % NUM_CLUSTERS,
    };
  }),
  clusters: Array.from({ length: NUM_CLUSTERS }, (_, i) => ({ name: i === 3 ? '<b>bold</b>' : `cluster ${i}` })),
};

describe.skipIf(!hasBrowser)(`the map${skipped}`, { timeout: 60_000 }, () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve();
  }, 60_000);

  async function open(options: Parameters<typeof visit>[2] & { before?: (page: Page) => Promise<void> } = {}) {
    const { before, ...rest } = options;
    const opened = await visit(served, '/reviews', rest);
    const { page } = opened;
    await page.route('**/v1/map/*', (route) => route.fulfill({ json: map }));
    await before?.(page);
    await page.getByRole('link', { name: 'Map', exact: true }).click();
    await drawn(page);
    return opened;
  }

  it('says how far it is while it is drawn', async () => {
    let isDrawn = false;
    const { page, faults } = await visit(served, '/reviews', { hasOwnClock: true });
    await page.clock.install();
    await page.route('**/v1/map/tags', (route) =>
      isDrawn ? route.fulfill({ json: map }) : route.fulfill({ status: 202, json: { state: 'computing', done: 0.42 } }),
    );
    await page.getByRole('link', { name: 'Map', exact: true }).click();
    await texts(page.locator('.map-drawing p').first()).toEqual(['The map of tags is being drawn: 42 %']);
    isDrawn = true;
    await page.clock.fastForward(1000); // when the page asks again
    await page.locator('.map-host').waitFor();
    expect(faults).toEqual([]);
  });

  it('draws its points in the colours of their clusters', async () => {
    const { page, faults } = await open();
    expect(await isWebgl(page)).toBe(true);
    const fewest = async () => {
      const seen = await coloursSeen(page);
      return Math.min(seen.get('#1f5fbf') ?? 0, seen.get('#c2410c') ?? 0); // --c0, --c1
    };
    await expect.poll(fewest).toBeGreaterThan(50);
    expect(faults).toEqual([]);
  });

  it('shows all points when it is opened again, also after a search, and after the browser took its WebGL away', async () => {
    const { page, faults } = await open();
    const blue = async () => (await coloursSeen(page)).get('#1f5fbf') ?? 0;
    await expect.poll(blue).toBeGreaterThan(50);
    const usual = await blue();
    const again = async () => {
      await page.getByRole('link', { name: 'Reviews', exact: true }).click();
      await page.locator('.map-host').waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Map', exact: true }).click();
      await drawn(page);
      await expect.poll(blue).toBeGreaterThan(0.9 * usual);
      expect(await page.locator('.map-host canvas').count()).toBe(2);
      expect(await isWebgl(page)).toBe(true);
    };
    await page.getByPlaceholder('Find tags on the map').fill('far 1234');
    await expect.poll(blue).toBeLessThan(0.5 * usual); // all others are faint
    await again();
    await page
      .locator('.map-host canvas')
      .first()
      .evaluate((one) => {
        const context = (one as HTMLCanvasElement).getContext('webgl');
        context?.getExtension('WEBGL_lose_context')?.loseContext();
      });
    await again();
    expect(faults).toEqual([]);
  });

  it('follows the scheme', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: /^Colours/ }).click(); // light
    await page.getByRole('button', { name: /^Colours/ }).click(); // dark
    await expect.poll(async () => (await coloursSeen(page)).get('#7cb0ff') ?? 0).toBeGreaterThan(50);
  });

  it('draws the same on a plain canvas where there is no WebGL', async () => {
    const { page, faults } = await open({
      before: (page) =>
        page.evaluate(`{
          const own = HTMLCanvasElement.prototype.getContext;
          HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
            return kind.startsWith('webgl') ? null : own.call(this, kind, ...rest);
          };
        }`),
    });
    expect(await isWebgl(page)).toBe(false);
    await expect.poll(async () => (await coloursSeen(page)).get('#1f5fbf')).toBeGreaterThan(50);
    expect(await page.locator('.map-without').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('shows names under the pointer, and opens what is clicked', async () => {
    const { page, faults } = await open();
    const host = page.locator('.map-host');
    const { width, height } = (await host.boundingBox()) ?? { width: 0, height: 0 };
    await host.hover({ position: { x: width / 2, y: height / 2 } });
    await expect.poll(() => host.evaluate((one) => one.style.cursor)).toBe('pointer');
    await host.hover({ position: { x: width / 2 + 40, y: height / 2 + 40 } });
    await expect.poll(() => host.evaluate((one) => one.style.cursor)).toBe('');
    await host.click({ position: { x: width / 2 + 5, y: height / 2 - 5 } }); // near is enough
    await heading(page).toEqual(['t007']);
    expect(faults).toEqual([]);
  });

  it('is panned and zoomed by hand', async () => {
    const { page, faults } = await open();
    const host = page.locator('.map-host');
    const box = await host.boundingBox();
    if (box === null) throw new Error('the map has no place');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 30, { steps: 4 });
    await page.mouse.move(x + 100, y + 50, { steps: 4 });
    await page.mouse.up();
    expect(new URL(page.url()).pathname, 'a drag is no click').toBe('/map');
    await page.mouse.move(x + 100, y + 50); // where the middle is now, but for the pixels before it counted as a drag
    await expect.poll(() => host.evaluate((one) => one.style.cursor)).toBe('pointer');
    await page.mouse.wheel(0, -600);
    await page.mouse.move(x + 101, y + 50);
    await expect.poll(() => host.evaluate((one) => one.style.cursor)).toBe('pointer');
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.mouse.move(x, y);
    await expect.poll(() => host.evaluate((one) => one.style.cursor)).toBe('pointer');
    expect(faults).toEqual([]);
  });

  it('is steered by key, says what is in the middle, and opens it', async () => {
    const { page, faults } = await open();
    await page.locator('.map-host').focus();
    await page.keyboard.press('+');
    await said(page).toBe('t007, cluster 0');
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
    await said(page).toBe('Nothing here.');
    await page.keyboard.press('0');
    await said(page).toBe('t007, cluster 0');
    await page.keyboard.press('Enter');
    await heading(page).toEqual(['t007']);
    expect(faults).toEqual([]);
  });

  it('has its names as a list, which a search and clusters narrow down', async () => {
    const { page, faults } = await open();
    await texts(page.locator('.map-names-list .note')).toEqual(['3,000 tags']);
    expect(await page.locator('.map-list .list-row').count()).toBeLessThan(40);
    await page.getByRole('searchbox', { name: 'Find tags on the map' }).fill('FAR 29');
    await texts(page.locator('.map-names-list .note')).toEqual(['111 of 3,000 tags']);
    await page.getByRole('button', { name: '<b>bold</b>' }).click();
    await texts(page.locator('.map-names-list .note')).toEqual([expect.stringMatching(/^(9|10) of 3,000 tags$/)]);
    await page.getByRole('searchbox').fill('t007');
    await page.getByRole('button', { name: '<b>bold</b>' }).click();
    await page.getByRole('button', { name: 'Show t007 on the map', exact: true }).click();
    await page.getByRole('link', { name: 't007', exact: true }).click();
    await heading(page).toEqual(['t007']);
    expect(faults).toEqual([]);
  });

  it('has one of objects, too', async () => {
    const { page, faults } = await open();
    await page.getByRole('navigation', { name: 'Which map' }).getByRole('link', { name: 'Objects' }).click();
    await heading(page).toEqual(['Map of objects']);
    await page.getByRole('searchbox', { name: 'Find objects on the map' }).waitFor();
    expect(faults).toEqual([]);
  });
});

/** Waits until the drawing has taken its canvases and given them the size of their place. */
async function drawn(page: Page): Promise<void> {
  const canvas = page.locator('.map-host canvas').first();
  await expect
    .poll(() => canvas.evaluate((one) => (one as HTMLCanvasElement).width / (one.parentElement?.clientWidth ?? 0)))
    .toBe(1);
}

/** What the lower canvas is drawn with. */
function isWebgl(page: Page): Promise<boolean> {
  return page
    .locator('.map-host canvas')
    .first()
    .evaluate((one) => (one as HTMLCanvasElement).getContext('2d') === null);
}

/** How many pixels of the picture have about each of these colours. */
async function coloursSeen(page: Page): Promise<Map<string, number>> {
  const picture = (await page.locator('.map-host').screenshot()).toString('base64');
  const counts = await page.evaluate(
    async ({ base64, wanted }) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d');
      context?.drawImage(bitmap, 0, 0);
      const pixels = context?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? new Uint8ClampedArray();
      return wanted.map((colour) => {
        const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
        let count = 0;
        for (let i = 0; i < pixels.length; i += 4) {
          if (Math.abs(pixels[i] - r) + Math.abs(pixels[i + 1] - g) + Math.abs(pixels[i + 2] - b) < 90) count++;
        }
        return [colour, count] as const;
      });
    },
    { base64: picture, wanted: ['#1f5fbf', '#c2410c', '#7cb0ff'] },
  );
  return new Map(counts);
}
