import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../src/data/words.ts';

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
