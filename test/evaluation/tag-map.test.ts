import { describe, expect, it } from 'vitest';
import { CancelledError } from '../../src/errors.ts';
import { mapTags } from '../../src/evaluation/tag-map.ts';
import { checkerboard } from '../checkerboard.ts';

const GRAPH = checkerboard(60, 20);
const OPTIONS = { numTags: 500, seed: 1 };

/** Even tags point one way, odd ones another; the longer, the later. */
function twoWays(width = 3): { tags: Float32Array; width: number } {
  const tags = new Float32Array(20 * width);
  for (let tag = 0; tag < 20; tag++) tags.set(tag % 2 === 0 ? [tag + 1, 0.1 * tag] : [0.1 * tag, tag + 1], tag * width);
  return { tags, width };
}

describe('mapTags(embeddings, train, options)', () => {
  it('puts tags that point the same way together, on the map and in clusters', async () => {
    const points = (await mapTags(twoWays(), GRAPH, OPTIONS))?.points ?? [];
    expect(points).toHaveLength(20);
    const isEven = points.map(({ tag }) => Number(tag.slice(1)) % 2 === 0);
    const clusters = (even: boolean) => new Set(points.filter((_, i) => isEven[i] === even).map((one) => one.cluster));
    for (const one of clusters(true)) expect(clusters(false)).not.toContain(one);
    // the nearest other point of each is of its own kind
    for (const [i, a] of points.entries()) {
      const away = points.map((b, j) => (i === j ? Number.POSITIVE_INFINITY : Math.hypot(a.x - b.x, a.y - b.y)));
      expect(isEven[away.indexOf(Math.min(...away))]).toBe(isEven[i]);
    }
  });

  it('takes the most used tags only, and repeats with its seed', async () => {
    const map = await mapTags(twoWays(), GRAPH, { numTags: 12, seed: 4 });
    expect(map?.points).toHaveLength(12);
    expect(map?.points.every(({ numObjects }) => numObjects === 30)).toBe(true);
    expect(await mapTags(twoWays(), GRAPH, { numTags: 12, seed: 4 })).toEqual(map);
    expect(await mapTags(twoWays(), GRAPH, { numTags: 12, seed: 5 })).not.toEqual(map);
  });

  it('draws none of one dimension or of a handful of tags, and survives tags without direction', async () => {
    expect(await mapTags({ tags: new Float32Array(20), width: 1 }, GRAPH, OPTIONS)).toBeUndefined();
    expect(await mapTags(twoWays(), checkerboard(60, 8), OPTIONS)).toBeUndefined();
    const map = await mapTags({ tags: new Float32Array(60), width: 3 }, GRAPH, OPTIONS);
    expect(map?.points.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
  });

  it('hears that it should stop', async () => {
    const signal = AbortSignal.abort();
    await expect(mapTags(twoWays(), GRAPH, OPTIONS, { signal })).rejects.toThrow(CancelledError);
  });
});
