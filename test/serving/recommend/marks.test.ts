import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphFrom, type KnowledgeGraph } from '../../../src/data/knowledge-graph.ts';
import { NameTable } from '../../../src/data/vocabulary.ts';
import { wordsIn } from '../../../src/data/words.ts';
import { marksOf, writtenAbout, writtenBy } from '../../../src/serving/recommend/marks.ts';

const bare = graphFrom({ interact: [], tagged: [['mug', 'kitchen']], objects: [['mug', 'Café mug']] });
const graph: KnowledgeGraph = {
  ...bare,
  texts: [
    { name: 'description', texts: NameTable.from(['A mug for <b>coffee</b>']) },
    { name: 'notes', texts: NameTable.from(['']) },
  ],
};

/** What is marked in a title. */
function marked(text: string, ...words: string[]): string[] {
  const counting = words.map((word) => ({ word, amount: 1 }));
  return marksOf(counting, [{ text }]).map(({ start, end }) => text.slice(start, end));
}

describe('marksOf', () => {
  it('finds words whatever their case and accents', () => {
    expect(marked('Café CAFÉ cafe\u0301 cafeteria', 'cafe')).toEqual(['Café', 'CAFÉ', 'cafe\u0301']);
    expect(marked('Straße', 'strasse')).toEqual(['Straße']);
  });

  it('counts places in UTF-16 units, behind characters of two', () => {
    expect(marksOf([{ word: 'fox', amount: 0.5 }], [{ text: '🦊🦊 fox' }])).toEqual([
      { start: 5, end: 8, amount: 0.5 },
    ]);
    expect(marked('𝒳 and 𠮷野家', '𠮷野家', '𠮷')).not.toEqual([]);
  });

  it('finds words of scripts without spaces', () => {
    expect(marked('東京都の天気', ...Array.from(wordsIn('天気'), ({ word }) => word)).join('')).toBe('天気');
  });

  it('marks nothing inside mark-up', () => {
    const text = '<b class="bold">bold</b> &amp; amp';
    expect(marked(text, 'bold', 'b', 'class', 'amp')).toEqual(['bold', 'amp']);
    const [bold] = marksOf([{ word: 'bold', amount: 1 }], [{ text }]);
    expect(bold.start).toBe(text.indexOf('>bold') + 1);
  });

  it('marks a word as a whole where it counts, otherwise the parts that do', () => {
    const text = 'fooBar';
    const both = [
      { word: 'foobar', amount: 0.5 },
      { word: 'bar', amount: 0.25 },
    ];
    expect(marksOf(both, [{ text }])).toEqual([{ start: 0, end: 6, amount: 0.75 }]);
    expect(marksOf(both.slice(1), [{ text }])).toEqual([{ start: 3, end: 6, amount: 0.25 }]);
  });

  it('leaves out what counts against the tag, and words of other columns', () => {
    const words = [
      { word: 'mug', amount: 0.3 },
      { word: 'cafe', amount: -0.2 },
      { word: 'coffee', column: 'description', amount: 0.4 },
      { word: 'mug', column: 'notes', amount: 0.9 },
    ];
    expect(marksOf(words, writtenAbout(graph, 0))).toEqual([
      { start: 5, end: 8, amount: 0.3 },
      { column: 'description', start: 13, end: 19, amount: 0.4 },
    ]);
  });

  it('marks the words of the tag where they stand, and shares what naming it adds', () => {
    const mention = { tag: 'Green Tea Set', amount: 0.6 };
    const words = [
      { word: 'tea', amount: -0.1 },
      { word: 'tea', column: 'notes', amount: -0.5 },
    ];
    const fields = [{ text: 'tea, green tea' }, { column: 'notes', readAs: 'notes', text: 'tea in green' }];
    expect(marksOf(words, fields, mention)).toEqual([
      { start: 0, end: 3, amount: expect.closeTo(0.2) },
      { start: 5, end: 10, amount: expect.closeTo(0.3) },
      { start: 11, end: 14, amount: expect.closeTo(0.2) },
      { column: 'notes', start: 7, end: 12, amount: expect.closeTo(0.3) },
    ]);
    expect(marksOf([], fields, { ...mention, amount: -1 })).toEqual([]);
    expect(marksOf([], [{ text: 'a pot' }], mention)).toEqual([]);
  });

  it('marks the words that count most where a text has too many', () => {
    const words = [
      { word: 'tea', amount: 0.1 },
      { word: 'pot', amount: 0.2 },
    ];
    const marks = marksOf(words, [{ text: `${'tea '.repeat(5000)}${'pot '.repeat(10)}tea` }]);
    expect(marks).toHaveLength(1000);
    expect(marks.filter(({ amount }) => amount === 0.2)).toHaveLength(10);
    expect(marks.map(({ start }) => start)).toEqual(marks.map(({ start }) => start).sort((a, b) => a - b));
  });

  it('gives marks in order that do not overlap, each of a word that counts', () => {
    const amounts = fc.uniqueArray(
      fc.record({
        word: fc.constantFrom('foo', 'bar', 'foobar', 'é', 'e', '🦊', 'c++'),
        amount: fc.double({ noNaN: true }),
      }),
      { selector: ({ word }) => word },
    );
    const text = fc
      .array(fc.constantFrom('foo', 'Bar', 'fooBar', 'é', ' ', '🦊', '<b>', '&lt;', 'C++', '日本語'))
      .map((a) => a.join(''));
    fc.assert(
      fc.property(amounts, text, (words, given) => {
        const marks = marksOf(words, [{ text: given }]);
        const counting = new Set<string>(words.filter(({ amount }) => amount > 0).map(({ word }) => word));
        let end = 0;
        for (const mark of marks) {
          expect(mark.start).toBeGreaterThanOrEqual(end);
          expect(mark.amount).toBeGreaterThan(0);
          const inside = Array.from(wordsIn(given)).filter(
            ({ start, end: last }) => start >= mark.start && last <= mark.end,
          );
          expect(inside.some(({ word }) => counting.has(word))).toBe(true);
          end = mark.end;
        }
      }),
    );
  });
});

describe('what is written about an object the model never saw', () => {
  const words = [
    { word: 'mug', amount: 0.1 },
    { word: 'coffee', column: 'description', amount: 0.2 },
  ];

  it('is one text of the first column', () => {
    expect(marksOf(words, writtenBy(graph, 'mug', 'mug for coffee'))).toEqual([
      { start: 0, end: 3, amount: 0.1 },
      { column: 'description', start: 8, end: 14, amount: 0.2 },
    ]);
  });

  it('is texts by column, those the model does not know without marks', () => {
    const text = { notes: 'coffee', description: 'coffee', other: 'coffee' };
    expect(marksOf(words, writtenBy(graph, undefined, text)).map(({ column }) => column)).toEqual(['description']);
  });

  it('is read as the title by a model without columns', () => {
    expect(marksOf(words, writtenBy(bare, 'a mug', 'mug'))).toEqual([
      { start: 2, end: 5, amount: 0.1 },
      { column: 'text', start: 0, end: 3, amount: 0.1 },
    ]);
  });
});
