// A map of few points in a real browser: it has their names, all of them in sight, on a desk and on a phone.

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, skipped } from './chromium.ts';
import { type Served, serve, visit } from './page-under-test.ts';

const NUM_TAGS = 43;
const WORDS = [
  'accessibility',
  'build',
  'css',
  'command line',
  'documentation',
  'http',
  'internationalization',
  'test',
];

/** Three clusters, one of them at the right edge. */
const map = {
  points: Array.from({ length: NUM_TAGS }, (_, i) => {
    const [radius, angle] = [Math.sqrt(((i % 14) + 0.5) / 14), i * 2.4];
    const cluster = i % 3;
    return {
      name: `${WORDS[i % WORDS.length]} ${i}`,
      x: 3 * cluster + 1.4 * radius * Math.cos(angle),
      y: 2.5 * (cluster % 2) + 1.4 * radius * Math.sin(angle),
      cluster,
    };
  }),
  clusters: ['accessibility 0', 'build 1', 'css 2'].map((name) => ({ name })),
};

describe.skipIf(!hasBrowser)(`a map of few points${skipped}`, { timeout: 60_000 }, () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve();
  }, 60_000);

  it.each([
    { width: 1280, least: 38 },
    { width: 390, least: 10 },
  ])('names its points within a window of $width pixels', async ({ width, least }) => {
    const { page, faults } = await visit(served, '/reviews', { width });
    await page.route('**/v1/map/*', (route) => route.fulfill({ json: map }));
    await noteTexts(page);
    await page.getByRole('link', { name: 'Map', exact: true }).click();
    await expect.poll(async () => (await written(page)).length).toBeGreaterThanOrEqual(least);
    const clipped = (await written(page)).filter(
      ({ left, right, top, bottom, width, height }) => left < 0 || top < 0 || right > width || bottom > height,
    );
    expect(clipped).toEqual([]);
    expect(faults).toEqual([]);
  });
});

interface Written {
  text: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** Of the picture. */
  width: number;
  height: number;
}

/** Makes canvases note what is written on them since they were last cleared. */
function noteTexts(page: Page): Promise<void> {
  return page.evaluate(() => {
    const own = CanvasRenderingContext2D.prototype;
    const { fillText, clearRect } = own;
    const texts: Written[] = [];
    Object.assign(window, { texts });
    own.clearRect = function (...box) {
      texts.length = 0;
      clearRect.apply(this, box);
    };
    own.fillText = function (text, x, y) {
      const { clientWidth: width, clientHeight: height } = this.canvas;
      const { actualBoundingBoxAscent: up, actualBoundingBoxDescent: down, width: wide } = this.measureText(text);
      texts.push({ text, left: x, right: x + wide, top: y - up, bottom: y + down, width, height });
      fillText.call(this, text, x, y);
    };
  });
}

function written(page: Page): Promise<Written[]> {
  return page.evaluate(() => (window as unknown as { texts: Written[] }).texts);
}
