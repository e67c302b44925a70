import { afterAll, beforeAll, expect, it } from 'vitest';
import { featuresFrom } from '../../../src/data/features.ts';
import { split } from '../../../src/data/split.ts';
import type { Kernels } from '../../../src/engine/kernels.ts';
import { openKernels } from '../../../src/engine/open.ts';
import { viewContent } from '../../../src/models/loom/content.ts';
import { solveLoom } from '../../../src/models/loom/fit.ts';
import { viewUsers } from '../../../src/models/loom/profile.ts';
import { rehearse } from '../../../src/models/loom/rehearsal.ts';
import { LoomScorer } from '../../../src/models/loom/score.ts';
import { LOOM_SETTINGS, type LoomSettings } from '../../../src/models/loom/settings.ts';
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
  const settings = resolveSettings(LOOM_SETTINGS, {
    weightsPerTag: 1e6,
    profileWidth: 8,
    neighbours: 5,
  }) as LoomSettings;
  const users = await viewUsers(kernels, train, settings, {});
  const content = await viewContent(kernels, features, settings);
  const all = Int32Array.from({ length: train.objects.size }, (_, object) => object);
  const rehearsed: Float32Array[] = [];
  const judge = async (score: ScoreTags) => {
    const scores = new Float32Array(all.length * train.tags.size);
    await score(all, scores);
    rehearsed.push(scores);
    return rehearsed.length === 3 ? 1 : 0; // the third is taken
  };
  const before = kernels.usedBytes;
  const chosen = await rehearse(kernels, { train, judged: all, judge }, { users, content }, settings, {});
  expect(kernels.usedBytes).toBe(before);
  expect(chosen).toMatchObject({ value: 1, settings: { wordStrength: settings.wordStrength / 4 } });
  expect(rehearsed.length).toBeGreaterThan(9); // every strength up and down

  const views = { ...(await viewObjects(train, users, all, settings, {})), content };
  for (const [attempt, wordStrength] of [settings.wordStrength, settings.wordStrength * 4].entries()) {
    const { loom } = await solveLoom(kernels, views, { ...settings, wordStrength }, {});
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
