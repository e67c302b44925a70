import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphFrom, type KnowledgeGraph } from '../../../src/data/knowledge-graph.ts';
import type { Kernels } from '../../../src/engine/kernels.ts';
import { openKernels } from '../../../src/engine/open.ts';
import { CancelledError } from '../../../src/errors.ts';
import type { Loom } from '../../../src/models/loom/loom.ts';
import { LoomScorer } from '../../../src/models/loom/score.ts';
import { train } from '../../../src/pipeline.ts';
import { checkerboard } from '../../checkerboard.ts';

let kernels: Kernels;
beforeAll(async () => {
  kernels = await openKernels({ threads: 1 });
});
afterAll(() => kernels.close());

/** A checkerboard with titles, whose last objects have one tag or none. */
function titled(): KnowledgeGraph {
  const { users, objects, tags, interact, tagged } = checkerboard(42);
  const isKept = (object: number, tag: number) => object < 30 || (object < 36 && tag < 2);
  const pairs = Array.from(tagged.heads, (object, i) => [object, tagged.tails[i]] as const);
  return graphFrom({
    interact: Array.from(interact.heads, (user, i) => [users.name(user), objects.name(interact.tails[i])] as const),
    tagged: pairs
      .filter(([object, tag]) => isKept(object, tag))
      .map(([object, tag]) => [objects.name(object), tags.name(tag)] as const),
    objects: Array.from({ length: 42 }, (_, o) => [
      objects.name(o),
      `a thing of t00${o % 10}, ${o % 2 ? 'odd' : 'even'}`,
    ]),
  });
}

describe('the scores of one tag', () => {
  it('are those of all tags, for all objects, also where some have other tags than in the data', async () => {
    const graph = titled();
    const settings = { neighbours: 5, profileWidth: 4, search: 'off' };
    const { fitted } = await train(graph, { model: 'loom', settings, threads: 1 });
    const numTags = graph.tags.size;
    const all = Int32Array.from({ length: graph.objects.size }, (_, object) => object);
    // shares between both sets of weights, as large data has them
    for (const mixing of [Float32Array.of(0, 1), Float32Array.of(0.25, 0.5, 0.75)]) {
      const scorer = new LoomScorer(kernels, { ...(fitted as Loom), mixing }, graph);
      const others = new Map([
        [3, Int32Array.of(0, 1)],
        [10, new Int32Array(0)],
        [41, Int32Array.of(1, 3, 5)],
      ]);
      for (const changed of [new Map<number, Int32Array>(), others]) {
        const tagsOf = (object: number) => changed.get(object) ?? graph.tagged.row(object);
        const scores = new Float32Array(all.length * numTags);
        await scorer.score(all, scores, tagsOf);
        for (let tag = 0; tag < numTags; tag++) {
          const column = await scorer.scoreObjects(tag, { objects: [...changed.keys()], tagsOf });
          for (const object of all) expect(column[object]).toBeCloseTo(scores[object * numTags + tag], 5);
        }
      }
      scorer.release();
    }
  });

  it('can be prepared, and after a preparation that was stopped are computed all the same', async () => {
    const graph = titled();
    const { fitted } = await train(graph, { model: 'loom', settings: { search: 'off' }, threads: 1 });
    const [stopped, plain] = [0, 1].map(() => new LoomScorer(kernels, fitted as Loom, graph));
    await expect(stopped.prepareObjects({ signal: AbortSignal.abort() })).rejects.toThrow(CancelledError);
    expect(await stopped.scoreObjects(2)).toEqual(await plain.scoreObjects(2));
    const steps: string[] = [];
    const another = new LoomScorer(kernels, fitted as Loom, graph);
    await another.prepareObjects({ progress: (step) => steps.push(step) });
    expect(steps).toContain('reading texts');
    expect(await another.scoreObjects(2)).toEqual(await plain.scoreObjects(2));
    for (const scorer of [stopped, plain, another]) scorer.release();
  });
});
