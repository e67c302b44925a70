import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PointCloud } from '../../web/src/map/point-cloud.ts';
import { ViewBox } from '../../web/src/map/view-box.ts';

const place = fc.double({ min: -100, max: 100, noNaN: true });
const clouds = fc
  .array(fc.record({ x: place, y: place }), { maxLength: 200 })
  .map((places) => cloudOf(places.map(({ x, y }) => [x, y])));

function cloudOf(places: readonly (readonly number[])[]): PointCloud {
  const points = places.map(([x, y], i) => ({ name: `p${i}`, x, y, cluster: i % 3 }));
  return new PointCloud({ points, clusters: [{ name: 'a' }, { name: '' }, { name: 'c' }] });
}

const all = (cloud: PointCloud) => Array.from({ length: cloud.size }, (_, point) => point);
const distance = (cloud: PointCloud, point: number, x: number, y: number) =>
  Math.hypot(cloud.places[2 * point] - x, cloud.places[2 * point + 1] - y);

describe('PointCloud', () => {
  it('finds the nearest as looking at all would', () => {
    fc.assert(
      fc.property(clouds, place, place, fc.double({ min: 0.1, max: 80, noNaN: true }), (cloud, x, y, within) => {
        const found = cloud.nearest(x, y, within, () => true);
        const least = Math.min(Number.POSITIVE_INFINITY, ...all(cloud).map((point) => distance(cloud, point, x, y)));
        if (found < 0) expect(least).toBeGreaterThan(within * (1 - 1e-9));
        else expect(distance(cloud, found, x, y)).toBeCloseTo(least, 9);
      }),
    );
  });

  it('finds what is inside a box as looking at all would', () => {
    fc.assert(
      fc.property(clouds, place, place, place, place, (cloud, x1, x2, y1, y2) => {
        const box = {
          left: Math.min(x1, x2),
          right: Math.max(x1, x2),
          bottom: Math.min(y1, y2),
          top: Math.max(y1, y2),
        };
        const isIn = (point: number) => {
          const [x, y] = [cloud.places[2 * point], cloud.places[2 * point + 1]];
          return x >= box.left && x <= box.right && y >= box.bottom && y <= box.top;
        };
        expect(cloud.inside(box).sort((a, b) => a - b)).toEqual(all(cloud).filter(isIn));
      }),
    );
  });

  it('looks only at those it is told to', () => {
    const cloud = cloudOf([
      [0, 0],
      [1, 0],
      [9, 9],
    ]);
    expect(cloud.nearest(0, 0, 5, () => true)).toBe(0);
    expect(cloud.nearest(0, 0, 5, (point) => point !== 0)).toBe(1);
    expect(cloud.nearest(0, 0, 5, (point) => point === 2)).toBe(-1);
  });

  it('calls a cluster without a name by its number', () => {
    expect(cloudOf([[0, 0]]).clusterNames).toEqual(['a', 'cluster 2', 'c']);
  });

  it('leaves strays out of its core', () => {
    const many = Array.from({ length: 100 }, (_, i) => [i / 100, i / 100]);
    const { core, bounds } = cloudOf([...many, [50, 50]]);
    expect(bounds.right).toBe(50);
    expect(core.right).toBeLessThan(1.2);
    expect(core.left).toBeGreaterThanOrEqual(0);
  });
});

describe('ViewBox', () => {
  const whole = { left: -10, right: 10, bottom: -5, top: 5 };
  const views = fc
    .tuple(fc.integer({ min: 200, max: 2000 }), fc.integer({ min: 200, max: 2000 }))
    .map(([width, height]) => {
      const view = new ViewBox();
      view.resize(width, height, whole);
      view.showAll(whole);
      return view;
    });

  it('shows all of a map at first', () => {
    fc.assert(
      fc.property(views, (view) => {
        expect(view.zoom).toBe(1);
        for (const [x, y] of [
          [whole.left, whole.bottom],
          [whole.right, whole.top],
        ]) {
          const [pixelX, pixelY] = view.toPixel(x, y);
          expect(pixelX).toBeGreaterThanOrEqual(0);
          expect(pixelX).toBeLessThanOrEqual(view.width);
          expect(pixelY).toBeGreaterThanOrEqual(0);
          expect(pixelY).toBeLessThanOrEqual(view.height);
        }
      }),
    );
  });

  it('keeps what is under the pointer where it is while it zooms', () => {
    const factor = fc.double({ min: 0.3, max: 3, noNaN: true });
    fc.assert(
      fc.property(views, fc.nat(200), fc.nat(200), factor, (view, x, y, by) => {
        const before = view.toPlace(x, y);
        view.zoomAt(x, y, by);
        const after = view.toPlace(x, y);
        expect(after[0]).toBeCloseTo(before[0], 6);
        expect(after[1]).toBeCloseTo(before[1], 6);
      }),
    );
  });

  it('never zooms to nothing', () => {
    const view = new ViewBox();
    view.resize(800, 600, whole);
    view.showAll(whole);
    for (let i = 0; i < 100; i++) view.zoomAt(0, 0, 0.1);
    expect(view.zoom).toBeCloseTo(0.5);
    for (let i = 0; i < 100; i++) view.zoomAt(0, 0, 10);
    expect(view.zoom).toBeCloseTo(400);
  });
});
