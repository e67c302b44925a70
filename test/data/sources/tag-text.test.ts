import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tagText, titleText, undoEntities } from '../../../src/data/sources/tag-text.ts';

test('tagText lower-cases, trims, collapses white space and undoes entities', () => {
  expect(tagText('  Sci-Fi \t CLASSIC ')).toBe('sci-fi classic');
  expect(tagText('Rock &amp; Roll')).toBe('rock & roll');
  expect(tagText('&#82;&#x26;B')).toBe('r&b');
  expect(tagText('a&#9;b&nbsp;c')).toBe('a b c');
  expect(tagText(' &#32; ')).toBe('');
});

test('titleText keeps case and entities', () => {
  expect(titleText(' The　Big &amp;  Small ')).toBe('The Big &amp; Small');
});

test('undoEntities(text) knows the named and the numbered ones', () => {
  expect(undoEntities('&lt;&gt;&quot;&apos;&#39;&#x27;&#X1F600;&#233;')).toBe("<>\"'''😀é");
  expect(undoEntities('What&#146;s &#128;5')).toBe('What’s €5');
});

test('undoEntities(text) works once, so an escaped entity stays an entity', () => {
  expect(undoEntities('&amp;lt;')).toBe('&lt;');
});

test('undoEntities(text) leaves alone what is no entity', () => {
  for (const text of [
    'R&B',
    '&;',
    '&bogus;',
    '&#;',
    '&#xZZ;',
    '&#0;',
    '&#55296;',
    '&#x110000;',
    '&#9999999;',
    '&toString;',
  ])
    expect(undoEntities(text)).toBe(text);
});

test('undoEntities undoes escaping of any text', () => {
  const escaped = (text: string) =>
    Array.from(text, (character) => (/[&<>"']/.test(character) ? `&#${character.codePointAt(0)};` : character)).join(
      '',
    );
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => undoEntities(escaped(text)) === text));
});

test('tagText has nothing more to do on its own result, unless it holds an entity', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const once = tagText(text);
      fc.pre(!once.includes('&'));
      expect(tagText(once)).toBe(once);
    }),
  );
});
