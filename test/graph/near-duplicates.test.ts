import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphFrom } from '../../src/data/knowledge-graph.ts';
import { mergeTags, tagMapping } from '../../src/data/merge-tags.ts';
import { CancelledError } from '../../src/errors.ts';
import { type DuplicateTags, nearDuplicates } from '../../src/graph/near-duplicates.ts';
import { knowledgeGraph } from '../arbitraries.ts';

/** A graph of objects a0, a1, …, b0, …: `{ a: [[3, 'rock', 'loud']] }` has three objects with these two tags. */
function worldOf(groups: Record<string, [count: number, ...tags: string[]][]>) {
  const tagged: [string, string][] = [];
  for (const [prefix, lots] of Object.entries(groups)) {
    let next = 0;
    for (const [count, ...tags] of lots) {
      for (let i = 0; i < count; i++, next++) for (const tag of tags) tagged.push([`${prefix}${next}`, tag]);
    }
  }
  return graphFrom({ interact: [['u', 'a0']], tagged });
}

const spellings = (groups: readonly DuplicateTags[]) =>
  groups.map(({ keep, others }) => [keep, ...others.map(({ tag }) => tag)]);

describe('nearDuplicates', () => {
  it('finds spellings, plurals and typos, and tells how often each is used and why', async () => {
    const graph = worldOf({
      a: [
        [6, 'node', 'server', 'http'],
        [3, 'nodejs', 'server', 'http'],
        [1, 'node', 'node.js', 'server'],
      ],
      b: [
        [5, 'game', 'fun', 'pixels'],
        [2, 'games', 'fun', 'pixels'],
      ],
      c: [
        [5, 'javascript', 'web', 'script'],
        [1, 'javscript', 'web', 'script'],
      ],
    });
    const groups = await nearDuplicates(graph);
    expect(spellings(groups)).toEqual([
      ['game', 'games'],
      ['javascript', 'javscript'],
      ['nodejs', 'node.js'],
    ]);
    expect(groups[2]).toMatchObject({ numObjects: 3, others: [{ numObjects: 1, numTogether: 0 }] });
    expect(groups.flatMap(({ others }) => others.map(({ reason }) => reason))).toEqual(['plural', 'typo', 'spelling']);
    expect(groups[0].others[0].similarity).toBeCloseTo(1, 12);
  });

  it('does not join words one letter apart that stand among other tags', async () => {
    const words = (beside: string): [number, ...string[]][] => [
      [9, 'metal', 'guitar', 'loud'],
      [3, 'mental', beside, 'mind'],
    ];
    expect(await nearDuplicates(worldOf({ a: words('health') }))).toEqual([]);
    const similar = worldOf({
      a: [
        [9, 'metal', 'guitar', 'loud'],
        [3, 'mental', 'guitar', 'loud'],
      ],
    });
    expect(spellings(await nearDuplicates(similar))).toEqual([['metal', 'mental']]);
  });

  it('leaves out a plural or a slip that stands alone on its objects: nothing is known of its use', async () => {
    expect(await nearDuplicates(worldOf({ a: [[3, 'game']], b: [[3, 'games']] }))).toEqual([]);
  });

  it('takes the same letters for the same tag, unless both are used often and in quite other places', async () => {
    const world = (count: number) =>
      worldOf({
        a: [[20, 'co-op', 'friends', 'online']],
        b: [[count, 'coop', 'chicken', 'farm']],
      });
    expect(spellings(await nearDuplicates(world(9)))).toEqual([['co-op', 'coop']]);
    expect(spellings(await nearDuplicates(world(10)))).toEqual([]);
  });

  it('weighs the spellings of a word together, and joins groups that meet', async () => {
    const graph = worldOf({
      a: [
        [5, 'web-component', 'browser', 'dom'],
        [2, 'web components', 'browser', 'dom'],
        [2, 'webcomponents', 'nothing else'],
        [1, 'web componant', 'browser', 'dom'],
      ],
    });
    expect(spellings(await nearDuplicates(graph))).toEqual([
      ['web-component', 'web components', 'webcomponents', 'web componant'],
    ]);
  });

  it('keeps the spelling on the most objects, the first in byte order among equals', async () => {
    const graph = worldOf({
      a: [
        [2, 'b-side', 'x'],
        [2, 'bside', 'x'],
        [3, 'Hip Hop', 'x'],
        [1, 'hip-hop', 'x'],
      ],
    });
    expect(spellings(await nearDuplicates(graph))).toEqual([
      ['Hip Hop', 'hip-hop'],
      ['b-side', 'bside'],
    ]);
  });

  it('stops on request', async () => {
    const stopped = nearDuplicates(worldOf({ a: [[1, 'game', 'games']] }), { signal: AbortSignal.abort() });
    await expect(stopped).rejects.toThrow(CancelledError);
  });

  it('gives groups that do not overlap and can be merged, after which none of their spellings is left', async () => {
    const words = ['pop', 'pops', 'p-op', 'electro', 'eletro', 'electros', 'electrojs', 'Electro', 'mental', 'metal'];
    const pairs = fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.constantFrom(...words)), { minLength: 1 });
    const graphs = fc.oneof(
      knowledgeGraph,
      pairs.map((list) => graphFrom({ interact: [['u', '0']], tagged: list.map(([o, tag]) => [`${o}`, tag]) })),
    );
    await fc.assert(
      fc.asyncProperty(graphs, async (graph) => {
        const groups = await nearDuplicates(graph);
        const all = spellings(groups).flat();
        expect(new Set(all).size).toBe(all.length);
        for (const { numObjects, others } of groups) {
          expect(others.length).toBeGreaterThan(0);
          expect(Math.max(...others.map((other) => other.numObjects))).toBeLessThanOrEqual(numObjects);
        }
        const rows = groups.flatMap(({ keep, others }) => others.map(({ tag }) => ({ tag, merged: keep })));
        expect(mergeTags(graph, tagMapping(rows)).tags.size).toBe(graph.tags.size - rows.length);
      }),
    );
  });
});
