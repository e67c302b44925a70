import { describe, expect, it } from 'vitest';
import { kMeans } from '../../../src/engine/numerics/k-means.ts';
import { Random } from '../../../src/random.ts';

const cluster = (rows: number[][], k: number, seed = 1) =>
  Array.from(kMeans(Float64Array.from(rows.flat()), rows[0]?.length ?? 1, k, new Random(seed, 'test')));

describe('kMeans(rows, width, k, random)', () => {
  it('finds heaps that lie apart and numbers them by size', () => {
    const heap = (x: number, y: number, n: number) => Array.from({ length: n }, (_, i) => [x + i / 100, y - i / 100]);
    for (let seed = 1; seed <= 10; seed++) {
      const found = cluster([...heap(0, 0, 3), ...heap(9, 9, 7), ...heap(-9, 9, 5)], 3, seed);
      expect(found).toEqual([2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
    }
  });

  it('makes no more clusters than there are distinct rows', () => {
    expect(new Set(cluster([[1], [1], [5], [5]], 8)).size).toBe(2);
    expect(cluster([[3]], 8)).toEqual([0]);
    expect(cluster([], 8)).toEqual([]);
  });

  it('repeats with its seed', () => {
    const random = new Random(3, 'rows');
    const rows = Array.from({ length: 100 }, () => [random.float(), random.float(), random.float()]);
    expect(cluster(rows, 8, 5)).toEqual(cluster(rows, 8, 5));
    expect(new Set(cluster(rows, 8, 5)).size).toBe(8);
  });
});
