import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphFrom, type KnowledgeGraph } from '../../../src/data/knowledge-graph.ts';
import { CancelledError } from '../../../src/errors.ts';
import { MEASURES } from '../../../src/serving/vocabulary/measures.ts';
import {
  type MeasuredPair,
  measuredPairs,
  type Proposal,
  proposeSynonyms,
  scoreOf,
} from '../../../src/serving/vocabulary/proposals.ts';
import { knowledgeGraph } from '../../arbitraries.ts';
import { catalogueOf, wordsWithoutMeaning } from './catalogue-of-synonyms.ts';

const TOPICS = [
  [['parser', 'parsing'], ['lexer'], ['grammar'], ['javascript'], ['syntax']],
  [['color', 'colour'], ['console'], ['ansi'], ['javascript'], ['shell']],
  [['internationalization', 'i18n'], ['locale'], ['javascript'], ['plural'], ['translation']],
  [['configuration', 'config'], ['env'], ['settings'], ['javascript'], ['ini']],
  [['vue2'], ['vue3'], ['component'], ['reactive'], ['template']],
  [['encode'], ['decode'], ['base64'], ['bytes'], ['binary']],
  [['client'], ['server'], ['http'], ['request'], ['socket']],
  [['mysql'], ['postgres'], ['sql'], ['orm'], ['migration']],
];
const SHAPE = { topics: TOPICS, objectsPerTopic: 60, seed: 1 };
const catalogue = catalogueOf(SHAPE);
const pairsOf = (proposals: readonly Proposal[]) => proposals.map(({ from, into }) => [from, into].sort().join(' '));
const KNOWN = ['parser parsing', 'color colour', 'i18n internationalization', 'config configuration'].sort();

describe('proposeSynonyms', () => {
  it('finds the tags that mean the same, and neither opposites nor siblings nor versions', async () => {
    expect(pairsOf(await proposeSynonyms(catalogue)).sort()).toEqual(KNOWN);
  });

  it('keeps the tag on more objects and tells both counts', async () => {
    const count = (tag: string) => catalogue.tagged.tails.filter((id) => id === catalogue.tags.idOf(tag)).length;
    for (const { from, into, numObjects } of await proposeSynonyms(catalogue)) {
      expect(numObjects).toEqual([count(from), count(into)]);
      expect(numObjects[0]).toBeLessThan(numObjects[1]);
    }
  });

  it('gives its reasons in words', async () => {
    const found = await proposeSynonyms(catalogue);
    const reasons = found.find(({ from }) => from === 'i18n')?.evidence ?? [];
    const texts = reasons.map(({ text }) => text);
    expect(texts[0]).toBe('“i18n” stands for “internationalization”: 18 letters left out');
    expect(texts[1]).toMatch(/^carried by objects with the same other tags \(cosine 0\.\d\d\)$/);
    expect(texts[2]).toMatch(/^used by the same users \(cosine 0\.\d\d\)$/);
    expect(texts.at(-1)).toMatch(/^together on \d+ of \d+ objects$/);
  });

  it('lists the likeliest first, and less likely ones where a lower score is asked for', async () => {
    const all = await proposeSynonyms(catalogue, { minScore: 0 });
    const scores = all.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(all.length).toBeGreaterThan(20);
    const some = await proposeSynonyms(catalogue, { minScore: 0.9 });
    expect(some).toEqual(all.filter(({ score }) => score >= 0.9));
  });

  it('says of unlikely pairs what speaks against them', async () => {
    const all = await proposeSynonyms(catalogue, { minScore: 0 });
    const last = (pair: string) => all.find((one) => pairsOf([one])[0] === pair);
    expect(last('decode encode')?.evidence.at(-1)?.text).toBe('but the names say the opposite of each other');
    expect(last('vue2 vue3')?.evidence.at(-1)?.text).toBe('but the names differ in a number');
    expect(last('decode encode')?.score).toBeLessThan(0.3);
    expect(last('vue2 vue3')?.score).toBeLessThan(0.3);
  });

  it('gives the same for the same data in another order', async () => {
    const { tags, objects, users, tagged, interact } = catalogue;
    const pairs = Array.from(tagged.heads, (head, i) => [objects.name(head), tags.name(tagged.tails[i])] as const);
    const uses = Array.from(interact.heads, (head, i) => [users.name(head), objects.name(interact.tails[i])] as const);
    const again = graphFrom({ tagged: pairs.reverse(), interact: uses.reverse() });
    expect(await proposeSynonyms(again)).toEqual(await proposeSynonyms(catalogue));
  });

  it('stops when it is told to, and says how far it is', async () => {
    const stop = AbortSignal.abort();
    await expect(proposeSynonyms(catalogue, { signal: stop })).rejects.toThrow(CancelledError);
    const steps = new Set<string>();
    await proposeSynonyms(catalogue, { progress: (step) => steps.add(step) });
    expect([...steps]).toEqual(['reading the company of tags', 'finding similar tags', 'comparing tags']);
  });

  it('holds on any data: never a tag with itself or one pair twice, scores in order', async () => {
    await fc.assert(
      fc.asyncProperty(knowledgeGraph, async (graph) => {
        const found = await proposeSynonyms(graph, { minScore: 0 });
        const pairs = pairsOf(found);
        expect(new Set(pairs).size).toBe(pairs.length);
        for (const { from, into, score, numObjects } of found) {
          expect(from).not.toBe(into);
          expect(score).toSatisfy((value: number) => value >= 0 && value <= 1);
          expect(numObjects[0]).toBeLessThanOrEqual(numObjects[1]);
        }
      }),
      { numRuns: 40 },
    );
  });
});

async function allMeasured(graph: KnowledgeGraph): Promise<MeasuredPair[]> {
  const all: MeasuredPair[] = [];
  for await (const pairs of measuredPairs(graph)) all.push(...pairs);
  return all;
}

describe('measuredPairs', () => {
  it('marks opposites and versions, and gives what letters say of others', async () => {
    const all = await allMeasured(catalogue);
    const measure = (pair: string, of: (typeof MEASURES)[number]) => {
      const found = all.find(({ one, other }) => `${catalogue.tags.name(one)} ${catalogue.tags.name(other)}` === pair);
      return found?.row[MEASURES.indexOf(of)];
    };
    expect(measure('decode encode', 'opposite')).toBe(1);
    expect(measure('vue2 vue3', 'versions')).toBe(1);
    expect(measure('color colour', 'variant')).toBe(1);
    expect(measure('color colour', 'opposite')).toBe(0);
    expect(measure('color colour', 'meaning')).toBe(0);
    expect(measure('mysql postgres', 'meaning')).toBe(1);
    expect(measure('decode encode', 'company')).toBeGreaterThan(0);
  });
});

describe('what is seen from use alone', () => {
  /** The catalogue with names in which nothing is to be seen, others for each seed. */
  const renamed = (graph: KnowledgeGraph, seed: number) => {
    const words = wordsWithoutMeaning(graph.tags.size, seed);
    const tagged = Array.from(graph.tagged.heads, (head, i) => {
      return [graph.objects.name(head), words[graph.tagged.tails[i]]] as const;
    });
    return { words, graph: graphFrom({ tagged }) };
  };

  it('is the same under any names', async () => {
    const rows = async (seed: number) => {
      const { words, graph } = renamed(catalogue, seed);
      const found = new Map<string, Float64Array>();
      for (const { one, other, row } of await allMeasured(graph)) {
        const ids = [one, other].map((tag) => words.indexOf(graph.tags.name(tag))).sort((a, b) => a - b);
        found.set(ids.join(' '), row);
      }
      return found;
    };
    const [first, second] = [await rows(1), await rows(2)];
    const shared = [...first.keys()].filter((pair) => second.has(pair));
    expect(shared.length).toBeGreaterThan(100);
    expect(shared.length).toBeGreaterThan(0.95 * first.size); // of neighbours as near as each other, the last go by id
    for (const pair of shared) {
      const [a, b] = [first.get(pair), second.get(pair)] as [Float64Array, Float64Array];
      expect(scoreOf(a)).toBeCloseTo(scoreOf(b), 6);
    }
  });

  it('ranks substitutes before the other tags of their topic', async () => {
    const words = wordsWithoutMeaning(400, 7);
    const at = (topic: number, concept: number) => words[topic * 10 + concept];
    const concepts = (topic: number) =>
      Array.from({ length: 8 }, (_, i) => (i === 0 ? [at(topic, 0), at(topic, 9)] : [at(topic, i)]));
    const topics = Array.from({ length: 20 }, (_, topic) => concepts(topic));
    const graph = catalogueOf({ topics, objectsPerTopic: 60, seed: 3, both: 0.5 });
    const best = await proposeSynonyms(graph, { minScore: 0 });
    const isAlias = ({ from, into }: Proposal) => {
      const [a, b] = [words.indexOf(from), words.indexOf(into)].sort((x, y) => x - y);
      return a % 10 === 0 && b === a + 9;
    };
    const shareOfFirst = best.slice(0, 20).filter(isAlias).length / 20;
    const shareOfAll = best.filter(isAlias).length / best.length;
    expect(shareOfFirst).toBeGreaterThan(4 * shareOfAll);
  });
});

describe('of a large catalogue', () => {
  it('compares tags in proportion to their number, and finds plurals among 4,000 of them', {
    timeout: 60_000,
  }, async () => {
    const words = wordsWithoutMeaning(3600, 11);
    const topics = Array.from({ length: 400 }, (_, topic) =>
      words.slice(topic * 9, topic * 9 + 9).map((word, i) => (i === 0 ? [word, `${word}s`] : [word])),
    );
    const graph = catalogueOf({ topics, objectsPerTopic: 20, seed: 5 });
    expect((await allMeasured(graph)).length).toBeLessThan(40 * graph.tags.size);
    const found = await proposeSynonyms(graph);
    const isPlural = ({ from, into }: Proposal) => from === `${into}s` || into === `${from}s`;
    expect(found.filter(isPlural).length).toBeGreaterThan(320);
    expect(found.filter((one) => !isPlural(one)).length).toBeLessThan(10);
  });
});

describe('scoreOf', () => {
  it('knows a row for each measure and grows with what speaks for a pair', () => {
    const row = (measures: Partial<Record<(typeof MEASURES)[number], number>>) =>
      Float64Array.from(MEASURES, (measure) => measures[measure] ?? 0);
    const plain = scoreOf(row({ meaning: 1 }));
    expect(scoreOf(row({ spelling: 1 }))).toBeGreaterThan(plain);
    expect(scoreOf(row({ plural: 1, overlap: 1 }))).toBeGreaterThan(scoreOf(row({ plural: 1 })));
    expect(scoreOf(row({ spelling: 1, opposite: 1 }))).toBeLessThan(scoreOf(row({ spelling: 1 })));
    expect(scoreOf(row({ plural: 1, versions: 1 }))).toBeLessThan(scoreOf(row({ plural: 1 })));
  });
});
