import { describe, expect, it } from 'vitest';
import { type RecordFormat, RecordScanner } from '../../../src/data/catalogue/records.ts';

const CSV: RecordFormat = { delimiter: ',', quotes: true, escape: '"', lineEnd: '\n' };

function recordsOf(text: string, format: Partial<RecordFormat> = {}) {
  const scanner = new RecordScanner('x.csv', { ...CSV, ...format });
  const records: { line: number; cells: string[]; raw: string }[] = [];
  const take = () => {
    const raw = Buffer.from(scanner.bytes.subarray(scanner.start, scanner.next)).toString();
    records.push({ line: scanner.line, cells: scanner.fieldTexts(), raw });
  };
  // byte by byte: whatever is unfinished has to wait
  for (const byte of Buffer.from(text)) scanner.push(Uint8Array.of(byte), take);
  scanner.finish(take);
  return records;
}

describe('RecordScanner', () => {
  it('gives the texts of fields, the line of each record and the record as it stands in the file', () => {
    const text = 'a,"b ""x"" c"\r\n\r\n"two\nlines",\n"",ü';
    expect(recordsOf(text)).toEqual([
      { line: 1, cells: ['a', 'b "x" c'], raw: 'a,"b ""x"" c"\r\n' },
      { line: 3, cells: ['two\nlines', ''], raw: '"two\nlines",\n' },
      { line: 5, cells: ['', 'ü'], raw: '"",ü\n' },
    ]);
  });

  it.each<[string, string, Partial<RecordFormat>, string[][]]>([
    [
      'a carriage return alone',
      'a,b\rc,"d\re"\r',
      { lineEnd: '\r' },
      [
        ['a', 'b'],
        ['c', 'd\re'],
      ],
    ],
    ['backslashes before quotes', '"a \\"b, c\\" d",e\n', { escape: '\\' }, [['a "b, c" d', 'e']]],
    ['quotes that are ordinary', '5" disk\t"x\n', { delimiter: '\t', quotes: false }, [['5" disk', '"x']]],
    [
      'text behind a closing quote',
      '"a" b,c\n"a""b" c,d\n',
      {},
      [
        ['a b', 'c'],
        ['a"b c', 'd'],
      ],
    ],
    ['a quote that ends in quotes', '"say ""hi""","""x"""\n', {}, [['say "hi"', '"x"']]],
  ])('reads %s', (_, text, format, wanted) => {
    expect(recordsOf(text, format).map(({ cells }) => cells)).toEqual(wanted);
  });
});
