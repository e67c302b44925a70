import { describe, expect, it } from 'vitest';
import { type Neighbourhoods, PlaneLayout } from '../../../src/engine/numerics/umap.ts';
import { Random } from '../../../src/random.ts';

const NUM_EPOCHS = 200;

/** Of points in space, by looking at all pairs. */
function neighboursOf(points: readonly (readonly number[])[], most: number): Neighbourhoods {
  const nearest = points.map((point, i) => {
    const distances = points.map((other) => Math.hypot(...other.map((value, d) => value - point[d])));
    const others = [...points.keys()].filter((j) => j !== i).sort((a, b) => distances[a] - distances[b] || a - b);
    return [i, ...others.slice(0, most - 1)].map((j) => [j, distances[j]]);
  });
  return {
    indices: nearest.map((row) => row.map(([index]) => index)),
    distances: nearest.map((row) => row.map(([, distance]) => distance)),
  };
}

function laidOut(points: readonly (readonly number[])[], most = 10): Float64Array {
  const layout = new PlaneLayout(neighboursOf(points, most), NUM_EPOCHS, new Random(1, 'places'));
  for (let epoch = 0; epoch < NUM_EPOCHS; epoch++) layout.step();
  return layout.places;
}

/** Around each of some centres. */
function groups(numGroups: number, size: number): number[][] {
  const random = new Random(2, 'groups');
  return Array.from({ length: numGroups * size }, (_, i) =>
    Array.from({ length: 5 }, (_, d) => (d === i % numGroups ? 10 : 0) + random.float()),
  );
}

describe('PlaneLayout', () => {
  it('lays the points of a group together and groups apart', () => {
    const [numGroups, size] = [4, 30];
    const places = laidOut(groups(numGroups, size));
    const distance = (i: number, j: number) =>
      Math.hypot(places[2 * i] - places[2 * j], places[2 * i + 1] - places[2 * j + 1]);
    const all = Array.from({ length: numGroups * size }, (_, i) => i);
    for (const i of all) {
      const [nearest] = all.filter((j) => j !== i).sort((a, b) => distance(i, a) - distance(i, b));
      expect(nearest % numGroups).toBe(i % numGroups);
    }
  });

  it('keeps the order of a line', () => {
    const places = laidOut(
      Array.from({ length: 100 }, (_, i) => [i]),
      6,
    );
    const stepsOf = (gap: number) =>
      Array.from({ length: 100 - gap }, (_, i) =>
        Math.hypot(places[2 * i] - places[2 * (i + gap)], places[2 * i + 1] - places[2 * (i + gap) + 1]),
      ).sort((a, b) => a - b);
    const middle = (values: number[]) => values[values.length >> 1];
    expect(3 * middle(stepsOf(1))).toBeLessThan(middle(stepsOf(10)));
  });

  it('gives the same places again, and finite ones where all points are the same', () => {
    const points = groups(3, 12);
    expect(laidOut(points)).toEqual(laidOut(points));
    const same = laidOut(Array.from({ length: 20 }, () => [1, 2]));
    expect(same.every(Number.isFinite)).toBe(true);
    expect(new Set(same).size).toBeGreaterThan(20); // not all in one place
  });

  it('takes no points', () => {
    const layout = new PlaneLayout({ indices: [], distances: [] }, 1, new Random(1, 'places'));
    layout.step();
    expect(layout.places).toHaveLength(0);
  });
});
