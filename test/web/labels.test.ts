// Names on the map, by a canvas that only notes what is written on it: each letter is 7 pixels wide.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Labels, type LabelWishes } from '../../web/src/map/labels.ts';
import { PointCloud } from '../../web/src/map/point-cloud.ts';
import { ViewBox } from '../../web/src/map/view-box.ts';

interface Written {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const LETTER = 7;
const WISHES: LabelWishes = { found: [], pointed: -1, cluster: undefined, hasCross: false, covered: [] };
const COLOURS = { ink: '#000', surface: '#fff', accent: '#00f', soft: '#888' };

interface Point {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly cluster: number;
}

function cloudOf(points: readonly Point[], clusters = ['first', 'second']): PointCloud {
  return new PointCloud({ points: [...points], clusters: clusters.map((name) => ({ name })) });
}

function viewOf(cloud: PointCloud, width = 800, height = 600): ViewBox {
  const view = new ViewBox();
  view.resize(width, height, cloud.core);
  view.showAll(cloud.core);
  return view;
}

function painted(cloud: PointCloud, view: ViewBox, wishes: Partial<LabelWishes> = {}): Written[] {
  const written: Written[] = [];
  const context = new Proxy({} as Record<string, unknown>, {
    get: (own, name) => {
      if (name === 'measureText') return (text: string) => ({ width: LETTER * text.length });
      if (name === 'fillText') {
        return (text: string, x: number, y: number) =>
          written.push({ text, left: x, right: x + LETTER * text.length, top: y - 7, bottom: y + 7 });
      }
      return own[name as string] ?? (() => {});
    },
  });
  const labels = new Labels(context as unknown as CanvasRenderingContext2D, cloud);
  labels.paint(view, { ...WISHES, ...wishes }, COLOURS, 1);
  return written;
}

/** Spread evenly, with a golden angle between neighbours. */
function sunflower(count: number): Point[] {
  return Array.from({ length: count }, (_, i) => {
    const [radius, angle] = [Math.sqrt((i + 0.5) / count), i * Math.PI * (3 - Math.sqrt(5))];
    return {
      name: `tag ${i}`,
      x: radius * Math.cos(angle),
      y: radius * Math.sin(angle),
      cluster: Math.cos(angle) < 0 ? 0 : 1,
    };
  });
}

const place = fc.double({ min: -1, max: 1, noNaN: true });
const maps = fc
  .array(fc.record({ x: place, y: place, length: fc.integer({ min: 1, max: 120 }) }), { minLength: 1, maxLength: 300 })
  .map((all) =>
    cloudOf(
      all.map(({ x, y, length }, i) => ({ name: 'x'.repeat(length), x, y, cluster: i % 2 })),
      ['a cluster', 'another cluster with quite a long name'],
    ),
  );
const sizes = fc.tuple(fc.integer({ min: 320, max: 1500 }), fc.integer({ min: 250, max: 900 }));

describe('names on a map', () => {
  it('are those of the points where few are in sight, not only of clusters', () => {
    const cloud = cloudOf(sunflower(43));
    const names = painted(cloud, viewOf(cloud)).map(({ text }) => text);
    expect(names).toHaveLength(43);
    expect(new Set(names)).toEqual(new Set(cloud.labels));
  });

  it('are those of the clusters where many points are in sight, and of points once one comes near', () => {
    const cloud = cloudOf(sunflower(3000));
    const view = viewOf(cloud);
    expect(painted(cloud, view).map(({ text }) => text)).toEqual(['first', 'second']);
    view.zoomAt(400, 300, 8);
    const near = painted(cloud, view).map(({ text }) => text);
    expect(near.length).toBeGreaterThan(20);
    expect(near.every((name) => name.startsWith('tag '))).toBe(true);
  });

  it('are never clipped and never cover one another, wherever one looks', () => {
    fc.assert(
      fc.property(maps, sizes, fc.integer({ min: -300, max: 300 }), place, (cloud, [width, height], pan, zoom) => {
        const view = viewOf(cloud, width, height);
        view.zoomAt(width / 3, height / 3, 8 ** zoom);
        view.pan(pan, -pan);
        const written = painted(cloud, view, { pointed: 0, found: [1, 2].filter((one) => one < cloud.size) });
        for (const { text, left, top, right, bottom } of written) {
          expect(text.length).toBeGreaterThan(0);
          expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
          expect(right).toBeLessThanOrEqual(width);
          expect(bottom).toBeLessThanOrEqual(height);
        }
        const covered = written.filter((a, i) => written.slice(i + 1).some((b) => overlap(a, b)));
        expect(covered).toEqual([]);
      }),
    );
  });

  it('go to the other side at the right edge', () => {
    const points = [0, 2].map((x) => ({ name: `a name at ${x}`, x, y: 0, cluster: 0 }));
    const cloud = cloudOf(points);
    const view = viewOf(cloud);
    const [left, right] = painted(cloud, view);
    expect(left.left).toBeGreaterThan(view.toPixel(0, 0)[0]);
    expect(right.right).toBeLessThan(view.toPixel(2, 0)[0]);
  });

  it('of clusters are moved into sight', () => {
    const corner = sunflower(400).map(({ x, y, name }) => ({ name, x: x / 50, y: y / 50, cluster: 0 }));
    const far = sunflower(400).map(({ x, y, name }) => ({ name, x: 10 + x / 50, y: 5 + y / 50, cluster: 1 }));
    const cloud = cloudOf([...corner, ...far], ['a very long name for so small a corner', 'the other']);
    const written = painted(cloud, viewOf(cloud));
    expect(written.map(({ text }) => text)).toEqual(['a very long name for so small a corner', 'the other']);
    expect(written[0].left).toBeLessThan(10);
    expect(written[1].right).toBeGreaterThan(750);
  });

  it('leave buttons and other points free', () => {
    const cloud = cloudOf(sunflower(43));
    const view = viewOf(cloud);
    const buttons = { left: 400, top: 200, right: 700, bottom: 500 };
    expect(painted(cloud, view, { covered: [buttons] }).filter((one) => overlap(one, buttons))).toEqual([]);
    const dots = Array.from({ length: cloud.size }, (_, i) =>
      view.toPixel(cloud.places[2 * i], cloud.places[2 * i + 1]),
    );
    const covering = painted(cloud, view).filter(({ left, right, top, bottom }) =>
      dots.some(([x, y]) => x > left && x < right && y > top && y < bottom),
    );
    expect(covering).toEqual([]);
  });

  it('that are too long are shortened', () => {
    const cloud = cloudOf([{ name: 'word '.repeat(100), x: 0, y: 0, cluster: 0 }]);
    const [{ text, right }] = painted(cloud, viewOf(cloud, 390, 300));
    expect(text).toMatch(/^(word )+.*…$/);
    expect(right).toBeLessThanOrEqual(390);
  });
});

function overlap(a: Omit<Written, 'text'>, b: Omit<Written, 'text'>): boolean {
  return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
}
