import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphFrom } from '../../../src/data/knowledge-graph.ts';
import { reviewedGraph } from '../../../src/serving/reviews/reviewed-graph.ts';

const objects = ['a', 'b', 'c', 'd'];
const pair = fc.tuple(fc.constantFrom(...objects, 'stranger'), fc.constantFrom('x', 'y', 'z', 'new'));
const keys = (pairs: Iterable<readonly [string, string]>) => new Set([...pairs].map(([o, t]) => `${o} ${t}`));
const named = (pairs: readonly (readonly [string, string])[]) => pairs.map(([object, tag]) => ({ object, tag }));

describe('reviewedGraph', () => {
  it('is the data with accepted pairs and without rejected ones, whatever they are', async () => {
    const tagged = fc.array(fc.tuple(fc.constantFrom(...objects), fc.constantFrom('x', 'y', 'z')), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(tagged, fc.array(pair), fc.array(pair), async (data, accepted, rejected) => {
        const graph = graphFrom({ interact: objects.map((o) => ['u', o] as const), tagged: data });
        const out = keys(rejected);
        const known = accepted.filter(([object]) => object !== 'stranger');
        const expected = new Set([...keys(data), ...keys(known)].filter((one) => !out.has(one)));
        const reviews = { accepted: named(accepted), rejected: named(rejected) };
        if (expected.size === 0) {
          await expect(reviewedGraph(graph, reviews)).rejects.toThrow(/got reviews that reject every pair/);
          return;
        }
        const result = await reviewedGraph(graph, reviews);
        const { tagged: pairs, objects: names, tags } = result.graph;
        const found = Array.from(pairs.heads, (o, i) => `${names.name(o)} ${tags.name(pairs.tails[i])}`);
        expect(new Set(found)).toEqual(expected);
        expect(tags.names.toArray()).toEqual([...new Set([...expected].map((one) => one.slice(2)))].sort());
        const before = keys(data);
        expect(result.counts).toEqual({
          added: [...expected].filter((one) => !before.has(one)).length,
          removed: [...before].filter((one) => out.has(one)).length,
          rejected: [...out].filter((one) => !one.startsWith('stranger')).length,
          leftOut: [...accepted, ...rejected].filter(([object]) => object === 'stranger').length,
        });
        for (let i = 0; i < result.rejected.size; i++) {
          expect(out).toContain(`${names.name(result.rejected.heads[i])} ${tags.name(result.rejected.tails[i])}`);
        }
      }),
    );
  });
});
