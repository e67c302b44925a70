import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphFrom } from '../../../src/data/knowledge-graph.ts';
import { split } from '../../../src/data/split.ts';
import { train } from '../../../src/pipeline.ts';
import type { Amendment } from '../../../src/serving/recommend/amendments.ts';
import { Recommender } from '../../../src/serving/recommend/recommender.ts';
import { TagRules } from '../../../src/serving/recommend/tag-rules.ts';
import type { Declaration } from '../../../src/serving/vocabulary/declaration.ts';
import { Declarations } from '../../../src/serving/vocabulary/declarations.ts';
import { checkerboard } from '../../checkerboard.ts';
import { changeOf, changesOf, declarationsOf } from './arbitrary-declarations.ts';

const { train: graph } = split(checkerboard(24, 10, 16), { trainFraction: 0.6, seed: 3 });
const tags = graph.tags.names.toArray();
const objects = graph.objects.names.toArray();
let recommender: Recommender;

beforeAll(async () => {
  recommender = await Recommender.open(await train(graph, { model: 'itemknn', threads: 1 }), { threads: 1 });
});
afterAll(() => recommender.close());

const rulesOf = (...declarations: Declaration[]) =>
  new TagRules(graph, Declarations.of(declarations.map((one, i) => changeOf(i + 1, one))));
const declare = (kind: Declaration['kind'], names: string[], into: string[] = []): Declaration => ({
  ...{ kind, tags: names, into },
});
const ownTagsOf = (object: number) => Array.from(graph.tagged.row(object), (tag) => graph.tags.name(tag));
const suggested = async (object: number, rules?: TagRules, limit = 20) => recommender.suggest(object, { limit, rules });

describe('suggestions by the rules of the vocabulary', () => {
  it('give a merged tag the higher of both scores, and never the tag that was merged', async () => {
    const object = 0;
    const plain = await suggested(object);
    const [a, b] = plain;
    const found = await suggested(object, rulesOf(declare('merge', [a.tag], [b.tag])));
    expect(found.map(({ tag }) => tag)).not.toContain(a.tag);
    expect(found.find(({ tag }) => tag === b.tag)?.score).toBe(a.score);
    expect(found.length).toBe(plain.length - 1);
  });

  it('count the carriers of a merged tag as carriers of the other', async () => {
    const [own] = ownTagsOf(0);
    const [{ tag }] = await suggested(0);
    const found = await suggested(0, rulesOf(declare('merge', [own], [tag])));
    expect(found.map((one) => one.tag)).not.toContain(tag);
    const missing = await recommender.missing(tag, { limit: 100, rules: rulesOf(declare('merge', [own], [tag])) });
    for (const { object } of missing) expect(ownTagsOf(graph.objects.idOf(object))).not.toContain(own);
  });

  it('call a renamed tag by its new name, and find it by both', async () => {
    const [{ tag, score }] = await suggested(0);
    const rules = rulesOf(declare('rename', [tag], ['a new name']));
    expect((await suggested(0, rules))[0]).toEqual({ tag: 'a new name', score });
    expect(rules.idOf(tag)).toBe(rules.idOf('a new name'));
    expect((await recommender.explain(0, 'a new name', { rules })).tag).toBe('a new name');
    expect((await recommender.missing('a new name', { rules })).length).toBeGreaterThan(0);
  });

  it('suggest no retired tag, and nothing that an own tag implies or excludes', async () => {
    const [first, second, third] = await suggested(0);
    const [own] = ownTagsOf(0);
    const rules = rulesOf(
      declare('retire', [first.tag]),
      declare('parent', [own], [second.tag]),
      declare('exclude', [own, third.tag]),
    );
    const found = (await suggested(0, rules)).map(({ tag }) => tag);
    for (const { tag } of [first, second, third]) {
      expect(found).not.toContain(tag);
      const missing = await recommender.missing(tag, { limit: 100, rules });
      expect(missing.map(({ object }) => object)).not.toContain(objects[0]);
    }
  });

  it('hold only the better of two that exclude each other, and then one more', async () => {
    const plain = await suggested(0);
    const [a, b, c] = plain;
    const found = await suggested(0, rulesOf(declare('exclude', [a.tag, b.tag])), 2);
    expect(found.map(({ tag }) => tag)).toEqual([a.tag, c.tag]);
  });

  it('for a text read the given tags through synonyms', async () => {
    const rules = rulesOf(declare('synonym', ['Teh Tag'], ['t000']));
    expect(rules.idOf('Teh Tag')).toBe(graph.tags.idOf('t000'));
    expect(rules.hidden({ object: -1, own: [rules.anyIdOf('Teh Tag')] })).toEqual(
      Int32Array.of(graph.tags.idOf('t000')),
    );
  });

  it('let an object carry a tag that is split until it carries a part', () => {
    const rules = new TagRules(
      graph,
      Declarations.of([
        changeOf(1, {
          ...declare('split', ['t000'], ['t001', 'new1']),
          assigned: [{ object: objects[4], tag: 'new1' }],
        }),
      ]),
    );
    const id = (name: string) => rules.anyIdOf(name);
    expect(rules.held({ object: 2, own: [id('t000')] })).toEqual(new Set([id('t000')]));
    expect(rules.held({ object: 2, own: [id('t000'), id('t001')] })).toEqual(new Set([id('t001')]));
    expect(rules.held({ object: 4, own: [id('t000')] })).toEqual(new Set([id('new1')]));
  });

  it('never break what is declared, whatever it is', async () => {
    const amendment = fc.uniqueArray(fc.nat(tags.length - 1), { maxLength: 4 }).map(
      (ids): Amendment => ({
        added: Int32Array.from(ids.slice(0, 2)).sort(),
        rejected: Int32Array.from(ids.slice(2)).sort(),
      }),
    );
    const property = fc.asyncProperty(
      declarationsOf(tags, objects),
      fc.dictionary(fc.nat(objects.length - 1).map(String), amendment, { maxKeys: 5 }),
      fc.integer({ min: 1, max: 8 }),
      async (asked, amended, limit) => {
        const declarations = Declarations.of(changesOf(asked, tags));
        const rules = new TagRules(graph, declarations);
        const amendments = new Map(
          Object.entries(amended).map(([object, { added, rejected }]) => [
            Number(object),
            { added: added.filter((tag) => !graph.tagged.has(Number(object), tag)), rejected },
          ]),
        );
        const all = Int32Array.from(objects, (_, object) => object);
        const found = await recommender.suggestMany(all, { limit, rules }, amendments);
        for (const [object, list] of found.entries()) {
          const names = list.map(({ tag }) => rules.nameOf(tag));
          checkList(names, object, declarations, amendments.get(object));
        }
      },
    );
    await fc.assert(property, { numRuns: 300 });
  });

  it('are byte for byte as before when all is undone', async () => {
    const all = Int32Array.from(objects, (_, object) => object);
    const before = JSON.stringify(await recommender.suggestMany(all, { limit: 5 }));
    const property = fc.asyncProperty(declarationsOf(tags, objects), async (asked) => {
      const changes = changesOf(asked, tags);
      await recommender.suggestMany(all, { limit: 5, rules: new TagRules(graph, Declarations.of(changes)) });
      const undone = Declarations.of(changes.map((one) => ({ ...one, undoneAt: one.at })));
      expect(undone.isEmpty).toBe(true);
      const rules = new TagRules(graph, undone);
      expect(JSON.stringify(await recommender.suggestMany(all, { limit: 5, rules }))).toBe(before);
    });
    await fc.assert(property, { numRuns: 50 });
    expect(JSON.stringify(await recommender.suggestMany(all, { limit: 5 }))).toBe(before);
  });

  it('agree about single objects of a tag and single tags of an object', async () => {
    const property = fc.asyncProperty(declarationsOf(tags, objects), fc.nat(tags.length - 1), async (asked, tag) => {
      const rules = new TagRules(graph, Declarations.of(changesOf(asked, tags)));
      const name = rules.nameOf(rules.columnOf(tag));
      const missing = await recommender.missing(name, { limit: 100, rules });
      const all = Int32Array.from(objects, (_, object) => object);
      for (const object of all) {
        const hidden = rules.hidden({ object, own: graph.tagged.row(object) }).includes(rules.columnOf(tag));
        if (hidden) expect(missing.map((one) => one.object)).not.toContain(objects[object]);
      }
    });
    await fc.assert(property, { numRuns: 50 });
  });
});

/** By the names alone, step by step: the obvious way. */
function checkList(
  names: readonly string[],
  object: number,
  declarations: Declarations,
  amendment: Amendment | undefined,
): void {
  const impliedBy = (name: string, found = new Set<string>()): Set<string> => {
    for (const parent of declarations.parentsOf(name).keys()) {
      if (!found.has(parent)) impliedBy(parent, found.add(parent));
    }
    return found;
  };
  const rejectedIds = new Set(amendment?.rejected);
  const raw = [...graph.tagged.row(object), ...(amendment?.added ?? [])].filter((tag) => !rejectedIds.has(tag));
  const own = new Set(raw.map((tag) => declarations.tagOf(graph.tags.name(tag))));
  for (const tag of [...own]) {
    if (declarations.retirementOf(tag)?.isTakenOff) own.delete(tag);
  }
  for (const tag of [...own]) {
    const whole = declarations.splitOf(tag);
    if (whole === undefined) continue;
    const part = whole.assigned.findLast((one) => one.object === objects[object])?.tag;
    if (part !== undefined) own.add(part);
    if (part !== undefined || whole.parts.some((one) => own.has(one))) own.delete(tag);
  }
  const rejected = [...rejectedIds].map((tag) => declarations.tagOf(graph.tags.name(tag)));
  const excludes = (a: string, b: string) => {
    const [all, others] = [new Set([a, ...impliedBy(a)]), new Set([b, ...impliedBy(b)])];
    return declarations
      .exclusions()
      .some(({ tags: [one, other] }) => (all.has(one) && others.has(other)) || (all.has(other) && others.has(one)));
  };
  expect(new Set(names).size).toBe(names.length);
  for (const [i, name] of names.entries()) {
    expect(declarations.tagOf(name)).toBe(name);
    expect(declarations.retirementOf(name)).toBeUndefined();
    expect(declarations.splitOf(name)).toBeUndefined();
    expect(own.has(name)).toBe(false);
    for (const tag of own) {
      expect(impliedBy(tag).has(name)).toBe(false);
      expect(excludes(tag, name)).toBe(false);
    }
    for (const tag of rejected) expect(tag === name || impliedBy(name).has(tag)).toBe(false);
    for (const other of names.slice(i + 1)) expect(excludes(name, other)).toBe(false);
  }
}

it('reads a graph without tags of the declarations', () => {
  const small = graphFrom({ interact: [], tagged: [['o', 'x']] });
  const rules = new TagRules(small, Declarations.of([changeOf(1, declare('merge', ['a'], ['b']))]));
  expect([rules.idOf('a'), rules.idOf('b'), rules.idOf('x')]).toEqual([-1, -1, 0]);
});
