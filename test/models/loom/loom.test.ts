import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { featuresFrom } from '../../../src/data/features.ts';
import { graphFrom, type KnowledgeGraph, taggedObjects } from '../../../src/data/knowledge-graph.ts';
import { split } from '../../../src/data/split.ts';
import { NameTable } from '../../../src/data/vocabulary.ts';
import type { Kernels } from '../../../src/engine/kernels.ts';
import { openKernels } from '../../../src/engine/open.ts';
import { evaluate, meanOf } from '../../../src/evaluation/evaluate.ts';
import type { RowSample } from '../../../src/graph/row-sample.ts';
import { findModel } from '../../../src/models/catalogue.ts';
import { openScorer } from '../../../src/models/fitted.ts';
import { solveLoom } from '../../../src/models/loom/fit.ts';
import type { Content, Loom } from '../../../src/models/loom/loom.ts';
import { viewUsers } from '../../../src/models/loom/profile.ts';
import { LoomScorer } from '../../../src/models/loom/score.ts';
import { LOOM_SETTINGS } from '../../../src/models/loom/settings.ts';
import { givenStrengths } from '../../../src/models/loom/strengths.ts';
import { learnTextSpace } from '../../../src/models/loom/text-space.ts';
import type { ScoreParts } from '../../../src/models/scorer.ts';
import { train } from '../../../src/pipeline.ts';
import { Random } from '../../../src/random.ts';
import { resolveSettings, type Settings } from '../../../src/settings.ts';
import { knowledgeGraph } from '../../arbitraries.ts';
import { checkerboard } from '../../checkerboard.ts';

let kernels: Kernels;

beforeAll(async () => {
  kernels = await openKernels({ threads: 1 });
});
afterAll(() => kernels.close());

async function loomOf(train: KnowledgeGraph, settings: Settings = {}): Promise<Loom> {
  const { fitted } = await findModel('loom').fit({ kernels, train, settings, watch: {}, listener: {} });
  return fitted as Loom;
}

async function scoresOf(loom: Loom, train: KnowledgeGraph): Promise<Float32Array> {
  const open = new LoomScorer(kernels, loom, train);
  const scores = new Float32Array(train.objects.size * train.tags.size);
  await open.score(
    Int32Array.from({ length: train.objects.size }, (_, object) => object),
    scores,
  );
  open.release();
  return scores;
}

/** What the parts of a score add up to. */
function totalOf({ base, own, neighbours, words, mention = 0, profile, content = 0 }: ScoreParts): number {
  const amounts = [...own, ...neighbours, ...words].reduce((sum, { amount }) => sum + amount, 0);
  return base + amounts + mention + profile + content;
}

const COLOURS = ['red', 'blue', 'green', 'amber'];

/** Texts tell the tags: the colour in them and, of pairs of colours, whether both are there. Users: none. */
function colours(numObjects = 120): KnowledgeGraph {
  const random = new Random(1, 'colours');
  const items = Array.from({ length: numObjects }, (_, i) => {
    const [one, other] = [COLOURS[random.below(4)], COLOURS[random.below(4)]];
    const isPair = [one, other].includes('red') && [one, other].includes('blue');
    const tags = [`${one} things`, ...(isPair ? ['violet'] : ['plain'])];
    return { object: `o${i}`, text: `a ${one} thing beside a ${other} one, number ${i}`, tags };
  });
  const graph = graphFrom({
    interact: [],
    tagged: items.flatMap(({ object, tags }) => tags.map((tag) => [object, tag] as const)),
    objects: items.map(({ object }) => [object, object] as const),
  });
  const texts = NameTable.from(
    items.map((_, id) => items.find((one) => one.object === graph.objects.name(id))?.text ?? ''),
  );
  return { ...graph, texts: [{ name: 'about', texts }] };
}

describe('loom on texts', () => {
  it('suggests to objects without tags or users from their texts alone', async () => {
    const parts = split(colours(), { trainFraction: 0.75, seed: 1, by: 'object' });
    const model = await train(parts.train, { threads: 1 });
    const open = openScorer(kernels, model, parts.train);
    expect(meanOf(await evaluate(open.score, parts, [2]), 'recall@2')).toBeGreaterThan(0.8);
    open.release();
  });

  it('says the same of a text given as facts as of the object that has it, and the parts add up', async () => {
    const graph = colours(60);
    for (const squares of [[], [0, 0, 2, 0]]) {
      const loom = await textLoom(graph, squares);
      expect(loom.untagged.squares !== undefined).toBe(squares.length > 0);
      const all = await scoresOf(loom, graph);
      const open = new LoomScorer(kernels, loom, graph);
      const row = new Float32Array(graph.tags.size);
      for (const object of [0, 17, 59]) {
        const facts = {
          ...{ tags: graph.tagged.row(object), users: [] },
          ...{ title: graph.titles.at(object), texts: [graph.texts[0].texts.at(object)] },
        };
        await open.scoreUnseen(facts, row);
        for (let tag = 0; tag < row.length; tag++) expect(row[tag]).toBeCloseTo(all[object * row.length + tag], 5);
        const untagged = { ...facts, tags: [] };
        await open.scoreUnseen(untagged, row);
        for (const [tag, score] of row.entries())
          expect(totalOf((await open.explain(untagged)).partsOf(tag))).toBeCloseTo(score, 4);
        const columns = await Promise.all(Array.from(row, (_, tag) => open.scoreObjects(tag)));
        for (const [tag, column] of columns.entries())
          expect(column[object]).toBeCloseTo(all[object * row.length + tag], 5);
      }
      open.release();
    }
  });

  it('names the word that speaks for a tag, and in which column', async () => {
    const graph = colours();
    const model = await train(graph, { threads: 1 });
    const open = new LoomScorer(kernels, model.fitted as Loom, graph);
    const facts = { tags: [], users: [], title: 'new', texts: ['a green thing beside an amber one'] };
    const { words, mention = 0 } = (await open.explain(facts)).partsOf(graph.tags.idOf('green things'));
    const strongest = [...words].sort((a, b) => b.amount - a.amount)[0];
    expect(strongest).toMatchObject({ word: 'green', column: 'about' });
    expect(strongest.amount + mention).toBeGreaterThan(0.2);
    open.release();
  });

  it('ignores words it never saw, and falls back where nothing is known', async () => {
    const graph = colours();
    const loom = await loomOf(graph);
    const open = new LoomScorer(kernels, loom, graph);
    const row = new Float32Array(graph.tags.size);
    await open.scoreUnseen({ tags: [], users: [], title: '', texts: ['zzyzx 漢字 …'] }, row);
    expect([...row]).toEqual([...loom.untagged.base]);
    open.release();
  });

  it('reads texts of any language', async () => {
    const texts = ['猫が好きです', 'แมวสีดำ', 'Ελληνικός καφές', 'Ёлка', 'קפה שחור', 'ﬁne café'];
    const graph = graphFrom({ interact: [], tagged: texts.flatMap((_, i) => [[`o${i}`, `t${i % 2}`] as const]) });
    const loom = await loomOf(
      { ...graph, texts: [{ name: 'x', texts: NameTable.from(texts) }] },
      { wordCount: 1, gramCount: 1 },
    );
    const words = loom.text.parts.filter(({ kind, column }) => kind === 'words' && column === 0)[0].names;
    for (const word of ['猫', 'แมว', 'καφεσ', 'елка', 'קפה', 'fine', 'cafe'])
      expect(words.idOf(word), word).toBeGreaterThanOrEqual(0);
  });
});

/** With all weights, and products of words as told. */
async function textLoom(graph: KnowledgeGraph, squares: readonly number[], sample?: RowSample): Promise<Loom> {
  const settings = resolveSettings(LOOM_SETTINGS, { weightsPerTag: 1e6 });
  const sights = {
    users: await viewUsers(kernels, graph, settings, {}),
    space: await learnTextSpace(graph, undefined, settings, {}),
  };
  const strengthsOf = (own: boolean) => ({
    ...givenStrengths(settings, sights.space, own),
    mention: 0.2,
    ...(squares.length > 0 && { squares }),
  });
  const chosen = { tagged: strengthsOf(true), untagged: strengthsOf(false), mixing: [0, 0.5, 1] };
  return (await solveLoom(kernels, graph, sights, chosen, settings, {}, sample)).loom;
}

describe('of a sample', () => {
  it.each(['exact', 'sparse'])('loom finds what it finds of all objects, solved in the %s way', async (solve) => {
    const parts = split(checkerboard(200), { trainFraction: 0.7, seed: 1 });
    const loom = await loomOf(parts.train, { solve, sampleRows: 60, rareCount: 0 });
    const open = new LoomScorer(kernels, loom, parts.train);
    expect(meanOf(await evaluate(open.score, parts, [5]), 'recall@5')).toBeGreaterThan(0.95);
    open.release();
  });

  it('weights of 1 change nothing, to the last bit', async () => {
    const graph = withTexts();
    const objects = taggedObjects(graph);
    const weights = new Float64Array(objects.length).fill(1);
    expect(await textLoom(graph, [0, 0.5, 0, 0], { objects, weights })).toEqual(await textLoom(graph, [0, 0.5, 0, 0]));
  });

  it('what the fit leaves is there for products of words, of the others nothing', async () => {
    const graph = withTexts();
    const tagged = taggedObjects(graph);
    const objects = tagged.filter((_, i) => i % 3 > 0);
    const weights = Float64Array.from(objects, (_, i) => 1 + (i % 2));
    const { untagged } = await textLoom(graph, [0, 0.5, 0, 0], { objects, weights });
    const answers = untagged.squares?.answers as Float32Array;
    expect(answers).toHaveLength(tagged.length * graph.tags.size);
    const isLearnt = (row: number) =>
      answers.subarray(row * graph.tags.size, (row + 1) * graph.tags.size).some(Boolean);
    for (const [row] of tagged.entries()) expect(isLearnt(row), `row ${row}`).toBe(row % 3 > 0);
  });
});

/** Objects with two words each, and tags that go with them. */
function withTexts(): KnowledgeGraph {
  const words = ['red', 'green', 'blue', 'warm', 'cold'];
  const numbers = Array.from({ length: 30 }, (_, i) => String(i + 10));
  const graph = graphFrom({ interact: [], tagged: numbers.map((o, i) => [`o${o}`, `t${(i % 5) % 3}`] as const) });
  const texts = numbers.map((_, i) => `${words[i % 5]} ${words[(i * 3) % 4]}`);
  return { ...graph, texts: [{ name: 'about', texts: NameTable.from(texts) }] };
}

describe('loom', () => {
  it.each(['exact', 'sparse'])('finds the missing squares of the checkerboard, solved in the %s way', async (solve) => {
    const parts = split(checkerboard(), { trainFraction: 0.7, seed: 1 });
    const open = new LoomScorer(kernels, await loomOf(parts.train, { solve }), parts.train);
    expect(meanOf(await evaluate(open.score, parts, [5]), 'recall@5')).toBeGreaterThan(0.95);
    open.release();
  });

  it.each([
    ['users', checkerboard(60, 20, 20)],
    ['objects', checkerboard(20, 20, 60)],
  ])('says of facts what it says of the object they are from, profiles from %s', async (side, graph) => {
    const { train } = split(graph, { trainFraction: 0.7, seed: 2 });
    const loom = await loomOf(train, { profileWidth: 7, neighbours: 4 });
    expect(loom.profile.side).toBe(side);
    const all = await scoresOf(loom, train);
    const open = new LoomScorer(kernels, loom, train);
    const usersOf = train.interact.reversed();
    const row = new Float32Array(train.tags.size);
    for (let object = 0; object < train.objects.size; object++) {
      await open.scoreUnseen(
        { tags: train.tagged.row(object), users: usersOf.row(object), title: train.titles.at(object), object },
        row,
      );
      for (let tag = 0; tag < row.length; tag++) {
        expect(row[tag]).toBeCloseTo(all[object * row.length + tag], 4);
      }
    }
    open.release();
  });

  it('learns from the words of names, and chooses how much', async () => {
    // the name tells the tag, users and other tags tell nothing
    const names = Array.from({ length: 80 }, (_, i) => [`o${i}`, `${i % 2 ? 'red' : 'blue'} thing ${i}`] as const);
    const graph = graphFrom({
      interact: names.map(([object], i) => [`u${i % 7}`, object] as const),
      tagged: names.flatMap(([object], i) => [
        [object, i % 2 ? 'warm' : 'cold'] as const,
        [object, `other ${i % 3}`] as const,
      ]),
      objects: names,
    });
    const model = await train(graph, { model: 'loom', threads: 1 });
    const open = new LoomScorer(kernels, model.fitted as Loom, graph);
    const row = new Float32Array(graph.tags.size);
    const warmth = async (title: string) => {
      await open.scoreUnseen({ tags: [], users: [], title }, row);
      return row[graph.tags.idOf('warm')] - row[graph.tags.idOf('cold')];
    };
    expect(await warmth('something Red')).toBeGreaterThan(0.5);
    expect(await warmth('something Blue')).toBeLessThan(-0.5);
    expect(Math.abs(await warmth('something green'))).toBeLessThan(0.2);
    open.release();
    expect(model.metrics['validation recall@3']).toBeGreaterThan(0.4);
    expect((await loomOf(graph, { wordCount: 0, gramCount: 0 })).text.parts).toEqual([]);
  });

  it('learns from content features, constant and repeated ones and all', async () => {
    // nothing but the features tells the colours apart
    const tagged = Array.from({ length: 80 }, (_, o) => [`o${o}`, o % 2 === 0 ? 'even' : 'odd'] as const);
    const graph = graphFrom({ interact: [['u', 'o0']], tagged });
    const parts = split(graph, { trainFraction: 0.5, seed: 1 });
    const features = featuresFrom(
      graph.objects,
      Array.from({ length: 80 }, (_, o) => o).flatMap((o) => [
        [`o${o}`, 'constant', 1] as const,
        [`o${o}`, 'size', 1000 * (o % 2)] as const,
        [`o${o}`, 'again', 1000 * (o % 2)] as const,
        [`o${o}`, 'noise', ((o * 7) % 5) / 5] as const,
      ]),
    );
    const context = { kernels, train: parts.train, settings: { wordCount: 0, gramCount: 0 }, watch: {}, listener: {} };
    const { fitted } = await findModel('loom').fit({ ...context, features });
    const open = new LoomScorer(kernels, fitted as Loom, parts.train);
    expect(meanOf(await evaluate(open.score, parts, [1]), 'recall@1')).toBe(1);
    const scores = await scoresOf(fitted as Loom, parts.train);
    const content = (fitted as Loom).content as Content;
    for (const object of [0, 1, 2]) {
      const known = { tags: parts.train.tagged.row(object), users: [], object };
      const own = new Map(
        Array.from({ length: features.numFeatures }, (_, f) => [f, 0] as [number, number]).map(([f]) => {
          const at = features.columns.subarray(features.rowStart[object], features.rowStart[object + 1]).indexOf(f);
          return [f, at < 0 ? 0 : features.values[features.rowStart[object] + at]];
        }),
      );
      const [row, told] = [new Float32Array(2), new Float32Array(2)];
      await open.scoreUnseen(known, row);
      await open.scoreUnseen({ ...known, features: own }, told);
      for (const tag of [0, 1]) {
        expect(told[tag]).toBeCloseTo(row[tag], 4);
        expect(totalOf((await open.explain(known)).partsOf(tag))).toBeCloseTo(row[tag], 4);
        if (object > 0) expect(row[tag]).toBeCloseTo(scores[object * 2 + tag], 4);
      }
    }
    expect(content.names.toArray()).toEqual(['again', 'constant', 'noise', 'size']);
    open.release();
  });

  it('gives the base rate to an object of which nothing is known', async () => {
    const graph = checkerboard();
    const loom = await loomOf(graph);
    const open = new LoomScorer(kernels, loom, graph);
    const row = new Float32Array(graph.tags.size);
    await open.scoreUnseen({ tags: [], users: [] }, row);
    expect([...row]).toEqual([...loom.untagged.base]);
    open.release();
  });

  it('is the same for the same seed, on one thread and on two', async () => {
    const graph = checkerboard();
    const two = await openKernels({ threads: 2 });
    const { fitted } = await findModel('loom').fit({
      kernels: two,
      train: graph,
      settings: {},
      watch: {},
      listener: {},
    });
    two.close();
    expect(fitted).toEqual(await loomOf(graph));
  });

  it('keeps all weights where that many are asked for, and fewer where not', async () => {
    const graph = checkerboard();
    const all = await loomOf(graph, { weightsPerTag: 1e6 });
    const few = await loomOf(graph, { weightsPerTag: 3, minWeights: 0 });
    const least = await loomOf(graph, { weightsPerTag: 3 });
    expect(least.tagged.sparse.values.length).toBe(all.tagged.sparse.values.length);
    for (const side of ['tagged', 'untagged'] as const) {
      const [fewer, every] = [few[side].sparse.values.length, all[side].sparse.values.length];
      expect(fewer).toBeLessThan(every / 3);
      expect(fewer).toBeGreaterThanOrEqual(graph.tags.size); // many weights are equal here
    }
  });

  it.each([
    ['one tag', { interact: [['u', 'a']], tagged: [['a', 'x']] }],
    [
      'two objects',
      {
        interact: [
          ['u', 'a'],
          ['u', 'b'],
        ],
        tagged: [
          ['a', 'x'],
          ['b', 'y'],
        ],
      },
    ],
    [
      'the same tags everywhere',
      {
        interact: [
          ['u', 'a'],
          ['v', 'b'],
        ],
        tagged: ['a', 'b', 'c'].flatMap((object) => ['x', 'y'].map((tag) => [object, tag])),
      },
    ],
    ['no interaction of a tagged object', { interact: [['u', 'a']], tagged: [['b', 'x']] }],
  ])('bears %s', async (_name, facts) => {
    const graph = graphFrom(facts as Parameters<typeof graphFrom>[0]);
    for (const score of await scoresOf(await loomOf(graph), graph)) expect(score).toSatisfy(Number.isFinite);
  });

  it('leaves out of the user profile what is the same for all objects', async () => {
    const objects = Array.from({ length: 30 }, (_, i) => `o${i}`);
    const tagged = objects.map((object, i) => [object, `t${i % 3}`] as const);
    const settings = resolveSettings(LOOM_SETTINGS, {});
    const viewOf = (interact: [string, string][]) => viewUsers(kernels, graphFrom({ interact, tagged }), settings, {});
    const all = objects.map((object): [string, string] => ['everything', object]);
    expect((await viewOf(all)).profile).toMatchObject({ width: 0, vectors: new Float32Array(0) });
    const two = await viewOf([...all, ...objects.slice(0, 15).map((object): [string, string] => ['half', object])]);
    expect(two.profile.width).toBeGreaterThan(0);
    const scores = await scoresOf(
      await loomOf(graphFrom({ interact: all, tagged })),
      graphFrom({ interact: all, tagged }),
    );
    expect(scores.every(Number.isFinite)).toBe(true);
  });

  it('bears any small data set', async () => {
    await fc.assert(
      fc.asyncProperty(knowledgeGraph, async (graph) => {
        const before = kernels.usedBytes;
        for (const [solve, sampleRows] of [
          ['exact', 1e5],
          ['sparse', 1e5],
          ['exact', 3],
          ['sparse', 3],
        ] as const) {
          const scores = await scoresOf(await loomOf(graph, { solve, sampleRows, rareCount: 1 }), graph);
          for (const score of scores) expect(score).toSatisfy(Number.isFinite);
        }
        expect(kernels.usedBytes).toBe(before);
      }),
      { numRuns: 30 },
    );
  });
});
