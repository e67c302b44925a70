// The words of texts: any language, their places, and the quick way for ASCII against the general one.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wordsIn } from '../../src/data/words.ts';

const plain = (text: string) => wordsIn(text).map(({ word }) => word);

describe('wordsIn', () => {
  it.each([
    ['Red shoes, size 42', ['red', 'shoes', 'size', '42']],
    ['a fooBar and JavaScript', ['a', 'foobar', 'foo', 'bar', 'and', 'javascript', 'java', 'script']],
    ['XMLHttpRequest 2fast', ['xmlhttprequest', 'xml', 'http', 'request', '2fast']],
    ['C++ and C# or F#', ['c++', 'and', 'c#', 'or', 'f#']],
    ['Straße STRASSE', ['strasse', 'strasse']],
    ['ΟΔΟΣ οδός', ['οδοσ', 'οδοσ']],
    ['Café ﬁne ① Ａ', ['cafe', 'fine', '1', 'a']],
    ['<p class="x">Hello&nbsp;<b>world</b></p> a < b', ['hello', 'world', 'a', 'b']],
    ['', []],
    ['…!?', []],
  ])('of %j', (text, words) => {
    expect(plain(text)).toEqual(words);
  });

  it('separates what scripts without spaces do not', () => {
    expect(plain('私は猫が好きです')).toContain('猫');
    expect(plain('แมวสีดำ')).toContain('แมว');
    expect(plain('黑猫 cat')).toContain('cat');
  });

  it('cuts what is too long for a word', () => {
    expect(plain('x'.repeat(5000))).toEqual(['x'.repeat(64)]);
  });

  it('says where each word stands', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        for (const { start, end, word } of wordsIn(text)) {
          expect(start).toBeLessThan(end);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(wordsIn(text.slice(start, end))[0]?.word).toBe(word);
        }
      }),
    );
  });

  it('reads ASCII as it reads everything else', () => {
    const ascii = fc.string({ unit: fc.constantFrom(...'aBc D9#+-<&;_e') });
    fc.assert(
      fc.property(ascii, (text) => {
        // a letter beyond ASCII makes the whole text go the general way
        expect(wordsIn(text)).toEqual(wordsIn(`${text} é`).filter(({ start }) => start < text.length));
      }),
    );
  });
});
