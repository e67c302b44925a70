// Every model on a data set that nobody used: objects with tags and titles, no interactions.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphFrom } from '../../src/data/knowledge-graph.ts';
import type { Kernels } from '../../src/engine/kernels.ts';
import { openKernels } from '../../src/engine/open.ts';
import { MODELS, type ModelName } from '../../src/models/catalogue.ts';
import { openScorer } from '../../src/models/fitted.ts';
import { topTags } from '../../src/models/scorer.ts';
import { fitModel } from '../../src/pipeline.ts';

let kernels: Kernels;

beforeAll(async () => {
  kernels = await openKernels({ threads: 1 });
});
afterAll(() => kernels.close());

const KINDS = ['fruit', 'tool', 'film'];

/** Three kinds of objects; each carries the tag of its kind and two more of it. "bare" has nothing but its name. */
const graph = graphFrom({
  interact: [],
  tagged: Array.from({ length: 30 }, (_, i) => i).flatMap((i) => {
    const kind = KINDS[i % 3];
    return [kind, `${kind} ${i % 2}`, `${kind} ${2 + (i % 5)}`].map((tag): [string, string] => [`o${i}`, tag]);
  }),
  objects: [['bare', 'Bare']],
});

describe('without users', () => {
  it.each(Object.keys(MODELS) as ModelName[])('%s trains and suggests', async (name) => {
    const settings = 'epochs' in MODELS[name].settings ? { epochs: 2 } : {};
    const model = await fitModel(kernels, graph, { model: name, settings });
    const scorer = openScorer(kernels, model, graph);
    const numTags = graph.tags.size;
    const objects = Int32Array.from([graph.objects.idOf('o0'), graph.objects.idOf('bare')]);
    const scores = new Float32Array(objects.length * numTags);
    await scorer.score(objects, scores);
    scorer.release();
    expect(scores.every(Number.isFinite)).toBe(true);
    for (const [i, object] of objects.entries()) {
      const row = scores.subarray(i * numTags, (i + 1) * numTags);
      const best = topTags(row, graph.tagged.row(object), 3);
      expect(best.filter((tag) => row[tag] > scorer.floor)).toHaveLength(3);
    }
  });
});
