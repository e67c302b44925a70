import { describe, expect, it } from 'vitest';
import { graphFrom, type KnowledgeGraph } from '../../../src/data/knowledge-graph.ts';
import { openKernels } from '../../../src/engine/open.ts';
import { drawMap, MAX_POINTS } from '../../../src/serving/map/draw-map.ts';
import type { MapSide, MapTask } from '../../../src/serving/map/map-vectors.ts';
import { similarRows } from '../../../src/serving/map/similar-rows.ts';
import { checkerboard } from '../../checkerboard.ts';

const taskOf = (graph: KnowledgeGraph, side: MapSide, embeddings?: MapTask['embeddings']): MapTask => ({
  side,
  numUsers: graph.users.size,
  numObjects: graph.objects.size,
  numTags: graph.tags.size,
  interact: graph.interact,
  tagged: graph.tagged,
  embeddings,
});

/** The share of points whose nearest on the map is of their kind. */
function shareBesideOwn({ places }: { places: Float64Array }, kindOf: (i: number) => unknown): number {
  const numPoints = places.length / 2;
  const distance = (i: number, j: number) =>
    Math.hypot(places[2 * i] - places[2 * j], places[2 * i + 1] - places[2 * j + 1]);
  const nearest = (i: number) =>
    Array.from({ length: numPoints }, (_, j) => j)
      .filter((j) => j !== i)
      .sort((a, b) => distance(i, a) - distance(i, b))[0];
  return (
    Array.from({ length: numPoints }, (_, i) => i).filter((i) => kindOf(i) === kindOf(nearest(i))).length / numPoints
  );
}

describe('drawMap(task)', () => {
  const graph = checkerboard(80, 60, 40); // even objects have even tags and users, odd ones odd

  it.each(['tags', 'objects'] as const)(
    'lays %s of one colour together, clusters them, and names clusters',
    async (side) => {
      const told: number[] = [];
      const drawn = await drawMap(taskOf(graph, side), (done) => told.push(done));
      expect([...drawn.ids]).toEqual(Array.from({ length: graph[side].size }, (_, id) => id));
      const isEven = (i: number) => drawn.ids[i] % 2 === 0;
      expect(shareBesideOwn(drawn, isEven)).toBeGreaterThan(0.95); // by chance it would be a half
      const colours = new Map<number, Set<boolean>>();
      for (const [i, cluster] of drawn.clusters.entries()) {
        colours.set(cluster, (colours.get(cluster) ?? new Set()).add(isEven(i)));
      }
      expect(colours.size).toBeGreaterThanOrEqual(2);
      for (const [cluster, found] of colours) {
        expect(found.size).toBe(1);
        expect(drawn.names[cluster] % 2 === 0).toBe([...found][0]); // a tag of its own colour
      }
      expect(new Set(drawn.names).size).toBe(drawn.names.length);
      expect(told.length).toBeGreaterThan(100);
      expect(told).toEqual([...told].sort((a, b) => a - b));
      expect(Math.max(...told)).toBeLessThanOrEqual(1);
    },
  );

  it('gives the same map again', async () => {
    const [one, two] = [await drawMap(taskOf(graph, 'tags')), await drawMap(taskOf(graph, 'tags'))];
    expect(one).toEqual(two);
  });

  it('takes the embeddings of a model that has them', async () => {
    const values = Float32Array.from({ length: 2 * graph.tags.size }, (_, i) =>
      i >> 1 < 30 === (i % 2 === 0) ? 1 + i / 100 : 0.1,
    );
    const drawn = await drawMap(taskOf(graph, 'tags', { width: 2, values }));
    const isLow = (i: number) => drawn.ids[i] < 30;
    expect(shareBesideOwn(drawn, isLow)).toBeGreaterThan(0.95);
  });

  it('draws little and nothing, and leaves out of what nothing is known', async () => {
    const tiny = graphFrom({
      interact: [['u', 'a']],
      tagged: [
        ['a', 'x'],
        ['b', 'y'],
      ],
    });
    const drawn = await drawMap(taskOf(tiny, 'objects'));
    expect(drawn.ids).toHaveLength(2);
    for (const value of drawn.places) expect(value).toSatisfy(Number.isFinite);
    const lonely = graphFrom({ interact: [['u', 'a']], tagged: [], objects: [['nobody', 'known by nobody']] });
    expect((await drawMap(taskOf(lonely, 'tags'))).ids).toHaveLength(0);
    expect([...(await drawMap(taskOf(lonely, 'objects'))).ids]).toEqual([lonely.objects.idOf('a')]);
    expect(MAX_POINTS).toBe(20_000);
  });
});

describe('similarRows(kernels, rows, most)', () => {
  it('finds what looking at all pairs finds', async () => {
    const [numRows, width] = [150, 3];
    const values = Float32Array.from({ length: numRows * width }, (_, i) => Math.sin(i * 12.9898) + 0.1 * (i % 7));
    for (let r = 0; r < numRows; r++) {
      const row = values.subarray(r * width, (r + 1) * width);
      const length = Math.hypot(...row);
      for (let d = 0; d < width; d++) row[d] /= length;
    }
    const kernels = await openKernels({ threads: 1 });
    const { indices, distances } = await similarRows(kernels, { width, values }, 5);
    kernels.close();
    const distance = (i: number, j: number) =>
      Math.hypot(...Array.from({ length: width }, (_, d) => values[i * width + d] - values[j * width + d]));
    for (let i = 0; i < numRows; i++) {
      const expected = Array.from({ length: numRows }, (_, j) => distance(i, j))
        .sort((a, b) => a - b)
        .slice(0, 5);
      expect(indices[i][0]).toBe(i);
      expect(distances[i][0]).toBe(0);
      for (const [k, found] of distances[i].entries()) expect(found).toBeCloseTo(expected[k], 3);
    }
  });
});
