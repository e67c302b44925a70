import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphFrom, type KnowledgeGraph } from '../../../src/data/knowledge-graph.ts';
import { CANDIDATE_FEATURES, CandidateTable } from '../../../src/models/loom/candidates.ts';
import { COMPANY, TagCompany } from '../../../src/models/loom/company.ts';
import { knowledgeGraph } from '../../arbitraries.ts';

function told(graph: KnowledgeGraph, known: readonly number[], candidates: Int32Array, except?: number): Float32Array {
  const out = new Float32Array(candidates.length * COMPANY.length);
  new TagCompany(graph).tell(known, candidates, except, out, { start: 0, stride: COMPANY.length });
  return out;
}

/** The same, pair by pair, from the objects as sets. */
function plainly(graph: KnowledgeGraph, known: readonly number[], candidate: number, except?: number) {
  const others = Array.from({ length: graph.objects.size }, (_, object) => object)
    .filter((object) => object !== except)
    .map((object) => new Set(graph.tagged.row(object)));
  const count = (...tags: number[]) => others.filter((own) => tags.every((tag) => own.has(tag))).length;
  const lifts = known.map((tag) =>
    Math.log((count(tag, candidate) + 1) / ((count(tag) * count(candidate)) / graph.objects.size + 1)),
  );
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  return {
    meanLift: mean(lifts),
    maxLift: lifts.length === 0 ? 0 : Math.max(...lifts),
    given: Math.max(0, ...known.map((tag) => count(tag, candidate) / (count(tag) + 2))),
    givenBack: mean(known.map((tag) => count(tag, candidate) / (count(candidate) + 2))),
  };
}

describe('TagCompany', () => {
  it('counts what other objects have, as counting pair by pair does', () => {
    fc.assert(
      fc.property(knowledgeGraph, fc.nat(), (graph, which) => {
        const object = which % graph.objects.size;
        const known = Array.from(graph.tagged.row(object));
        const candidates = Int32Array.from({ length: graph.tags.size }, (_, tag) => tag);
        const got = told(graph, known, candidates, object);
        for (const candidate of candidates) {
          const row = got.subarray(candidate * COMPANY.length, (candidate + 1) * COMPANY.length);
          const expected = plainly(graph, known, candidate, object);
          for (const [name, value] of Object.entries(expected)) {
            expect(row[COMPANY.indexOf(name as (typeof COMPANY)[number])], name).toBeCloseTo(value, 5);
          }
        }
      }),
    );
  });

  it('finds the tags of the objects with the most similar tags, the more similar the more they count', () => {
    const graph = graphFrom({
      interact: [],
      tagged: [
        ['asked', 'a'],
        ['asked', 'b'],
        ['both', 'a'],
        ['both', 'b'],
        ['both', 'near'],
        ['one', 'a'],
        ['one', 'far'],
        ['none', 'c'],
        ['none', 'never'],
      ],
    });
    const id = (tag: string) => graph.tags.idOf(tag);
    const candidates = Int32Array.of(id('near'), id('far'), id('never'));
    const got = told(graph, [id('a'), id('b')], candidates, graph.objects.idOf('asked'));
    const nearest = [0, 1, 2].map((i) => got[i * COMPANY.length]);
    expect(nearest[0]).toBeGreaterThan(nearest[1]);
    expect(nearest[1]).toBeGreaterThan(0);
    expect(nearest[2]).toBe(0);
  });

  it('names the own tag that another goes with best', () => {
    const pairs = Array.from({ length: 40 }, (_, i) => [
      [`o${i}`, 'common'],
      ...(i < 10 ? [[`o${i}`, 'schema']] : []),
      ...(i < 10 || i === 39 ? [[`o${i}`, 'json']] : []),
    ]).flat() as [string, string][];
    const graph = graphFrom({ interact: [], tagged: pairs });
    const [common, schema, json] = ['common', 'schema', 'json'].map((tag) => graph.tags.idOf(tag));
    const company = new TagCompany(graph);
    expect(company.closest([common, schema], json, undefined)).toBe(schema);
    expect(company.closest([], json, undefined)).toBeUndefined();
  });
});

describe('CandidateTable', () => {
  const featuresOf = (graph: KnowledgeGraph, object: number, known: Int32Array, isLeaking = false) => {
    const scores = Float32Array.from({ length: graph.tags.size }, (_, tag) => 1 / (tag + 1));
    const itself = isLeaking ? {} : { object };
    return new CandidateTable(graph).of({
      ...{ ...itself, known, numUsers: 1, scores, bareScores: scores },
      meanOf: () => 0,
      mentionOf: () => 0,
    });
  };

  it('says the same of an object whether or not the data has the tags asked about; one that leaks is caught', () => {
    let numCaught = 0;
    fc.assert(
      fc.property(knowledgeGraph, fc.nat(), (graph, which) => {
        const object = which % graph.objects.size;
        const known = graph.tagged.row(object).filter((_, i) => i % 2 === 0);
        const marks = Uint8Array.from(graph.tagged.heads, (head, i) =>
          head === object && !known.includes(graph.tagged.tails[i]) ? 0 : 1,
        );
        const without = { ...graph, tagged: graph.tagged.select(marks) };
        const isSame = (isLeaking: boolean) => {
          const [withPairs, withoutPairs] = [graph, without].map((data) => featuresOf(data, object, known, isLeaking));
          const rarity = CANDIDATE_FEATURES.indexOf('nearest'); // how rare a tag is depends on all objects
          return withPairs.features.every(
            (value, i) => i % CANDIDATE_FEATURES.length === rarity || Math.abs(value - withoutPairs.features[i]) < 1e-6,
          );
        };
        expect(isSame(false)).toBe(true);
        if (!isSame(true)) numCaught++;
      }),
    );
    expect(numCaught).toBeGreaterThan(0);
  });
});
