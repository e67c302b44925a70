import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NameTable, Vocabulary, VocabularyBuilder } from '../../src/data/vocabulary.ts';
import { name } from '../arbitraries.ts';

const inByteOrder = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

describe('Vocabulary', () => {
  it('gives each distinct name its rank in byte order, whatever the order of arrival', () => {
    fc.assert(
      fc.property(fc.array(name), (names) => {
        const sorted = [...new Set(names)].sort(inByteOrder);
        for (const arrival of [names, [...names].reverse()]) {
          const vocabulary = Vocabulary.from(arrival);
          expect(vocabulary.names.toArray()).toEqual(sorted);
          for (const [id, text] of sorted.entries()) expect(vocabulary.idOf(text)).toBe(id);
        }
      }),
    );
  });

  it('idOf(unknown) is −1 and name(out of range) throws', () => {
    const vocabulary = Vocabulary.from(['b', 'a']);
    expect(vocabulary.idOf('c')).toBe(-1);
    expect(vocabulary.idOf('')).toBe(-1);
    expect(() => vocabulary.name(2)).toThrow('Got id 2 when expected 0 to 1.');
    expect(() => vocabulary.name(-1)).toThrow(RangeError);
  });

  it('tells apart names that share their first six bytes, and a name from its own beginning', () => {
    const names = ['prefix-b', 'prefix-a', 'prefix', 'prefi', 'prefix-', 'prefix-a\u0000'];
    expect(Vocabulary.from(names).names.toArray()).toEqual([...names].sort(inByteOrder));
  });
});

describe('VocabularyBuilder', () => {
  it('keeps arrival ids while it grows, and finish() says where each went', () => {
    const builder = new VocabularyBuilder();
    const names = Array.from({ length: 5000 }, (_, i) => `name ${(i * 7919) % 5000}`);
    const arrivals = names.map((text) => builder.add(text));
    expect(arrivals).toEqual([...names.keys()]);
    expect(builder.add('name 0')).toBe(0);
    expect(builder.size).toBe(5000);
    const { vocabulary, rank } = builder.finish();
    for (const [arrival, text] of names.entries()) expect(vocabulary.name(rank[arrival])).toBe(text);
  });
});

describe('NameTable', () => {
  it('gives back any strings, empty and repeated ones too', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (names) => {
        expect(NameTable.from(names).toArray()).toEqual(names);
      }),
    );
  });
});
