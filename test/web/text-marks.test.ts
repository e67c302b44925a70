import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { marksFor, movedMarks, strongestWords } from '../../web/src/suggest/text-marks.ts';

const tea = { start: 0, end: 3, amount: 0.5 };
const pot = { start: 4, end: 7, amount: 0.2 };

describe('marksFor', () => {
  const suggestions = [
    { tag: 'tea', score: 1, marks: [tea, { column: 'text', start: 0, end: 6, amount: 0.1 }] },
    { tag: 'pot', score: 1, marks: [{ ...tea, amount: 0.1 }, pot, { column: 'text', start: 3, end: 6, amount: 0.4 }] },
    { tag: 'mug', score: 1 },
  ];

  it('gives those of the chosen tag alone', () => {
    expect(marksFor(suggestions, 'pot')).toEqual([
      { ...tea, amount: 0.25 },
      { ...pot, amount: 0.5 },
      { column: 'text', start: 3, end: 6, amount: 1 },
    ]);
    expect(marksFor(suggestions, 'mug')).toEqual([]);
  });

  it('gives those of all, each place once with its largest share of what counts for a tag, none overlapping', () => {
    expect(marksFor(suggestions, undefined)).toEqual([
      { ...tea, amount: 1 },
      { ...pot, amount: 0.5 },
      { column: 'text', start: 0, end: 6, amount: 0.2 },
    ]);
  });

  it('gives the word of a suggestion beside a far stronger one', () => {
    const strong = { tag: 'mug', score: 1, marks: [{ start: 8, end: 11, amount: 10 }] };
    expect(marksFor([strong, suggestions[0]], undefined)).toContainEqual({ ...tea, amount: 1 });
  });
});

it('strongestWords gives words as they are written, the strongest first, each once', () => {
  const marks = [
    { start: 0, end: 3, amount: 0.2 },
    { start: 4, end: 7, amount: 0.01 },
    { column: 'text', start: 0, end: 3, amount: 0.5 },
    { column: 'text', start: 4, end: 7, amount: 0.2 },
  ];
  const written = { title: 'Tea pot', texts: { '': 'Mug tea' } };
  expect(strongestWords({ tag: 'x', score: 1, marks }, written, 4)).toEqual(['mug', 'tea']);
  expect(strongestWords({ tag: 'x', score: 1, marks }, written, 1)).toEqual(['mug']);
  expect(strongestWords({ tag: 'x', score: 1 }, written, 4)).toEqual([]);
});

describe('movedMarks', () => {
  it('keeps marks before a change and moves those behind it', () => {
    expect(movedMarks([tea, pot], 'tea pot', 'tea and pot')).toEqual([tea, { ...pot, start: 8, end: 11 }]);
    expect(movedMarks([tea, pot], 'tea pot', 'tea po')).toEqual([tea]);
    expect(movedMarks([tea, pot], 'tea pot', 'tea pots')).toEqual([tea]);
    expect(movedMarks([tea, pot], 'tea pot', 'tea pot.')).toEqual([tea, pot]);
    expect(movedMarks([tea, pot], 'tea pot', '')).toEqual([]);
  });

  it('never marks other letters than before', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 12 });
    const place = fc
      .tuple(fc.nat(11), fc.nat(11))
      .map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) + 1 }));
    fc.assert(
      fc.property(text, text, fc.array(place), (then, now, places) => {
        for (const mark of places.filter(({ end }) => end <= then.length)) {
          for (const { start, end } of movedMarks([{ ...mark, amount: 1 }], then, now)) {
            expect(now.slice(start, end)).toBe(then.slice(mark.start, mark.end));
          }
        }
      }),
    );
  });
});
