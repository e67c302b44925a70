// The search through long texts finds what looking at name by name finds, in the same order.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NameTable } from '../../../src/data/vocabulary.ts';
import { NameSearch } from '../../../src/serving/http/name-search.ts';

const LETTER = /[\p{L}\p{N}]/u;
const folded = (name: string) => name.normalize('NFC').toLowerCase();

/** Obviously right: every place of every name. */
function plainRank(name: string, wanted: string): number {
  let best = 3;
  for (let at = 0; at + wanted.length <= name.length; at++) {
    if (!name.startsWith(wanted, at)) continue;
    best = Math.min(best, at === 0 ? 0 : LETTER.test(name[at - 1]) ? 2 : 1);
  }
  return best;
}

function plainFind(columns: readonly (readonly string[])[], order: readonly number[], query: string): number[] {
  const wanted = folded(query.trim());
  const rankOf = (id: number) => Math.min(...columns.map((column) => plainRank(folded(column[id]), wanted)));
  return [0, 1, 2].flatMap((rank) => order.filter((id) => rankOf(id) === rank));
}

const text = (maxLength: number) =>
  fc
    .array(fc.constantFrom('a', 'b', 'A', ' ', '-', 'ä', 'İ', '日', '🦊', '1'), { maxLength })
    .map((all) => all.join(''));

describe('NameSearch', () => {
  it('finds what looking at name by name does, whatever the length of its texts', () => {
    const names = fc.array(fc.tuple(text(8), text(12)), { maxLength: 40 });
    fc.assert(
      fc.property(names, text(3), fc.integer({ min: 1, max: 60 }), fc.boolean(), (pairs, query, length, isReversed) => {
        fc.pre(query.trim() !== '');
        const columns = [pairs.map(([name]) => name), pairs.map(([, title]) => title)];
        const order = pairs.map((_, id) => (isReversed ? pairs.length - 1 - id : id));
        const search = new NameSearch(columns, Int32Array.from(order), length);
        expect(Array.from(search.find(query))).toEqual(plainFind(columns, order, query));
      }),
      { numRuns: 500 },
    );
  });

  it('is the same from tables', async () => {
    const columns = [
      ['o1', 'o2', 'o3'],
      ['Ein Bär', 'bar', 'Zebra'],
    ];
    const order = Int32Array.of(2, 1, 0);
    const search = await NameSearch.fromTables(
      columns.map((column) => NameTable.from(column)),
      order,
      () => undefined,
    );
    for (const query of ['', 'b', 'bä', 'o', 'O2', 'ra'])
      expect(search.find(query)).toEqual(new NameSearch(columns, order).find(query));
  });

  it('finds nothing across two names', () => {
    const search = new NameSearch([['ab', 'cd']], Int32Array.of(0, 1));
    expect(Array.from(search.find('b\0c'))).toEqual([]);
    expect(Array.from(search.find('bc'))).toEqual([]);
  });
});
