import { afterAll, beforeAll, expect, it } from 'vitest';
import { featuresFrom } from '../../../src/data/features.ts';
import { allObjects, taggedObjects } from '../../../src/data/knowledge-graph.ts';
import { split } from '../../../src/data/split.ts';
import type { Kernels } from '../../../src/engine/kernels.ts';
import { openKernels } from '../../../src/engine/open.ts';
import { viewContent } from '../../../src/models/loom/content.ts';
import { solveLoom } from '../../../src/models/loom/fit.ts';
import { viewUsers } from '../../../src/models/loom/profile.ts';
import { rehearse } from '../../../src/models/loom/rehearsal.ts';
import { RehearsalFit } from '../../../src/models/loom/rehearsal-fit.ts';
import { LoomScorer } from '../../../src/models/loom/score.ts';
import { LOOM_SETTINGS } from '../../../src/models/loom/settings.ts';
import { givenStrengths } from '../../../src/models/loom/strengths.ts';
import { learnTextSpace } from '../../../src/models/loom/text-space.ts';
import { ViewProducts } from '../../../src/models/loom/view-products.ts';
import { viewObjects } from '../../../src/models/loom/views.ts';
import type { ScoreTags } from '../../../src/models/scorer.ts';
import { resolveSettings } from '../../../src/settings.ts';
import { checkerboard } from '../../checkerboard.ts';

let kernels: Kernels;

beforeAll(async () => {
  kernels = await openKernels({ threads: 1 });
});
afterAll(() => kernels.close());

it('a rehearsal says of every tag an object lacks what the model would, for any strengths', async () => {
  const { train } = split(checkerboard(), { trainFraction: 0.6, seed: 3 });
  const features = featuresFrom(
    train.objects,
    Array.from({ length: 60 }, (_, o) => [train.objects.name(o), `f${o % 5}`, 1 + (o % 3)] as const),
  );
  const settings = resolveSettings(LOOM_SETTINGS, { weightsPerTag: 1e6, profileWidth: 8, neighbours: 5 });
  const users = await viewUsers(kernels, train, settings, {});
  const content = await viewContent(kernels, features, settings);
  const sights = { users, content, space: await learnTextSpace(train, undefined, settings, {}) };
  const all = allObjects(train);
  const rehearsed: Float32Array[] = [];
  const judge = async (score: ScoreTags) => {
    const scores = new Float32Array(all.length * train.tags.size);
    await score(all, scores);
    rehearsed.push(scores);
    return rehearsed.length === 3 ? 1 : 0; // the third is taken
  };
  const before = kernels.usedBytes;
  const given = givenStrengths(settings, sights.space, true);
  const chosen = await rehearse(kernels, train, { train, judged: all, judge }, sights, settings, {});
  expect(kernels.usedBytes).toBe(before);
  expect(chosen.tagged.parts).toEqual(given.parts.map((one, p) => (p === 0 ? one / 4 : one)));
  expect(chosen.mixing).toEqual([0, 1, 1, 1]);
  expect(rehearsed.length).toBeGreaterThan(9); // every strength up and down

  for (const [attempt, factor] of [1, 4].entries()) {
    const tagged = { ...given, parts: given.parts.map((one, p) => (p === 0 ? factor * one : one)) };
    const strengths = { tagged, untagged: givenStrengths(settings, sights.space, false), mixing: [1] };
    const { loom } = await solveLoom(kernels, train, sights, strengths, settings, {});
    const open = new LoomScorer(kernels, loom, train);
    const scores = new Float32Array(all.length * train.tags.size);
    await open.score(all, scores);
    open.release();
    for (const [i, score] of scores.entries()) {
      if (train.tagged.has(Math.floor(i / train.tags.size), i % train.tags.size)) continue;
      expect(Math.abs(rehearsed[attempt][i] - score)).toBeLessThan(0.003); // weights are halves
    }
  }
});

it('a fit says of objects what fits without them would, with products of words and named tags, too', async () => {
  const { train } = split(checkerboard(20, 10, 16), { trainFraction: 0.6, seed: 3 });
  const settings = resolveSettings(LOOM_SETTINGS, { weightsPerTag: 1e6, profileWidth: 4, neighbours: 3, rarity: 0 });
  const users = await viewUsers(kernels, train, settings, {});
  const sights = {
    users,
    space: await learnTextSpace(train, undefined, { ...settings, wordCount: 1, gramCount: 1 }, {}),
  };
  const objects = taggedObjects(train);
  const strengths = {
    ...givenStrengths(settings, sights.space, false),
    squares: sights.space.parts.map((_, p) => p + 1),
    mention: 0.3,
  };
  const fitTo = async (first: Int32Array, rest: Int32Array) => {
    const views = await viewObjects(train, sights, Int32Array.of(...first, ...rest), settings, {});
    const products = await ViewProducts.of(kernels, views, first.length, settings);
    return RehearsalFit.to(kernels, { views, numLearnt: first.length, products, settings }, strengths);
  };
  const all = await (await fitTo(objects, new Int32Array(0))).scoresWithout();
  for (const place of [0, 7, objects.length - 1]) {
    const one = objects.subarray(place, place + 1);
    const fit = await fitTo(
      objects.filter((object) => object !== one[0]),
      one,
    );
    const scores = new Float32Array(train.tags.size);
    await fit.score(one, scores);
    for (let t = 0; t < scores.length; t++) expect(all[place * scores.length + t]).toBeCloseTo(scores[t], 3);
  }
});

it('a fit with own tags says of objects what fits without them would, as if they had no tags', async () => {
  const graph = checkerboard(20, 10, 16);
  const settings = resolveSettings(LOOM_SETTINGS, { weightsPerTag: 1e6, profileWidth: 4, neighbours: 3, rarity: 0 });
  const fitTo = async (train: typeof graph, first: Int32Array, rest: Int32Array) => {
    const users = await viewUsers(kernels, train, settings, {});
    const sights = { users, space: await learnTextSpace(graph, undefined, settings, {}) };
    const views = await viewObjects(train, sights, Int32Array.of(...first, ...rest), settings, {});
    const products = await ViewProducts.of(kernels, views, first.length, settings);
    const strengths = { ...givenStrengths(settings, sights.space, true), profile: 20, mention: 0.2 };
    return RehearsalFit.to(kernels, { views, numLearnt: first.length, products, settings }, strengths);
  };
  const objects = taggedObjects(graph);
  const all = await (await fitTo(graph, objects, new Int32Array(0))).scoresWithout();
  for (const place of [0, 7, objects.length - 1]) {
    const one = objects.subarray(place, place + 1);
    const tagged = graph.tagged.select(Uint8Array.from(graph.tagged.heads, (object) => (object === one[0] ? 0 : 1)));
    const others = objects.filter((object) => object !== one[0]);
    const scores = new Float32Array(graph.tags.size);
    await (await fitTo({ ...graph, tagged }, others, one)).score(one, scores);
    // the object counts as a neighbour of others and in the penalties of its tags, so both are close, not the same
    for (let t = 0; t < scores.length; t++) {
      expect(Math.abs(all[place * scores.length + t] - scores[t])).toBeLessThan(0.006);
    }
  }
});
