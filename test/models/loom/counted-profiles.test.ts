// Profiles from pairs that are read in passes, against those from pairs in memory.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asHalves } from '../../../src/data/half.ts';
import { graphFrom, type KnowledgeGraph } from '../../../src/data/knowledge-graph.ts';
import type { Kernels } from '../../../src/engine/kernels.ts';
import { openKernels } from '../../../src/engine/open.ts';
import { type CountedUsers, usersInOrder } from '../../../src/graph/counted-users.ts';
import { sampleRows } from '../../../src/graph/row-sample.ts';
import { viewCountedUsers } from '../../../src/models/loom/counted-profiles.ts';
import { viewUsers } from '../../../src/models/loom/profile.ts';
import { LOOM_SETTINGS } from '../../../src/models/loom/settings.ts';
import { Random } from '../../../src/random.ts';
import { resolveSettings } from '../../../src/settings.ts';
import { countedOf } from '../../graph/counted-of.ts';

let kernels: Kernels;
beforeAll(async () => {
  kernels = await openKernels({ threads: 1 });
});
afterAll(() => kernels.close());

/** Objects of two kinds, whose users differ; the last has none. */
function twoKinds(numObjects: number, numUsers: number): KnowledgeGraph {
  const random = new Random(1, 'users');
  const interact = Array.from({ length: (numObjects - 1) * 6 }, (_, i): [string, string] => {
    const object = i % (numObjects - 1);
    return [`u${2 * random.below(numUsers / 2) + (random.float() < 0.9 ? object % 2 : 0)}`, `o${object}`];
  });
  const tagged = Array.from({ length: numObjects }, (_, o): [string, string] => [`o${o}`, `t${o % 2}`]);
  return graphFrom({ interact, tagged });
}

describe('viewCountedUsers', () => {
  it.each([
    ['fewer users than rows', 200, 40],
    ['more of them', 60, 400],
  ])('has the profiles that pairs in memory give, rounded to halves: of %s', async (_, numObjects, numUsers) => {
    const graph = twoKinds(numObjects, numUsers);
    const settings = resolveSettings(LOOM_SETTINGS, { profileWidth: 8 });
    const sample = sampleRows(graph.tagged, { rows: 40, rareCount: 0 });
    expect(sample.weights).toBeDefined();
    const expected = await viewUsers(kernels, graph, settings, {}, sample);
    const got = await viewCountedUsers(kernels, countedOf(graph), sample, settings, {});
    expect(got.numUsers).toEqual(expected.numUsers);
    expect(got.profile).toMatchObject({ side: 'profiles', width: 8 });
    expect(got.profiles).toEqual(asHalves(got.profiles));
    for (const [i, value] of expected.profiles.entries()) expect(got.profiles[i]).toBeCloseTo(value, 3);
    expect(expected.profiles.some((value) => Math.abs(value) > 0.1)).toBe(true);
  });

  it('learns from the sample alone, each object as often as it counts', async () => {
    const graph = twoKinds(100, 30);
    const settings = resolveSettings(LOOM_SETTINGS, { profileWidth: 4 });
    const objects = Int32Array.from({ length: 50 }, (_, i) => 2 * i);
    const viewOf = (weights: Float64Array) => viewUsers(kernels, graph, settings, {}, { objects, weights });
    const [once, more] = [
      await viewOf(new Float64Array(50).fill(1)),
      await viewOf(objects.map((o) => 1 + (o % 9)) as never),
    ];
    expect(more.profile.vectors).not.toEqual(once.profile.vectors);
    // a weight that all have turns nothing
    const doubled = await viewOf(new Float64Array(50).fill(4));
    const products = ({ profiles }: typeof once) =>
      profiles.slice(0, 4).reduce((sum, x, k) => sum + x * profiles[4 + k], 0);
    expect(products(doubled)).toBeCloseTo(products(once), 4);
  });
});

describe('usersInOrder', () => {
  it('gives every object once, in blocks of whole objects, however many users one has', async () => {
    const numUsersOf = Int32Array.of(3, 0, 2 ** 20 + 5, 0, 1);
    const asked: [number, number][] = [];
    const counted: CountedUsers = {
      ...{ numUsersOf, numObjectsOf: new Int32Array(1) },
      read: async (at, length) => {
        asked.push([at, length]);
        return new Int32Array(length);
      },
    };
    const blocks: [number, number][] = [];
    for await (const { first, rowStart } of usersInOrder(counted)) blocks.push([first, rowStart.length - 1]);
    expect(blocks).toEqual([
      [0, 2],
      [2, 1], // more than fit into a block
      [3, 2],
    ]);
    expect(asked).toEqual([
      [0, 3],
      [3, 2 ** 20 + 5],
      [2 ** 20 + 8, 1],
    ]);
  });
});
