import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanName, wordsOf } from '../../src/data/name.ts';

describe('cleanName', () => {
  it.each([
    ['  rock ', 'rock'],
    ['\u00a0rock\u3000', 'rock'],
    ['\ufeffrock\u200b', 'rock'],
    ['a\tb', 'a b'],
    ['a\r\nb', 'a  b'],
    ['hip  hop', 'hip  hop'],
    ['\u2003\u00a0\t ', ''],
    ['', ''],
    ['naïve café', 'naïve café'],
    ['日本 ', '日本'],
  ])('of %j is %j', (text, expected) => expect(cleanName(text)).toBe(expected));

  it('drops all that String.trim drops, and does nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const clean = cleanName(text);
        expect(clean).toBe(clean.trim());
        expect(cleanName(clean)).toBe(clean);
        expect(clean).not.toMatch(/[\t\n\r]/);
      }),
      { numRuns: 500 },
    );
  });
});

describe('words of a name', () => {
  it.each([
    ['@babel/plugin-transform-react-jsx', ['babel', 'plugin', 'transform', 'react', 'jsx']],
    ['camelCaseName2x', ['camel', 'case', 'name2x']],
    ['Toy Story (1995)', ['toy', 'story', '1995']],
    ['Sigur Rós', ['sigur', 'ros']],
    ['The The', ['the']],
    ['音楽 ☂', ['音楽']],
    ['!!!', []],
    ['', []],
  ])('%s', (name, words) => {
    expect(wordsOf(name)).toEqual(words);
  });

  it('are each once, without case, and the words of themselves', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const words = wordsOf(name);
        expect(new Set(words).size).toBe(words.length);
        expect(wordsOf(words.join(' '))).toEqual(words);
      }),
    );
  });
});
