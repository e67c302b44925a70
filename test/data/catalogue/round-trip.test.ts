// Random catalogues, written in every format, encoding and tag style, are read back as the same graph.

import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { canEncode, type Encoding, encodeText } from '../../../src/data/catalogue/encoding.ts';
import { formatField } from '../../../src/data/catalogue/records.ts';
import { formatTags, type TagStyle } from '../../../src/data/catalogue/tag-lists.ts';
import { loadCatalogue } from '../../../src/data/data-set.ts';
import { graphFromItems, type Item } from '../../../src/data/items.ts';
import { fingerprint } from '../../../src/data/knowledge-graph.ts';

const BOMS: Record<Encoding, number[]> = {
  'utf-8': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
  'windows-1252': [],
};

const LETTERS = ['red', 'blue', 'café', 'naïve', 'Zürich', 'x', '42', 'über', 'two words', 'O’Neil', '€ 5', 'C++'];
const FOREIGN = ['日本', 'привет', '🙂', '𝔘𝔫𝔦'];

interface Written {
  readonly items: readonly (Omit<Item, 'text'> & { id: string; title: string; text: { description: string } })[];
  readonly delimiter: string;
  readonly lineEnd: '\n' | '\r\n' | '\r';
  readonly always: boolean;
  readonly encoding: Encoding;
  readonly bom: boolean;
  readonly style: TagStyle;
}

/** Tags recur, as they do in catalogues: 6 of them on all objects. */
const written: fc.Arbitrary<Written> = fc
  .record({
    encoding: fc.constantFrom<Encoding>('utf-8', 'utf-16le', 'utf-16be', 'windows-1252'),
    delimiter: fc.constantFrom(',', '\t', ';', '|'),
    lineEnd: fc.constantFrom<'\n' | '\r\n' | '\r'>('\n', '\r\n', '\r'),
    always: fc.boolean(),
    bom: fc.boolean(),
    style: fc.constantFrom<TagStyle>(
      { form: 'separated', separator: ';', hash: false },
      { form: 'separated', separator: ', ', hash: false },
      { form: 'separated', separator: '|', hash: true },
      { form: 'separated', separator: '\n', hash: false },
      { form: 'json', separator: ', ', hash: false },
      { form: 'python', separator: ', ', hash: false },
      { form: 'braces', separator: ',', hash: false },
      { form: 'angles', separator: '', hash: false },
    ),
    rows: fc.array(
      fc.record({
        words: fc.array(fc.nat(99), { minLength: 3, maxLength: 12 }),
        mark: fc.constantFrom('', ' "quoted"', ', and', '; or', '\nnext line', ' <b>bold</b>', "'s"),
        tags: fc.array(fc.nat(5), { maxLength: 4 }),
        hasUrl: fc.boolean(),
      }),
      { minLength: 12, maxLength: 30 },
    ),
  })
  .map(({ rows, ...form }) => {
    const wordsOf = [...LETTERS, ...(form.encoding === 'windows-1252' ? [] : FOREIGN)];
    const tags = ['rock', 'jazz', 'hip hop', 'Ärger', 'r&b', form.encoding === 'windows-1252' ? 'pop' : 'ポップ'];
    const items = rows.map((row, i) => ({
      id: `sku-${i}`,
      title: `Thing no. ${i} ${wordsOf[i % wordsOf.length]}`,
      text: { description: row.words.map((n) => wordsOf[n % wordsOf.length]).join(' ') + row.mark + wordsOf[i % 7] },
      // the first rows have two tags each, so that what separates them can be seen
      tags: [...new Set(i < 6 ? [tags[i % 6], tags[(i + 1) % 6]] : row.tags.map((n) => tags[n]))],
      ...(row.hasUrl || i < 8 ? { url: `https://example.org/p/${i}` } : {}),
    }));
    const isMarked = form.bom && form.encoding !== 'windows-1252';
    // a lone carriage return ends lines only where no other break is in the file
    const lineEnd = form.lineEnd === '\r' ? '\n' : form.lineEnd;
    return { items, ...form, bom: isMarked, lineEnd };
  });

const COLUMNS = ['sku', 'name', 'description', 'keywords', 'link', 'price'];

function delimited({ items, delimiter, lineEnd, always, style }: Written): string {
  const format = { delimiter, quotes: true, escape: '"', lineEnd } as const;
  const row = (cells: readonly string[]) =>
    cells.map((cell) => formatField(cell, format, always)).join(delimiter) + lineEnd;
  const rows = items.map(({ id, title, text, tags = [], url = '' }, i) =>
    row([id, title, text.description, formatTags(tags, style), url, `${i}.50`]),
  );
  return row(COLUMNS) + rows.join('');
}

function bytesOf(text: string, { encoding, bom }: Pick<Written, 'encoding' | 'bom'>): Uint8Array<ArrayBuffer> {
  expect(canEncode(text, encoding)).toBe(true);
  return Uint8Array.of(...(bom ? BOMS[encoding] : []), ...encodeText(text, encoding));
}

const objectOf = ({ id, title, text, tags, url }: Written['items'][number], i: number) => ({
  sku: id,
  name: title,
  ...text,
  keywords: tags,
  link: url ?? null,
  price: i + 0.5,
});

async function read(bytes: Uint8Array<ArrayBuffer>, name: string) {
  const warnings: string[] = [];
  const loaded = await loadCatalogue([new File([bytes], name)], { warn: (message) => warnings.push(message) });
  return { ...loaded, warnings: warnings.filter((message) => !message.includes('Windows-1252')) };
}

describe('a catalogue', () => {
  it('is read back from delimited text of any delimiter, encoding, line end, quoting and tag style', async () => {
    await fc.assert(
      fc.asyncProperty(written, fc.boolean(), async (given, gzip) => {
        const bytes = bytesOf(delimited(given), given);
        const { graph, understood, warnings } = await read(gzip ? new Uint8Array(gzipSync(bytes)) : bytes, 'any.file');
        const roles = understood.columns.map(({ role }) => role);
        expect(roles).toEqual(['id', 'title', 'text', 'tags', 'url', undefined]);
        expect(fingerprint(graph)).toBe(fingerprint(graphFromItems(given.items)));
        expect(warnings).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it('is read back from JSON Lines, a JSON array, an object around one, and Parquet', async () => {
    await fc.assert(
      fc.asyncProperty(written, async (given) => {
        const rows = given.items.map(objectOf);
        const wanted = fingerprint(graphFromItems(given.items));
        const texts = [
          rows.map((row) => `${JSON.stringify(row)}${given.lineEnd}`).join(''),
          JSON.stringify(rows),
          JSON.stringify(rows, null, 2),
          JSON.stringify({ total: rows.length, meta: { x: [1] }, products: rows, more: [1, 2] }, null, 1),
        ];
        for (const text of texts) {
          const { graph, understood } = await read(bytesOf(text, given), 'any.file');
          expect([understood.format, fingerprint(graph)]).toEqual([understood.format, wanted]);
        }
        const columnData = Object.keys(rows[0]).map((name) => ({
          name,
          data: rows.map((row) => row[name as keyof typeof row] as unknown),
        }));
        const parquet = new Uint8Array(parquetWriteBuffer({ columnData } as never));
        expect(fingerprint((await read(parquet, 'any.file')).graph)).toBe(wanted);
      }),
      { numRuns: 10 },
    );
  });

  it('is the same in whatever pieces a stream delivers it', async () => {
    await fc.assert(
      fc.asyncProperty(written, fc.integer({ min: 1, max: 60 }), fc.boolean(), async (given, step, isJson) => {
        const text = isJson ? JSON.stringify(given.items.map(objectOf)) : delimited(given);
        const bytes = bytesOf(text, given);
        const whole = new File([bytes], 'any.file');
        const file = Object.assign(new File([bytes], 'any.file'), {
          stream: () =>
            new ReadableStream({
              start(controller) {
                for (let at = 0; at < bytes.length; at += step) controller.enqueue(bytes.slice(at, at + step));
                controller.close();
              },
            }),
        });
        const [one, two] = [await loadCatalogue([whole]), await loadCatalogue([file])];
        expect(fingerprint(two.graph)).toBe(fingerprint(one.graph));
      }),
      { numRuns: 6 },
    );
  });
});
