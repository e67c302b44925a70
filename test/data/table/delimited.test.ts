import { open } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanName } from '../../../src/data/name.ts';
import { CSV, type DelimitedOptions, DOUBLE_COLON, readDelimited, TSV } from '../../../src/data/table/delimited.ts';
import { fieldText } from '../../../src/data/table/row.ts';
import { tempFolder } from '../../temp-folder.ts';

type Texts = string[][];

async function read(
  contents: string | Uint8Array,
  columns: string[],
  options: Partial<DelimitedOptions> = {},
): Promise<Texts> {
  const folder = await tempFolder({ 'table.txt': contents });
  return readFile(join(folder, 'table.txt'), columns, options);
}

async function readFile(path: string, columns: string[], options: Partial<DelimitedOptions> = {}): Promise<Texts> {
  const rows: Texts = [];
  await readDelimited(path, columns, { format: TSV, ...options }, (row) =>
    rows.push(columns.map((_, c) => fieldText(row, c))),
  );
  return rows;
}

describe('readDelimited, tab-separated', () => {
  it('matches columns by name in any order and case, and passes others over', async () => {
    expect(await read('Tag\tweight\tOBJECT\nrock\t1\ta\npop\t2\tb\n', ['object', 'tag'])).toEqual([
      ['a', 'rock'],
      ['b', 'pop'],
    ]);
  });

  it('takes quotes as they are, CRLF, a byte order mark, blank lines and a last line without a break', async () => {
    expect(await read('\ufeffobject\ttag\r\n1\t"Weird Al"\r\n\r\n \r\n2\tx"y', ['object', 'tag'])).toEqual([
      ['1', '"Weird Al"'],
      ['2', 'x"y'],
    ]);
  });

  it('trims names', async () => {
    expect(await read('object\ttag\n a \t\u00a0rock \n', ['object', 'tag'])).toEqual([['a', 'rock']]);
  });

  it('leaves out rows with a blank name and says how many, and where the first is', async () => {
    const warnings: string[] = [];
    const warn = (message: string) => warnings.push(message);
    expect(await read('object\ttag\na\t  \nb\tx\n\ty\n', ['object', 'tag'], { warn })).toEqual([['b', 'x']]);
    expect(warnings).toEqual(['table.txt: left out 2 rows with a blank name; the first has a blank tag on line 2.']);
  });

  it.each([
    [
      'a missing column',
      'object\tlabel\na\tx\n',
      /table\.txt, line 1: got the columns "object", "label", expected the columns "object" and "tag"\. Name a column "tag"/,
    ],
    ['a column twice', 'object\ttag\tTag\na\tx\ty\n', /line 1: got two columns named "tag"/],
    [
      'a row that is too long',
      'object\ttag\na\tx\nb\ty\tz\n',
      /line 3: got 3 fields \("b \| y \| z"\), expected 2, as in the header\. Mend or remove/,
    ],
    ['a row that is too short', 'object\ttag\na\n', /line 2: got 1 field \("a"\), expected 2/],
    ['an empty file', '', /got an empty file, expected the columns "object" and "tag"/],
    ['nothing but blank lines', '\n\n', /got an empty file/],
  ])('%s stops with file, line and cure', async (_, contents, message) => {
    await expect(read(contents, ['object', 'tag'])).rejects.toThrow(message);
  });

  it('names the line of bytes that are not UTF-8', async () => {
    const bytes = Buffer.concat([
      Buffer.from('object\ttag\na\tx\nb\t'),
      Buffer.from([0xe9, 0x0a]),
      Buffer.from('c\ty\n'),
    ]);
    await expect(read(bytes, ['object', 'tag'])).rejects.toThrow(
      /table\.txt, line 3: got bytes that are not UTF-8.*iconv/,
    );
  });

  it('finds bytes that are not UTF-8 in a last line without a break', async () => {
    const bytes = Buffer.concat([Buffer.from('object\ttag\na\tx\nb\t'), Buffer.from([0xc3])]);
    await expect(read(bytes, ['object', 'tag'])).rejects.toThrow(/line 3: got bytes that are not UTF-8/);
  });

  it('reads Latin-1 where it is told so', async () => {
    expect(await read(Buffer.from('object\ttag\na\tcafé\n', 'latin1'), ['tag'], { latin1: true })).toEqual([['café']]);
  });

  it('gives up on a line of 300 MB without reading it all', async () => {
    const folder = await tempFolder();
    const path = join(folder, 'table.txt');
    const file = await open(path, 'w');
    await file.write('object\ttag\na\tx\n');
    await file.truncate(300e6); // sparse: zeros to the end, no line break
    await file.close();
    const before = process.memoryUsage().rss;
    await expect(readFile(path, ['object', 'tag'])).rejects.toThrow(
      /line 3: got a line of more than 1,048,576 bytes, expected shorter rows/,
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(100e6);
  });

  it('stops between chunks when asked to', async () => {
    const signal = AbortSignal.abort();
    await expect(read('object\ttag\na\tx\n', ['object'], { signal })).rejects.toThrow('Stopped on request.');
  });
});

describe('readDelimited, comma-separated', () => {
  const csv = { format: CSV };

  it('reads quoted commas, doubled quotes and line breaks', async () => {
    expect(await read('object,tag\n"a,b","say ""hi"""\n"c\nd",e\r\n', ['object', 'tag'], csv)).toEqual([
      ['a,b', 'say "hi"'],
      ['c d', 'e'],
    ]);
  });

  it('takes a quote inside an unquoted field as it is', async () => {
    expect(await read('object,tag\n5" disk,a""b\nx,y\n', ['object', 'tag'], csv)).toEqual([
      ['5" disk', 'a""b'],
      ['x', 'y'],
    ]);
  });

  it('counts lines through quoted line breaks', async () => {
    await expect(read('object,tag\n"a\n\nb",x\nonly\n', ['object', 'tag'], csv)).rejects.toThrow(/line 5: got 1 field/);
  });

  it('says where a quote was opened that never closes, at the end and far before it', async () => {
    await expect(read('object,tag\na,"b\nc,d\n', ['object', 'tag'], csv)).rejects.toThrow(
      /line 2: got a quoted field that does not end/,
    );
    const long = `object,tag\na,"b\n${'c,d\n'.repeat(600_000)}`;
    await expect(read(long, ['object', 'tag'], csv)).rejects.toThrow(/line 2: got a quoted field that does not end/);
  });

  it('gives back any table that a writer quoted, across chunk borders too', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('"', '""', ',', '\n', '\r\n', 'a\nb', '"\n"'),
    );
    const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 }),
        fc.nat(30),
        async (rows, shift) => {
          // more than 1 MiB of rows: the pattern meets the border of the 1 MiB chunks at a place that depends on the shift
          const body = rows.map(([a, b]) => `x,${quote(a)},${quote(b)}\n`).join('');
          const times = Math.ceil((1 << 20) / Buffer.byteLength(body)) + 1;
          const clean = rows.map((row) => row.map(cleanName));
          const folder = await tempFolder({ 't.csv': `${' '.repeat(shift)}k,a,b\n${body.repeat(times)}` });
          let i = 0;
          await readDelimited(join(folder, 't.csv'), ['a', 'b'], { ...csv, mayBeBlank: ['a', 'b'] }, (row) => {
            const expected = clean[i++ % rows.length];
            if (fieldText(row, 0) !== expected[0] || fieldText(row, 1) !== expected[1]) throw new Error(`row ${i}`);
          });
          expect(i).toBe(rows.length * times);
        },
      ),
      { numRuns: 8 },
    );
  });
});

describe('readDelimited, double colon without a header', () => {
  it('splits at "::" only', async () => {
    const options = { format: DOUBLE_COLON, header: ['id', 'title', 'genres'] };
    expect(await read('1::Alien: Part 2::a|b\n2::X::c\n', ['id', 'title'], options)).toEqual([
      ['1', 'Alien: Part 2'],
      ['2', 'X'],
    ]);
  });
});
