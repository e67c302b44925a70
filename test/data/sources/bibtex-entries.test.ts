import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBibTex } from '../../../src/data/sources/bibtex-entries.ts';

const fieldsOf = (text: string) =>
  parseBibTex(text).entries.map(({ key, fields }) => [key, Object.fromEntries(fields)]);

describe('parseBibTex', () => {
  it('reads braces, quotes, numbers, abbreviations and what is joined', () => {
    const text = `% a comment
      @string{ proc = "Proceedings of " } @STRING(acm = proc # {the {ACM}})
      @preamble{ "\\newcommand{\\x}{y}" }
      @comment{ @article{no, title = {no}} }
      Anything between entries @ is a comment, me@example.org too.
      @Article{ doe:99 ,
        Title = {A {Nested {Title}} with \\{ and "quotes"},
        journal = acm # " 12", year = 1999, month = jan,, note = "with {"}quotes{"} inside",
      }
      @book(par, title = "In (parentheses)")`;
    expect(fieldsOf(text)).toEqual([
      [
        'doe:99',
        {
          title: 'A {Nested {Title}} with \\{ and "quotes"',
          journal: 'Proceedings of the {ACM} 12',
          year: '1999',
          month: 'jan',
          note: 'with {"}quotes{"} inside',
        },
      ],
      ['par', { title: 'In (parentheses)' }],
    ]);
    expect(parseBibTex(text).broken).toEqual([]);
  });

  it('reads entries without a key, without fields, and of CRLF files', () => {
    expect(fieldsOf('@misc{,\r\n title={x}\r\n}\r\n@misc{title={y}}\r\n@misc{k}\r\n@misc{k2,}')).toEqual([
      ['', { title: 'x' }],
      ['', { title: 'y' }],
      ['k', {}],
      ['k2', {}],
    ]);
  });

  it.each([
    ['@a{k, title = {x', 1, 'the end of the file', '}'],
    ['\n\n@a{k, title = {x}\n year = 1}', 3, '"year"', 'a comma or } behind the field title'],
    ['@a{k, title {x}}', 1, '"{x}}"', '='],
    ['@a{k, = {x}}', 1, '"="', 'the name of a field'],
    ['@a{k, title = "x}', 1, 'the end of the file', 'a closing quote'],
    ['@a{k, title = }', 1, '"}"', 'a value in braces or quotes'],
    ['@a{two keys "x"}', 1, '"\\"x\\"}"', 'a comma behind the key'],
  ])('says what is wrong with %j', (text, line, got, expected) => {
    expect(parseBibTex(text)).toEqual({ entries: [], broken: [{ line, got, expected }] });
  });

  it('goes on behind a broken entry, and behind one that is never closed', () => {
    const text = '@a{one, title = {x}\n\n@a{two, title = {y},\n abstract = {never closed\n\n@a{three, title = {z}}';
    const { entries, broken } = parseBibTex(text);
    expect(entries.map(({ key }) => key)).toEqual(['three']);
    expect(broken.map(({ line }) => line)).toEqual([1, 3]);
  });

  it('takes time in proportion to the file', () => {
    expect(parseBibTex('@a{k, t = {x\n'.repeat(50_000)).broken).toHaveLength(50_000);
    expect(parseBibTex('@'.repeat(200_000)).entries).toEqual([]);
    expect(parseBibTex(`@a{k, t = ${'{'.repeat(200_000)}`).broken).toHaveLength(1);
    const doubling = Array.from({ length: 40 }, (_, i) => `@string{s${i + 1} = s${i} # s${i}}`).join('\n');
    expect(parseBibTex(`@string{s0 = "lol"}\n${doubling}`).broken[0].got).toBe(
      'a value of more than four million characters',
    );
  });

  it('reads back whatever is written with balanced braces', () => {
    const value = fc.string({ unit: 'grapheme-ascii' }).map((text) => text.replace(/[\\{}]/g, ''));
    const key = fc.stringMatching(/^[a-z][a-z0-9:_-]{0,9}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(key, value, value)), (list) => {
        const text = list
          .map(([name, a, b]) => `@misc{${name},\n  title = {${a}{${b}}},\n  note = {${b}}\n}`)
          .join('\n\n');
        const { entries, broken } = parseBibTex(text);
        expect(broken).toEqual([]);
        expect(entries.map(({ key: name, fields }) => [name, fields.get('title'), fields.get('note')])).toEqual(
          list.map(([name, a, b]) => [name, `${a}{${b}}`, b]),
        );
      }),
    );
  });

  it('never throws', () => {
    const piece = fc.constantFrom(
      '@a{',
      '@string(',
      '@comment',
      'k',
      ',',
      '=',
      '{',
      '}',
      '"',
      '#',
      '\n',
      '\\',
      ')',
      ' 1 ',
      'x',
    );
    fc.assert(fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => void parseBibTex(pieces.join(''))));
  });
});
