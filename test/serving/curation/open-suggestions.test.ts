import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphFrom } from '../../../src/data/knowledge-graph.ts';
import { OpenSuggestions, type QueuePosition } from '../../../src/serving/curation/open-suggestions.ts';

const NUM_TAGS = 4;

function graphOf(numObjects: number) {
  const objects = Array.from({ length: numObjects }, (_, i) => `o${String(i).padStart(4, '0')}`);
  return graphFrom({
    interact: objects.map((object) => ['u', object] as const),
    tagged: Array.from({ length: NUM_TAGS }, (_, tag) => [objects[0], `t${tag}`] as const),
  });
}

interface Open {
  object: number;
  tag: number;
  score: number;
  confidence: number;
}

const inOrder = (a: Open, b: Open) =>
  b.confidence - a.confidence || b.score - a.score || a.object - b.object || a.tag - b.tag;

/** What comes up behind the first three, beside the other tags that the object probably lacks. */
function usefulness(list: readonly Open[], rank: number): number {
  const expected = list.reduce((sum, { confidence }) => sum + confidence, 0);
  const next = list[rank + 3]?.confidence;
  return next === undefined ? 1e-4 * list[rank].confidence : next / (1 + expected - next) ** 2;
}

describe('open suggestions', () => {
  const graph = graphOf(12);
  const named = ({ object, tag, ...rest }: Open) => {
    const name = graph.objects.name(object);
    return { object: name, title: name, tag: graph.tags.name(tag), ...rest };
  };
  const share = fc.constantFrom(0, 0.25, 0.5, 1); // few, so that many are equal
  const object = fc.nat(11);
  const step = fc.oneof(
    fc.record({
      object,
      picks: fc.uniqueArray(fc.tuple(fc.nat(NUM_TAGS - 1), share, share), { selector: ([t]) => t }),
    }),
    fc.record({ object, removed: fc.nat(NUM_TAGS - 1) }),
    fc.record({ pageSize: fc.integer({ min: 1, max: 5 }) }),
  );

  it('are the sorted list, page by page, whatever comes and goes in between', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), share, (steps, least) => {
        const open = new OpenSuggestions(graph, true, 3);
        let model: Open[] = [];
        let after: QueuePosition | undefined;
        let from: Open | undefined;
        for (const one of steps) {
          if ('picks' in one) {
            const picks = one.picks.map(([tag, score, confidence]) => ({ tag, score, confidence }));
            open.set(one.object, picks);
            model = model.filter((other) => other.object !== one.object);
            model.push(...picks.slice(0, 3).map((pick) => ({ object: one.object, ...pick })));
          } else if ('removed' in one) {
            open.remove(one.object, one.removed);
            model = model.filter((other) => other.object !== one.object || other.tag !== one.removed);
          } else {
            const left = model.sort(inOrder).filter((other) => from === undefined || inOrder(from, other) < 0);
            const page = open.page(one.pageSize, after, {});
            expect(page.suggestions).toEqual(left.slice(0, one.pageSize).map(named));
            expect(page.numOpen).toBe(model.length);
            expect(page.next === undefined).toBe(left.length <= one.pageSize);
            after = page.next;
            from = page.next && left[one.pageSize - 1];
          }
        }
        const sure = model.sort(inOrder).filter(({ confidence, tag }) => confidence >= least && tag === 1);
        expect(open.page(100, undefined, { minConfidence: least, tag: 't1' })).toEqual({
          suggestions: sure.map(named),
          numOpen: sure.length,
          numLikely: sure.filter(({ confidence }) => confidence >= 0.5).length,
        });
      }),
      { numRuns: 300 },
    );
  });

  it.each(['useful', 'covered'] as const)(
    'come in the order %s, page by page, whatever comes and goes',
    async (order) => {
      const numTags = (object: number) => object % 3;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), fc.nat(39), async (steps, asked) => {
          const open = new OpenSuggestions(graph, true, NUM_TAGS, numTags);
          const held = new Map<number, Open[]>();
          for (const [i, one] of steps.entries()) {
            if (i === asked) await open.prepare(order); // from here on, it is kept while they change
            if ('picks' in one) {
              const picks = one.picks.map(([tag, score, confidence]) => ({ tag, score, confidence }));
              open.set(one.object, picks);
              held.set(
                one.object,
                picks.map((pick) => ({ object: one.object, ...pick })),
              );
            } else if ('removed' in one) {
              open.remove(one.object, one.removed);
              held.set(
                one.object,
                (held.get(one.object) ?? []).filter(({ tag }) => tag !== one.removed),
              );
            }
          }
          await open.prepare(order);
          const keyed = [...held.values()].flatMap((list) =>
            list.map((one, rank) => ({
              one,
              key: order === 'useful' ? usefulness(list, rank) : one.confidence - 2 * numTags(one.object),
            })),
          );
          const sorted = keyed.sort(
            (a, b) =>
              b.key - a.key || b.one.score - a.one.score || a.one.object - b.one.object || a.one.tag - b.one.tag,
          );
          const found = [];
          for (let after: QueuePosition | undefined; ; ) {
            const page = open.page(2, after, { order });
            expect(page.numOpen).toBe(sorted.length);
            expect(page.numLikely).toBe(sorted.filter(({ one }) => one.confidence >= 0.5).length);
            found.push(...page.suggestions);
            if (page.next === undefined) break;
            after = page.next;
          }
          expect(found).toEqual(sorted.map(({ one }) => named(one)));
          const sure = sorted.filter(({ one }) => one.confidence >= 0.5).map(({ one }) => named(one));
          expect(open.page(100, undefined, { order, minConfidence: 0.5 }).suggestions).toEqual(sure);
        }),
        { numRuns: 150 },
      );
    },
  );

  it.each(['object', 'tag'] as const)('come by %s, the group with the best first, page by page', (group) => {
    const picks = fc.array(fc.record({ object, tag: fc.nat(NUM_TAGS - 1), score: share, confidence: share }), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(picks, fc.integer({ min: 1, max: 5 }), share, (all, pageSize, least) => {
        const open = new OpenSuggestions(graph, true, NUM_TAGS);
        const model: Open[] = [];
        for (let one = 0; one < 12; one++) {
          const own = new Map(all.filter((pick) => pick.object === one).map((pick) => [pick.tag, pick]));
          open.set(one, [...own.values()]);
          model.push(...own.values());
        }
        const sure = model.sort(inOrder).filter(({ confidence }) => confidence >= least);
        const leaders = [...new Set(sure.map((one) => one[group]))]; // in the order of their best
        const expected = leaders.flatMap((leader) => sure.filter((one) => one[group] === leader)).map(named);
        const found = [];
        for (let after: QueuePosition | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
          const page = open.page(pageSize, after, { group, minConfidence: least });
          expect(page.numOpen).toBe(expected.length);
          found.push(...page.suggestions);
          after = page.next;
        }
        expect(found).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  it('by group pass over nothing when what leads a group is decided between two pages', () => {
    const open = new OpenSuggestions(graph, true, 3);
    const pick = (tag: number, confidence: number) => ({ tag, confidence, score: confidence });
    open.set(0, [pick(0, 1), pick(1, 0.5), pick(2, 0.25)]);
    open.set(1, [pick(0, 0.75), pick(1, 0.6)]);
    const options = { group: 'object' } as const;
    const first = open.page(2, undefined, options);
    expect(first.suggestions.map(({ object: id, tag }) => `${id} ${tag}`)).toEqual(['o0000 t0', 'o0000 t1']);
    open.remove(0, 0);
    const rest = open.page(9, first.next, options).suggestions.map(({ object: id, tag }) => `${id} ${tag}`);
    expect(rest).toEqual(expect.arrayContaining(['o0001 t0', 'o0001 t1', 'o0000 t2']));
    expect(open.page(9, { object: 'gone', tag: 't0', score: 1, confidence: 1 }, options).suggestions).toHaveLength(4);
  });

  it('are sorted in as they come, however many', () => {
    const large = graphOf(5000);
    const open = new OpenSuggestions(large, false, 2);
    for (let object = 0; object < 5000; object++)
      open.set(object, [{ tag: object % NUM_TAGS, score: (object * 7) % 13 }]);
    const { suggestions, numOpen } = open.page(5000, undefined, {});
    expect(numOpen).toBe(5000);
    const scores = suggestions.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(new Set(suggestions.map((one) => one.object)).size).toBe(5000);
    const unknown = { object: 'gone', tag: 't0', score: 12 };
    expect(open.page(1, unknown, {}).suggestions).toEqual([suggestions[0]]); // rather twice than never
  });

  it.each([400, 40_000])('of one tag are those of the sorted list, of %i objects', (numObjects) => {
    const large = graphOf(numObjects);
    const open = new OpenSuggestions(large, true, 2);
    for (let object = 0; object < numObjects; object++) {
      const sure = (one: number) => ({ score: (object * one) % 13, confidence: ((object * one) % 17) / 17 });
      open.set(object, [
        { tag: 1, ...sure(7) },
        { tag: 2 + (object % 2), ...sure(5) },
      ]);
    }
    for (const minConfidence of [undefined, 0.5]) {
      const { suggestions } = open.page(2 * numObjects, undefined, { minConfidence });
      const own = suggestions.filter(({ tag }) => tag === 't1');
      const first = open.page(150, undefined, { minConfidence, tag: 't1' });
      const second = open.page(150, first.next, { minConfidence, tag: 't1' });
      expect([...first.suggestions, ...second.suggestions]).toEqual(own.slice(0, 300));
      expect([first.numOpen, second.numOpen]).toEqual([own.length, own.length]);
    }
    expect(open.page(5, undefined, { tag: 'unknown' })).toMatchObject({ suggestions: [], numOpen: 0 });
  });
});
