import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  detectTagStyle,
  formatTags,
  isOtherStyle,
  parseTags,
  styleName,
  type TagStyle,
} from '../../../src/data/catalogue/tag-lists.ts';
import { name } from '../../arbitraries.ts';

const style = (form: TagStyle['form'], separator = '', hash = false): TagStyle => ({ form, separator, hash });

describe('detectTagStyle', () => {
  it.each<[string, string[], TagStyle]>([
    ['commas with spaces', ['rock, pop', 'pop, jazz', 'jazz'], style('separated', ', ')],
    ['semicolons', ['rock;pop', 'pop;jazz', 'jazz'], style('separated', ';')],
    ['semicolons between tags with commas', ['a, b;c', 'c;d, e', 'd, e;a, b'], style('separated', ';')],
    ['bars between tags with commas', ['Books, used|Music', 'Music|Film', 'Books, used|Film'], style('separated', '|')],
    ['line breaks', ['rock\npop', 'pop\njazz'], style('separated', '\n')],
    ['a path', ['Home > Kitchen', 'Home > Garden', 'Home'], style('separated', ' > ')],
    ['hashes', ['#rock #pop', '#pop #jazz'], style('separated', ' ', true)],
    ['hashes with commas', ['#rock,#pop', '#pop,#jazz'], style('separated', ',', true)],
    ['JSON', ['["rock", "pop"]', '[]', ''], style('json', ', ')],
    ['JSON without spaces', ['["rock","pop"]', '["pop"]'], style('json', ',')],
    ['Python', ["['rock', 'pop']", "['it''s']"], style('python', ', ')],
    ['PostgreSQL', ['{rock,"hip hop"}', '{}'], style('braces', ',')],
    ['Stack Overflow', ['<c++><pandas>', '<pandas>'], style('angles')],
    ['dots', ['rock · pop', 'pop · jazz'], style('separated', ' · ')],
    ['wide semicolons', ['茶；礼品', '茶；食品'], style('separated', '；')],
    ['Python tuples', ["('rock', 'pop')", "('pop',)"], style('python', ', ')],
    ['Python sets', ["{'rock', 'pop'}", 'set()'], style('python', ', ')],
    ['NumPy', ["['rock' 'hip hop']", "['pop']"], style('python', ', ')],
    [
      'spaces between words that are tags of their own',
      ['cs.LG cs.AI', 'cs.AI cs.LG', 'cs.LG', 'stat.ML cs.LG', 'cs.LG stat.ML', 'cs.AI stat.ML', 'math.CO'],
      style('separated', ' '),
    ],
    ['one in a cell', ['rock', 'hip hop', 'pop'], style('single')],
    [
      'one in a cell where names have words in common',
      ['rock', 'hard rock', 'pop rock', 'pop', 'punk rock', 'punk', 'indie rock', 'indie pop', 'folk rock', 'folk'],
      style('single'),
    ],
    [
      'one in a cell where names are a grid',
      ['men', 'women', 'kids'].flatMap((who) => ['shoes', 'shirts', 'coats', 'hats'].map((what) => `${who} ${what}`)),
      style('single'),
    ],
    ['slashes that are part of names', ['TCP/IP', 'rock', 'pop', 'I/O'], style('single')],
    [
      'a name with a comma again and again',
      Array.from({ length: 30 }, (_, i) => (i % 2 ? 'Home, Garden & Tools' : 'Toys, Games')),
      style('single'),
    ],
  ])('finds %s', (_, cells, wanted) => {
    expect(detectTagStyle(cells)).toEqual(wanted);
  });

  it('takes a separator as given', () => {
    expect(detectTagStyle(['a / b', 'c'], '/')).toEqual(style('separated', '/ '));
    expect(parseTags('a / b', detectTagStyle(['a / b'], '/'))).toEqual(['a', 'b']);
  });
});

const STYLES = [
  style('separated', ';'),
  style('separated', ', '),
  style('separated', '|', true),
  style('json', ', '),
  style('json', ','),
  style('python', ', '),
  style('braces', ','),
  style('array', ','),
] as const;

describe('parseTags and formatTags', () => {
  it('are each other’s inverse', () => {
    const tags = fc.array(
      name.filter((tag) => /^[^\s;,|#[\]{}<>][^;,|]*$/.test(tag)),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(tags, fc.constantFrom(...STYLES), (given, form) => {
        expect(parseTags(formatTags(given, form), form)).toEqual(given);
      }),
    );
  });

  it('enclosed lists hold any tag', () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 5 }), fc.constantFrom('json', 'python', 'braces'), (given, form) => {
        expect(parseTags(formatTags(given, style(form, ', ')), style(form, ', '))).toEqual(given);
      }),
    );
  });

  it('a tag never breaks the list it is written into', () => {
    expect(formatTags(['a;b', 'c'], style('separated', ';'))).toBe('a b;c');
    expect(formatTags(['a', 'b'], style('separated', ', ', true))).toBe('#a, #b');
    expect(formatTags(["it's", 'x'], style('python', ', '))).toBe(`["it's", 'x']`);
    expect(formatTags(['a', 'b c'], style('angles'))).toBe('<a><b c>');
  });

  it('reads a cell that is written in another way in its own', () => {
    expect(parseTags('["a", "b;c"]', style('separated', ';'))).toEqual(['a', 'b;c']);
    expect(parseTags('a; b', style('json', ','))).toEqual(['a', 'b']);
    expect(parseTags(' a ;; b ', style('separated', ';'))).toEqual(['a', 'b']);
  });

  it('takes quotes around tags off where many have them', () => {
    const cells = ['rock|"hip hop"|"pop"', 'pop|"rock"', '"soul"'];
    expect(cells.map((cell) => parseTags(cell, detectTagStyle(cells)))).toEqual([
      ['rock', 'hip hop', 'pop'],
      ['pop', 'rock'],
      ['soul'],
    ]);
  });

  it('finds nothing unusual in double quotes among Python lists', () => {
    expect(isOtherStyle('["it\'s"]', style('python', ', '))).toBe(false);
    expect(isOtherStyle("['a']", style('json', ', '))).toBe(true);
  });

  it('reads the names of Python dicts', () => {
    expect(
      parseTags("[{'id': 16, 'name': 'Animation'}, {'id': 35, 'name': \"Kids' films\"}]", style('python')),
    ).toEqual(['Animation', "Kids' films"]);
  });

  it.each(['\\N', 'NULL', 'NaN', 'None', '<NA>', '#N/A', '()'])('reads %s as no tags', (cell) => {
    for (const form of ['separated', 'single', 'json', 'python', 'angles'] as const)
      expect(parseTags(cell, style(form, ';'))).toEqual([]);
  });

  it('a style has a name', () => {
    expect(STYLES.map(styleName)).toEqual([
      'separated by ;',
      'separated by ,',
      'separated by |, with #',
      'JSON lists',
      'JSON lists',
      'Python lists',
      'lists in braces',
      'lists',
    ]);
  });
});
