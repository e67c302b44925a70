import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KnowledgeGraph } from '../../../src/data/knowledge-graph.ts';
import { split } from '../../../src/data/split.ts';
import type { Kernels } from '../../../src/engine/kernels.ts';
import { openKernels } from '../../../src/engine/open.ts';
import { Learning } from '../../../src/models/loom/learning.ts';
import type { Loom } from '../../../src/models/loom/loom.ts';
import { LoomScorer } from '../../../src/models/loom/score.ts';
import type { Seen } from '../../../src/models/loom/seen.ts';
import type { Model } from '../../../src/models/model.ts';
import { decodeModel, modelBytes } from '../../../src/models/model-file.ts';
import { withTags } from '../../../src/models/with-tags.ts';
import { fitModel } from '../../../src/pipeline.ts';
import { checkerboard } from '../../checkerboard.ts';

let kernels: Kernels;
let model: Model;
const parts = split(checkerboard(), { trainFraction: 0.6, seed: 4 });
const { train: graph, test: hidden } = parts;
const [numObjects, numTags] = [graph.objects.size, graph.tags.size];

beforeAll(async () => {
  kernels = await openKernels({ threads: 1 });
  model = await fitModel(kernels, graph, { settings: { neighbours: 5, profileWidth: 4 } });
});
afterAll(() => kernels.close());

function opened({ fitted, graph: of }: Model = model): LoomScorer {
  return new LoomScorer(kernels, fitted as Loom, of);
}

async function scoresOf(scorer: LoomScorer, tagsOf?: (object: number) => ArrayLike<number>, of = graph) {
  const scores = new Float32Array(of.objects.size * of.tags.size);
  await scorer.score(
    Int32Array.from({ length: of.objects.size }, (_, object) => object),
    scores,
    tagsOf,
  );
  return scores;
}

/** The tags of an object with one more. */
function withTag(of: KnowledgeGraph, object: number, tag: number): Int32Array {
  return Int32Array.from(new Set([...of.tagged.row(object), tag])).sort();
}

const trained = (object: number) => graph.tagged.row(object);

describe('learning from decisions', () => {
  it('makes a tag likelier for objects like those that were given it, and less so for others', async () => {
    const tag = 4;
    const scorer = opened();
    const before = await scoresOf(scorer, trained);
    const like = Array.from({ length: numObjects }, (_, o) => o).filter(
      (o) => o % 2 === 0 && !graph.tagged.has(o, tag),
    );
    const given = like.slice(0, 4);
    for (const object of given) scorer.learn?.(object, withTag(graph, object, tag));
    const after = await scoresOf(scorer, trained);
    const gain = (object: number) => after[object * numTags + tag] - before[object * numTags + tag];
    const mean = (objects: number[]) => objects.reduce((sum, object) => sum + gain(object), 0) / objects.length;
    const others = like.slice(4);
    expect(others.length).toBeGreaterThan(3);
    expect(mean(others)).toBeGreaterThan(0.005);
    const unlike = Array.from({ length: numObjects }, (_, o) => o).filter((o) => o % 2 === 1);
    expect(mean(others)).toBeGreaterThan(2 * Math.abs(mean(unlike)));
    scorer.release();
  });

  it('depends on what was decided, not on the order, and forgets what was undone to the bit', async () => {
    const pairs = Array.from(hidden.heads, (object, i) => [object, hidden.tails[i]] as const);
    const [scorer, reference] = [opened(), opened()];
    const untouched = await scoresOf(scorer, trained);
    for (const [object] of pairs) reference.learn?.(object, union(graph, object, pairs));
    const expected = await scoresOf(reference, trained);
    expect(expected).not.toEqual(untouched);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(pairs, { minLength: pairs.length }), fc.nat(4), async (order, pause) => {
        const known: (readonly [number, number])[] = [];
        for (const [i, pair] of order.entries()) {
          known.push(pair);
          scorer.learn?.(pair[0], union(graph, pair[0], known));
          if (i % 40 === pause) await scoresOf(scorer, trained); // learns so far
        }
        expect(await scoresOf(scorer, trained)).toEqual(expected);
        for (const [object] of order) scorer.learn?.(object, graph.tagged.row(object));
        expect(await scoresOf(scorer, trained)).toEqual(untouched);
      }),
      { numRuns: 5 },
    );
    scorer.release();
    reference.release();
  });

  it('takes away for a tag that was taken away what it adds for one that was given', async () => {
    const loom = model.fitted as Loom;
    const [object, had, given] = [0, graph.tagged.row(0)[0], 1];
    const seen: Seen = {
      tags: [had, 6],
      numUsers: 1,
      means: { tags: [given], values: [0.5] },
      text: { features: [], values: [] },
      mentions: new Map(),
      profile: new Float32Array(loom.profile.width).fill(1),
      content: new Float32Array(0),
    };
    const learning = new Learning(loom, graph);
    learning.decide(object, Int32Array.of(...graph.tagged.row(object).filter((tag) => tag !== had), given).sort());
    await learning.lookAt(learning.takeChanged(), async () => [seen]);
    const [taken, added] = [had, given].map((tag) => learning.changeFor(tag, loom.tagged, true));
    expect([...taken.sparse.keys()].sort((a, b) => a - b)).toEqual([6, numTags + given]); // its own feature does not count
    expect([...added.sparse.keys()].sort((a, b) => a - b)).toEqual([had, 6, numTags + given].sort((a, b) => a - b));
    for (const [feature, change] of taken.sparse) {
      expect(change).toBeLessThan(0);
      expect(added.sparse.get(feature)).toBeGreaterThan(0);
    }
    for (const [i, change] of taken.dense.entries()) {
      expect(change).toBeLessThan(0);
      expect(added.dense[i]).toBeGreaterThan(0);
    }
  });

  it('is told by explanations, adds up, and is the same object by object and tag by tag', async () => {
    const scorer = opened();
    for (let i = 0; i < hidden.size; i += 3) {
      scorer.learn?.(hidden.heads[i], withTag(graph, hidden.heads[i], hidden.tails[i]));
    }
    const scores = await scoresOf(scorer, trained);
    const usersOf = graph.interact.reversed();
    for (const object of [1, 8, 33]) {
      const row = new Float32Array(numTags);
      const facts = { tags: trained(object), users: usersOf.row(object), title: graph.titles.at(object), object };
      await scorer.scoreUnseen(facts, row);
      const { partsOf } = await scorer.explain(facts);
      for (let tag = 0; tag < numTags; tag++) {
        const { base, own, neighbours, words, mention = 0, profile, again = [] } = partsOf(tag);
        const total = [...own, ...neighbours, ...words, ...again].reduce(
          (sum, { amount }) => sum + amount,
          base + mention + profile,
        );
        expect(total).toBeCloseTo(row[tag], 4);
        expect(row[tag]).toBeCloseTo(scores[object * numTags + tag], 4);
      }
    }
    for (const tag of [0, 7]) {
      const column = await scorer.scoreObjects(tag, { objects: [...new Set(hidden.heads)], tagsOf: trained });
      for (let object = 0; object < numObjects; object++) {
        expect(column[object]).toBeCloseTo(scores[object * numTags + tag], 4);
      }
    }
    scorer.release();
  });

  it('learns once for all who ask at the same time', async () => {
    const [scorer, other] = [opened(), opened()];
    for (const one of [scorer, other]) one.learn?.(0, withTag(graph, 0, 4));
    const expected = await scoresOf(scorer, trained);
    for (const scores of await Promise.all([scoresOf(other, trained), scoresOf(other, trained)])) {
      expect(scores).toEqual(expected);
    }
    scorer.release();
    other.release();
  });

  it('is not there for a model that was trained without the numbers for it', () => {
    const { rates: _, ...tagged } = (model.fitted as Loom).tagged;
    expect(new LoomScorer(kernels, { ...(model.fitted as Loom), tagged }, graph).learn).toBeUndefined();
  });

  it('survives a model file', async () => {
    const read = await decodeModel(await modelBytes(model));
    expect((read.fitted as Loom).tagged.rates).toEqual((model.fitted as Loom).tagged.rates);
    expect((read.fitted as Loom).rarity).toBeCloseTo((model.fitted as Loom).rarity ?? Number.NaN, 6);
  });
});

describe('tags that a model was not trained with', () => {
  const names = ['t004b', 'a first', 'zz last', 't004'];

  it('change nothing about the others', async () => {
    const grown = withTags(model, names);
    expect(grown.graph.tags.size).toBe(numTags + 3);
    const [before, after] = [opened(), opened(grown)];
    const [scores, more] = [await scoresOf(before, trained), await scoresOf(after, undefined, grown.graph)];
    for (let object = 0; object < numObjects; object++) {
      for (let tag = 0; tag < numTags; tag++) {
        const place = grown.graph.tags.idOf(graph.tags.name(tag));
        expect(more[object * (numTags + 3) + place]).toBeCloseTo(scores[object * numTags + tag], 6);
      }
    }
    before.release();
    after.release();
  });

  it('are suggested to others from a few objects on', async () => {
    const grown = withTags(model, ['brand new']);
    const tag = grown.graph.tags.idOf('brand new');
    const scorer = opened(grown);
    for (const object of [0, 2, 4, 6, 8]) scorer.learn?.(object, withTag(grown.graph, object, tag));
    const scores = await scoresOf(scorer, (object) => grown.graph.tagged.row(object), grown.graph);
    const of = (object: number) => scores[object * (numTags + 1) + tag];
    const even = Array.from({ length: 25 }, (_, i) => of(10 + 2 * i));
    const odd = Array.from({ length: 25 }, (_, i) => of(1 + 2 * i));
    expect(Math.min(...even)).toBeGreaterThan(Math.max(...odd));
    scorer.release();
  });

  it('are not taken in by a model that could not learn them', async () => {
    const popularity = await fitModel(kernels, graph, { model: 'popularity' });
    expect(withTags(popularity, ['new'])).toBe(popularity);
    expect(withTags(model, ['t004'])).toBe(model);
  });
});

function union(of: KnowledgeGraph, object: number, pairs: readonly (readonly [number, number])[]): Int32Array {
  const more = pairs.filter(([head]) => head === object).map(([, tag]) => tag);
  return Int32Array.from(new Set([...of.tagged.row(object), ...more])).sort();
}
