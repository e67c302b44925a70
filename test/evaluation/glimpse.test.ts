import { describe, expect, it } from 'vitest';
import { graphFrom } from '../../src/data/knowledge-graph.ts';
import { PairList, type Relation } from '../../src/data/relation.ts';
import { chooseObjects, findObject, requestGlimpse, takeGlimpse } from '../../src/evaluation/glimpse.ts';
import { fitPopularity } from '../../src/models/popularity.ts';
import { rowByRow } from '../../src/models/scorer.ts';

/** Objects by name: how many users, training tags and test tags each has. */
function parts(facts: Record<string, [users: number, train: number, test: number]>) {
  const interact: [string, string][] = [];
  const tagged: [string, string][] = [];
  const hidden: [string, number][] = [];
  for (const [object, [users, train, test]] of Object.entries(facts)) {
    for (let u = 0; u < users; u++) interact.push([`u${u}`, object]);
    for (let t = 0; t < train; t++) tagged.push([object, `t${t}`]);
    for (let t = 0; t < test; t++) hidden.push([object, train + t]);
  }
  for (let t = 0; t < 9; t++) tagged.push(['other', `t${t}`]); // so that there are tags to hide
  const train = graphFrom({ interact, tagged });
  return {
    train,
    test: relation(
      train.objects.size,
      hidden.map(([object, tag]) => [train.objects.idOf(object), tag]),
    ),
  };
}

function relation(numHeads: number, pairs: readonly number[][]): Relation {
  const list = new PairList();
  for (const [head, tail] of pairs) list.add(head, tail);
  const same = (n: number) => Int32Array.from({ length: n }, (_, i) => i);
  return list.toRelation(same(numHeads), same(9));
}

describe('chooseObjects(parts)', () => {
  it('takes the object with the most users, the median one and the cold one with the most users', () => {
    const chosen = parts({
      a: [9, 1, 1],
      b: [8, 1, 2],
      c: [5, 2, 3],
      d: [2, 1, 2],
      e: [4, 0, 2],
      f: [7, 0, 1],
      g: [1, 0, 3],
    });
    const names = chooseObjects(chosen).map((object) => chosen.train.objects.name(object));
    expect(names).toEqual(['b', 'c', 'e']); // a and f have but one tag to find
  });

  it('is content with one tag to find, with fewer objects, and with none', () => {
    const few = parts({ a: [2, 1, 1], b: [3, 1, 1] });
    expect(chooseObjects(few).map((object) => few.train.objects.name(object))).toEqual(['b', 'a']);
    expect(chooseObjects(parts({ a: [2, 1, 0] }))).toEqual([]);
  });
});

describe('findObject(graph, nameOrTitle)', () => {
  const graph = graphFrom({
    interact: [['u', '1']],
    tagged: [
      ['2', 't'],
      ['3', 't'],
    ],
    objects: [
      ['1', 'Heat'],
      ['2', 'Ran'],
      ['3', 'Ran'],
    ],
  });

  it('takes a name, or a title that only one object bears, in any case', () => {
    expect(findObject(graph, '3')).toBe(2);
    expect(findObject(graph, 'HEAT')).toBe(0);
    expect(findObject(graph, 'Ran')).toBe(-1);
    expect(findObject(graph, 'nobody')).toBe(-1);
  });
});

describe('takeGlimpse(request, model, parts)', () => {
  it('shows the first tags that anything speaks for, never a training tag, and no map without embeddings', async () => {
    const both = parts({ a: [2, 1, 2], b: [1, 0, 1] });
    const request = requestGlimpse(both, ['A', 'nobody'], 1);
    expect(request.objects).toEqual([both.train.objects.idOf('a')]);
    const scorer = {
      floor: 0,
      score: rowByRow(9, (_, row) => row.set([9, 8, 7, 0, 0, 0, 0, 0, 0])),
      release() {},
    };
    const fitted = fitPopularity(both.train);
    const { examples, map } = await takeGlimpse(request, { fitted, scorer }, both);
    expect(map).toBeUndefined();
    expect(examples).toEqual([
      { title: 'a', numUsers: 2, trainTags: ['t0'], testTags: ['t1', 't2'], suggested: ['t1', 't2'] },
    ]);
  });
});
