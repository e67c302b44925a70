// All kinds of tables, Parquet among them, through the one function that reads any.

import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldNumber, readTable, readTableHeader } from '../../../src/data/table/read-table.ts';
import { fieldText, readRows } from '../../../src/data/table/row.ts';
import { parquetOf } from '../../parquet-of.ts';

const TSV = 'object\tnote\ttag\na\tx\trock\nb\t\tpop ä\n';
const KINDS: [string, string | Uint8Array][] = [
  ['t.tsv', TSV],
  ['t.csv', TSV.replaceAll('\t', ',')],
  ['t.parquet', parquetOf(TSV)],
  ['t.tsv.gz', gzipSync(TSV)],
  ['t.parquet.gz', gzipSync(parquetOf(TSV))],
];
const fileOf = (name: string, contents: string | Uint8Array) => new File([contents as Uint8Array<ArrayBuffer>], name);

describe.each(KINDS)('readTable of %s', (name, contents) => {
  it('gives the wanted columns in the order asked for', async () => {
    const rows: string[][] = [];
    await readTable(fileOf(name, contents), ['tag', 'object'], {}, (row) =>
      rows.push([fieldText(row, 0), fieldText(row, 1)]),
    );
    expect(rows).toEqual([
      ['rock', 'a'],
      ['pop ä', 'b'],
    ]);
  });

  it('leaves out rows where a wanted column is blank, unless it may be', async () => {
    const [notes, warnings]: [string[], string[]] = [[], []];
    const warn = (message: string) => warnings.push(message);
    await readTable(fileOf(name, contents), ['note'], { warn }, (row) => notes.push(fieldText(row, 0)));
    await readTable(fileOf(name, contents), ['note'], { mayBeBlank: ['note'] }, (row) => notes.push(fieldText(row, 0)));
    expect(notes).toEqual(['x', 'x', '']);
    expect(warnings).toEqual([
      expect.stringContaining(`${name}: left out 1 row with a blank name; the first has a blank note`),
    ]);
  });

  it('names its columns', async () => {
    expect(await readTableHeader(fileOf(name, contents))).toEqual(['object', 'note', 'tag']);
  });
});

describe('readTable', () => {
  it('refuses a file of another kind', async () => {
    await expect(readTable(fileOf('t.xlsx', ''), ['a'], {}, () => {})).rejects.toThrow(
      't.xlsx: got a file of unknown kind, expected a name ending in .tsv, .csv, .parquet (and .gz).',
    );
  });
});

describe('fieldNumber', () => {
  const numberOf = (text: string) => {
    let number = 0;
    readRows('t', ['x'], [[text]], {}, (row) => {
      number = fieldNumber(row, 0);
    });
    return number;
  };

  it('reads any decimal number as JavaScript does', () => {
    const decimal = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.tuple(fc.integer(), fc.nat()).map(([whole, rest]) => `${whole}.${rest}`),
    );
    fc.assert(
      fc.property(decimal, (text) => {
        expect(numberOf(text)).toBe(Number(text));
      }),
    );
  });

  it.each(['x', '.', '-', '1e', '0x10', 'Infinity', '1 2', '1_0'])('is NaN for %s', (text) => {
    expect(numberOf(text)).toBeNaN();
  });
});
