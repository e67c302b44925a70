import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { marksOf } from '../../src/serving/recommend/marks.ts';
import {
  inOneLine,
  placeIn,
  plainPieces,
  readablePieces,
  shortAddress,
  webAddress,
} from '../../web/src/parts/readable-text.ts';

const shown = (text: string) =>
  readablePieces(text)
    .map((piece) => piece.text)
    .join('');

describe('readablePieces', () => {
  it('leaves mark-up out and writes characters for entities', () => {
    expect(shown('<p>Fish &amp; <b>chips</b></p>')).toBe('Fish & chips');
    expect(shown('a &lt;b&gt; &#39;c&#39; &#x1F98A; &eacute; &nosuch;')).toBe("a <b> 'c' 🦊 é &nosuch;");
    expect(shown('f&uuml;r 20&nbsp;&deg;C, &yuml;, 5&nbsp;&euro;')).toBe('für 20 °C, ÿ, 5 €');
    expect(shown('-&#0; &#xD800; &#x110000;-')).toBe('-     -');
  });

  it('leaves no blank lines between blocks, and one between paragraphs of plain text', () => {
    expect(shown('\n<div>\n<p>Tea</p>\n\n<ul><li>hot</li><li>sweet</li></ul></div>')).toBe('Tea\nhot\nsweet');
    expect(shown('\n Tea &amp; milk\r\n\r\n\r\n\r\nhot\nsweet \n')).toBe('Tea & milk\n\nhot\nsweet');
    const marks = marksOf([{ word: 'tea', amount: 1 }], [{ text: '<p>\n</p><p>tea</p><p></p>' }]);
    expect(readablePieces('<p>\n</p><p>tea</p><p></p>', marks)).toEqual([{ text: 'tea', strength: 1 }]);
  });

  it('leaves what only looks like mark-up', () => {
    expect(shown('1 < 2 and 3 > 2; AT&T; a<-b')).toBe('1 < 2 and 3 > 2; AT&T; a<-b');
  });

  it('marks words in their places, by how much they count', () => {
    const marks = [
      { start: 3, end: 8, amount: 0.5 },
      { start: 13, end: 15, amount: 0.25 },
    ];
    expect(readablePieces('<b>chips</b> 🦊', marks)).toEqual([
      { text: 'chips', strength: 1 },
      { text: ' ' },
      { text: '🦊', strength: 0.5 },
    ]);
  });

  it('marks nothing that makes no difference beside the strongest, or that lies outside', () => {
    const marks = [
      { start: 0, end: 1, amount: 0.01 },
      { start: 2, end: 3, amount: 1 },
      { start: 4, end: 9, amount: 1 },
    ];
    expect(readablePieces('a b c', marks)).toEqual([{ text: 'a ' }, { text: 'b', strength: 1 }, { text: ' c' }]);
    expect(readablePieces('a b', [{ start: 0, end: 1, amount: 1 }], 20)).toEqual([{ text: 'a b' }]);
  });

  it('shows the same words with marks and without', () => {
    const text = fc
      .array(fc.constantFrom('tea', ' ', '<b>', '</p>', '&amp;', '&', '<', '🦊', 'é'))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, (given) => {
        const marks = marksOf([{ word: 'tea', amount: 1 }], [{ text: given }]);
        const pieces = readablePieces(given, marks);
        expect(pieces.map((piece) => piece.text).join('')).toBe(shown(given));
        expect(pieces.filter(({ strength }) => strength !== undefined)).toHaveLength(marks.length);
      }),
    );
  });
});

it('plainPieces takes nothing for mark-up', () => {
  const mark = { start: 3, end: 6, amount: 1 };
  expect(plainPieces('<b>tea</b> &amp;', [mark])).toEqual([
    { text: '<b>' },
    { text: 'tea', strength: 1 },
    { text: '</b> &amp;' },
  ]);
});

it('inOneLine leaves out mark-up and line breaks', () => {
  expect(inOneLine(' <p>Tea &amp;\n\ncoffee</p> ')).toBe('Tea & coffee');
});

describe('webAddress', () => {
  it.each(['https://shop.example/a b', 'http://127.0.0.1:8000/x.png'])('takes %s', (address) => {
    expect(webAddress(address)).toBe(new URL(address).href);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    ' java\nscript:alert(1)',
    '//x',
    'x',
    '',
    undefined,
  ])('refuses %s', (address) => expect(webAddress(address)).toBeUndefined());
});

it('shortAddress writes an address as people do', () => {
  expect(shortAddress('https://www.shop.example/')).toBe('shop.example');
  expect(shortAddress('https://shop.example:81/caf%C3%A9?id=1#x')).toBe('shop.example:81/café');
  expect(shortAddress('https://shop.example/%E0%A4%A')).toBe('shop.example/%E0%A4%A');
});

it('shortAddress shows no character that turns or hides others', () => {
  expect(shortAddress('https://shop.example/%E2%80%AEgnp.exe')).toBe('shop.example/%E2%80%AEgnp.exe');
  expect(shortAddress('https://shop.example/a%20%C2%A0b')).toBe('shop.example/a%20%C2%A0b');
});

describe('placeIn', () => {
  it.each([
    ['İİ Tea', 'tea', 'Tea'], // longer in lower case
    ['a (tea)', '(TEA', '(tea'],
    ['50% + tea', '% + ', '% + '],
    ['ＴＥＡ', 'ｔｅａ', 'ＴＥＡ'],
    ['🦊 tea', '🦊', '🦊'],
  ])('finds in %s the part %s', (text, part, found) => {
    const { start, end } = placeIn(text, part) ?? { start: 0, end: 0 };
    expect(text.slice(start, end)).toBe(found);
  });

  it.each([
    ['tea', ''],
    ['tea', '.'],
  ])('finds in %s no “%s”', (text, part) => expect(placeIn(text, part)).toBeUndefined());
});
