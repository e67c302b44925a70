import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Line, type LineOptions, readLines } from '../../../src/data/table/lines.ts';

async function read(contents: string | Uint8Array, options: LineOptions = {}): Promise<Line[]> {
  const lines: Line[] = [];
  const file = new File([contents as Uint8Array<ArrayBuffer>], 'x.txt');
  for await (const line of readLines(file, options)) lines.push(line);
  return lines;
}

describe('readLines', () => {
  it('passes blank lines over, and drops a byte order mark and carriage returns', async () => {
    expect(await read('\ufeffa\r\n\n \r\nb c\n\ufeffd')).toEqual([
      { text: 'a', number: 1 },
      { text: 'b c', number: 4 },
      { text: '\ufeffd', number: 5 },
    ]);
    expect(await read('')).toEqual([]);
  });

  it('gives the lines that split gives, whatever is in them', async () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replace(/[\r\n\ufeff]/g, ''));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 20 }), async (lines) => {
        const expected = lines.flatMap((text, i) => (text.trim() === '' ? [] : [{ text, number: i + 1 }]));
        expect(await read(lines.join('\n'))).toEqual(expected);
      }),
    );
  });

  it('joins lines that cross the border of two chunks, and counts on', async () => {
    const texts = Array.from({ length: 3000 }, (_, i) => `${i} ${'é'.repeat(i % 700)}`);
    expect(await read(texts.join('\n'))).toEqual(texts.map((text, i) => ({ text, number: i + 1 })));
  });

  it('reads Latin-1 where asked to, and names the line that is no UTF-8 otherwise', async () => {
    const bytes = Buffer.from('a\ncafé\n', 'latin1');
    expect((await read(bytes, { latin1: true })).map(({ text }) => text)).toEqual(['a', 'café']);
    await expect(read(bytes)).rejects.toThrow(/^x\.txt, line 2: got bytes that are not UTF-8, expected UTF-8 text/);
  });
});
