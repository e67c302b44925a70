import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanName } from '../../../src/data/name.ts';
import { fieldText, pickColumns, readRows } from '../../../src/data/table/row.ts';
import { InputError } from '../../../src/errors.ts';
import { anyText } from '../../arbitraries.ts';

describe('readRows', () => {
  const columns = ['object', 'tag'];

  it('gives clean names, leaves out rows with a blank one, and says how many', () => {
    const text = fc.oneof(anyText, fc.constant('x'.repeat(900)));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), (rows) => {
        const [read, warnings]: [string[][], string[]] = [[], []];
        const warn = (message: string) => warnings.push(message);
        readRows('pairs', columns, rows, { warn }, (row) => read.push([fieldText(row, 0), fieldText(row, 1)]));
        const clean = rows.map((row) => row.map(cleanName));
        expect(read).toEqual(clean.filter((row) => !row.includes('')));
        const numBlank = rows.length - read.length;
        expect(warnings.length).toBe(numBlank === 0 ? 0 : 1);
        if (numBlank > 0) expect(warnings[0]).toMatch(`pairs: left out ${numBlank} row`);
      }),
    );
  });

  it('passes the cells along, and takes blanks where they are allowed', () => {
    const found: unknown[] = [];
    const rows: [string, string, number][] = [['a', ' ', 3]];
    readRows('pairs', columns, rows, { mayBeBlank: ['tag'] }, (row, [, , value]) =>
      found.push([fieldText(row, 1), value]),
    );
    expect(found).toEqual([['', 3]]);
  });

  it.each([
    [undefined, 'undefined (undefined)'],
    [null, 'object (null)'],
    [1.5, 'number (1.5)'],
  ])('refuses %s, which is no text', (cell, shown) => {
    const reading = () =>
      readRows(
        'pairs',
        columns,
        [
          ['a', 'b'],
          ['a', cell],
        ],
        {},
        () => {},
      );
    expect(reading).toThrow(InputError);
    expect(reading).toThrow(`pairs: got a ${shown} as the tag in row 2, expected a string. Convert it: String(value).`);
  });
});

describe('pickColumns', () => {
  it('finds columns in any order and case, and refuses a missing and a repeated one', () => {
    expect(pickColumns('x', ['object', 'tag'], ['Tag', 'weight', 'OBJECT'])).toEqual([2, 0]);
    expect(() => pickColumns('x', ['tag'], ['label'])).toThrow(
      'x, line 1: got the columns "label", expected the column "tag".',
    );
    expect(() => pickColumns('x', ['tag'], ['tag', 'TAG'])).toThrow(
      'x, line 1: got two columns named "tag", expected one.',
    );
  });
});
