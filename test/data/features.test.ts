import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { parquetWriteBuffer, schemaFromColumnData } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { type Features, featuresFrom, readFeatures } from '../../src/data/features.ts';
import { Vocabulary } from '../../src/data/vocabulary.ts';
import { CancelledError, InputError } from '../../src/errors.ts';
import { name } from '../arbitraries.ts';
import { tempFolder } from '../temp-folder.ts';

type Row = Record<string, number>; // feature → value
type Entry = readonly [object: string, feature: string, value: number];

const OBJECTS = Vocabulary.from(['a', 'b', 'c']);
const SPARSE = 'object\tfeature\tvalue\nb\tyear\t1.5\na\tred\t1\nb\tred\t-2\nc\tred\t1\n';
const DENSE = 'object\tyear\tred\nb\t1.5\t-2\na\t0\t1\nc\t\t1\n';

const csv = (tsv: string) =>
  tsv.replace(/[^\t\n]+/g, (cell) => `"${cell.replaceAll('"', '""')}"`).replaceAll('\t', ',');
const LIST = [
  { name: 'e', converted_type: 'LIST', num_children: 1, repetition_type: 'OPTIONAL' },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', type: 'FLOAT', repetition_type: 'OPTIONAL' },
];

/** A Parquet file. A column of arrays is written as JSON, but column "e", if asked for, as a list of floats. */
function parquet(columns: Record<string, unknown[]>, hasList = false, rowGroupSize = 100): Uint8Array {
  const columnData = Object.entries(columns).map(([column, data]) => ({ name: column, data }));
  const elements = columnData.flatMap((source): unknown[] =>
    hasList && source.name === 'e' ? LIST : schemaFromColumnData({ columnData: [source] } as never).slice(1),
  );
  const schema = [{ name: 'root', num_children: columnData.length }, ...elements];
  return new Uint8Array(parquetWriteBuffer({ columnData, schema, rowGroupSize } as never));
}

/** Parquet of texts, which the reader must take for numbers just as in TSV; a blank is a null. */
function parquetOf(tsv: string): Uint8Array {
  const [header, ...rows] = tsv.trimEnd().split('\n');
  const cells = rows.map((row) => row.split('\t'));
  return parquet(Object.fromEntries(header.split('\t').map((title, c) => [title, cells.map((row) => row[c] || null)])));
}

const FORMS: [string, (tsv: string) => string | Uint8Array][] = [
  ['x.tsv', (tsv) => tsv],
  ['x.csv', csv],
  ['x.parquet', parquetOf],
  ['x.tsv.gz', (tsv) => gzipSync(tsv)],
  ['x.csv.gz', (tsv) => gzipSync(csv(tsv))],
  ['x.parquet.gz', (tsv) => gzipSync(parquetOf(tsv))],
];

async function read(file: string, contents: string | Uint8Array, objects = OBJECTS) {
  const warnings: string[] = [];
  const path = join(await tempFolder({ [file]: contents }), file);
  const features = await readFeatures(path, objects, { warn: (message) => warnings.push(message) });
  return { features, warnings, names: features.names, rows: rowsOf(features) };
}

async function errorOf(file: string, contents: string | Uint8Array): Promise<string> {
  const error: unknown = await read(file, contents).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(InputError);
  return (error as Error).message.replace(/^.*?(?=x\.\w+[:,])/, '');
}

/** By object. Fails where columns do not ascend, or a zero is stored. */
function rowsOf({ names, numFeatures, rowStart, columns, values }: Features): Row[] {
  expect(numFeatures).toBe(names.length);
  expect([columns.length, values.length, values.includes(0)]).toEqual([rowStart.at(-1), rowStart.at(-1), false]);
  return Array.from(rowStart.subarray(1), (end, r) => {
    const row = [...columns.subarray(rowStart[r], end)];
    expect(row).toEqual([...new Set(row)].sort((x, y) => x - y));
    return Object.fromEntries(row.map((column, i) => [names[column], values[rowStart[r] + i]]));
  });
}

describe('readFeatures', () => {
  it.each(FORMS)('reads both layouts of %s', async (file, form) => {
    const rowStart = Int32Array.of(0, 1, 3, 4);
    const sparse = await read(file, form(SPARSE));
    expect(sparse.names).toEqual(['red', 'year']); // by rank
    expect(sparse.features).toMatchObject({ rowStart, columns: Int32Array.of(0, 0, 1, 0) });
    expect(sparse.features.values).toEqual(Float32Array.of(1, -2, 1.5, 1));
    const dense = await read(file, form(DENSE));
    expect(dense.names).toEqual(['year', 'red']); // in the order of the file
    expect(dense.features).toMatchObject({ rowStart, columns: Int32Array.of(1, 0, 1, 1) });
    expect(dense.features.values).toEqual(Float32Array.of(1, 1.5, -2, 1));
    expect([...sparse.warnings, ...dense.warnings]).toEqual([]);
  });

  it.each<[string, Row]>([
    ['Value,FEATURE,Object\n3,f,a\n', { f: 3 }],
    ['feature,OBJECT\nf,a\n', { f: 1 }],
    ['object,value\na,3\n', { value: 3 }],
    ['feature,size,object,Value\n7,8,a,9\n', { feature: 7, size: 8, Value: 9 }],
    ['"object","a, ""b""\nc"\na,2\n', { 'a, "b"\nc': 2 }],
  ])('tells the layout by the whole header, in any case and order: %j', async (table, row) => {
    expect((await read('x.csv', table)).rows).toEqual([row, {}, {}]);
  });

  it('adds up repeats, takes a blank value for 1, and stores no zeros', async () => {
    const rows = ['a\tf\t1', 'a\tg\t2.5', 'a\tf\t', 'b\tf\t3', 'b\tf\t-3', 'b\tg\t0', 'c\th\t-0', 'a\tg\t0.25'];
    const found = await read('x.tsv', `object\tfeature\tvalue\n${rows.join('\n')}\n`);
    expect(found.names).toEqual(['f', 'g', 'h']);
    expect(found.rows).toEqual([{ f: 2, g: 2.75 }, {}, {}]);
  });

  it('takes a blank cell of a dense table for zero, also in a column of nothing else', async () => {
    const found = await read('x.tsv', 'object\tx\ty\tz\na\t \t0.0\t4\nb\t\t-0\t\nc\t\t1e-60\t\n');
    expect(found.names).toEqual(['x', 'y', 'z']);
    expect(found.rows).toEqual([{ z: 4 }, {}, {}]);
  });

  it.each([true, false])('reads lists in Parquet as a feature for each place (as lists: %s)', async (hasList) => {
    const columns = { x: [1, 2, 3], e: [null, [0.5, null], [0, 7]], object: ['a', 'b', 'c'], n: [1n, 0n, null] };
    const found = await read('x.parquet', parquet(columns, hasList));
    expect(found.names).toEqual(['x', 'e[0]', 'e[1]', 'n']);
    expect(found.rows).toEqual([
      { x: 1, n: 1 },
      { x: 2, 'e[0]': 0.5 },
      { x: 3, 'e[1]': 7 },
    ] satisfies Row[]);
  });

  it('reads Parquet across row groups, where the first list may come late', async () => {
    const object = Array.from({ length: 250 }, (_, i) => `o${1000 + i}`);
    const e = object.map((_, i) => (i < 90 ? null : [i, -i]));
    const { rows } = await read('x.parquet', parquet({ object, e }, true, 40), Vocabulary.from(object));
    expect(rows).toEqual(e.map((list) => (list === null ? {} : { 'e[0]': list[0], 'e[1]': list[1] })));
  });

  it('reads any decimal number as JavaScript does', async () => {
    const given = '0 7 -3 +2 .5 5. 0.1 -123.456 1e-3 2.5E+2 123456789012345 1234567890123456 0.123456789012345678';
    const decimal = fc.oneof(
      fc.double({ noNaN: true, min: -1e30, max: 1e30 }).map(String),
      fc.tuple(fc.integer(), fc.nat({ max: 99_999_999 })).map(([whole, rest]) => `${whole}.${rest}`),
      fc.constantFrom(...given.split(' ')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(decimal, { minLength: 1, maxLength: 120 }), async (texts) => {
        const header = texts.map((_, c) => `c${c}`).join('\t');
        const { features } = await read('x.tsv', `object\t${header}\na\t${texts.join('\t')}\n`);
        const numbers = texts.map((text) => Math.fround(Number(text)));
        expect([...features.values]).toEqual(numbers.filter((number) => number !== 0));
      }),
      { numRuns: 25 },
    );
  });

  it('gives what a dictionary gives, whatever the order of the rows, the layout and the form', async () => {
    const few = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g');
    const eighths = fc.integer({ min: -16, max: 16 }).map((n) => n / 8); // their sums are exact in any order
    const entries = fc.array(fc.tuple(few, fc.oneof(few, name), eighths), { minLength: 1, maxLength: 80 });
    const objects = Vocabulary.from(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'z']);
    const byBytes = (x: string, y: string) => Buffer.compare(Buffer.from(x), Buffer.from(y));
    await fc.assert(
      fc.asyncProperty(entries, fc.nat(96), fc.constantFrom(...FORMS), async (list, turn, [file, form]) => {
        const known = objects.names.toArray().map(() => new Map<string, number>());
        for (const [object, feature, value] of list) {
          const row = known[objects.idOf(object)];
          row.set(feature, (row.get(feature) ?? 0) + value);
        }
        const expected = known.map((row) => Object.fromEntries([...row].filter(([, sum]) => sum !== 0)));
        const lines = list.map((_, i) => list[(i * 97 + turn) % list.length].join('\t')); // 97: prime to any length
        const sparse = await read(file, form(`object\tfeature\tvalue\n${lines.join('\n')}\n`), objects);
        expect(sparse.rows).toEqual(expected);
        expect(sparse.names).toEqual([...new Set(list.map(([, feature]) => feature))].sort(byBytes));
        expect(featuresFrom(objects, list)).toEqual(sparse.features);

        const names = [...'gfedcba', 'nothing'];
        const table = known.map((row, id) => [objects.name(id), ...names.map((key) => row.get(key) ?? '')].join('\t'));
        const dense = await read(file, form(`object\t${names.join('\t')}\n${table.reverse().join('\n')}\n`), objects);
        const kept = expected.map((row) =>
          Object.fromEntries(Object.entries(row).filter(([key]) => names.includes(key))),
        );
        expect([dense.names, dense.rows]).toEqual([names, kept]);
      }),
      { numRuns: 24 },
    );
  });

  it('says how many objects it left out and how many have no row, once each', async () => {
    const { names, warnings } = await read('x.tsv', 'object\tfeature\na\tred\nx\tblue\ny\tred\nx\tred\nb\tred\n');
    expect(names).toEqual(['red']); // no object of the data set is blue
    expect(warnings).toEqual([
      'x.tsv: left out 2 objects that the data set does not have; the first is "x" on line 3.',
      'x.tsv: 1 of 3 objects have no features.',
    ]);
    expect((await read('x.tsv', `${DENSE}x\t1\t1\n`)).warnings).toEqual([
      'x.tsv: left out 1 object that the data set does not have; the first is "x" on line 5.',
    ]);
    expect((await read('x.tsv', `${SPARSE}\tred\t1\na\t\t1\n`)).warnings).toEqual([
      'x.tsv: left out 2 rows with a blank name; the first has a blank object on line 6.',
    ]);
  });

  const NUMBER = 'expected a finite number. Write a decimal number, such as 0.5 or 1e-3.';
  it.each(['tall', 'NaN', '-Infinity', '1e999', '1,5', '0x10', '.', '-', '1.2.3', '1 2', '٣', '1e', '[1]', 'true'])(
    'a cell %j is an error, whatever the layout, the file and the object',
    async (cell) => {
      const dense = `object\tx\na\t1\n?\t${cell}\n`;
      const got = `got ${JSON.stringify(cell)} in column`;
      expect(await errorOf('x.tsv', dense)).toBe(`x.tsv, line 3: ${got} "x", ${NUMBER}`);
      expect(await errorOf('x.parquet', parquetOf(dense))).toBe(`x.parquet, line 2: ${got} "x", ${NUMBER}`);
      expect(await errorOf('x.tsv', `${SPARSE}a\tf\t${cell}\n`)).toBe(`x.tsv, line 6: ${got} "value", ${NUMBER}`);
    },
  );

  const HEADER =
    'expected a column "object" and at least one other, all of them with a name. ' +
    'Write object, feature and value, one row for each number, or object and a column for each feature.';
  const ONCE = 'a second time, expected one row for each object. Make one row of its rows.';
  const MATCH = 'expected features of objects of the data set. Call objects what the data set calls them.';
  const SUM = 'a finite number of at most 3.4e38. Scale the feature down, or leave it out.';
  it.each([
    ['object\na\n', `, line 1: got the columns "object", ${HEADER}`],
    ['id\tx\na\t1\n', `, line 1: got the columns "id", "x", ${HEADER}`],
    [
      'object\t1\t2\t3\t4\t5\t6\t7\t\n',
      `, line 1: got the columns "object", "1", "2", "3", "4", "5", "6", "7", …, ${HEADER}`,
    ],
    ['\n', `, line 1: got an empty file, ${HEADER}`],
    ['object\tx\tX\n', ', line 1: got two columns named "x", expected one. Rename or remove one of them.'],
    [
      'object\tfeature\tFeature\n',
      ', line 1: got two columns named "feature", expected one. Rename or remove one of them.',
    ],
    [`${DENSE}b\t\t\n`, `, line 5: got object "b" ${ONCE}`],
    [`${DENSE}x\t1\t1\nx\t1\t1\n`, `, line 6: got object "x" ${ONCE}`],
    ['object\tx\nA\t1\nB\t1\n', `: got no object of the data set (the first is "A" on line 2), ${MATCH}`],
    ['object\tfeature\n', `: got no rows, ${MATCH}`],
    [`${SPARSE}a\tf\t2e38\na\tf\t2e38\n`, `: got 4.00e+38 for feature "f" of object "a", expected ${SUM}`],
  ])('the table %j is an error that says where, what and what to do', async (table, message) => {
    expect(await errorOf('x.tsv', table)).toBe(`x.tsv${message}`);
  });

  const LENGTH = 'in column "e", expected a list of 2, as above. Make all lists of a column equally long.';
  const PLAIN = 'in column "e", expected a text or a number. Unnest the column: one row a pair.';
  it.each<[unknown[], boolean, string]>([
    [[[1, 2], [1]], true, `, line 2: got a list of 1 ${LENGTH}`],
    [[[1, 2], []], true, `, line 2: got a list of 0 ${LENGTH}`],
    [[[1, 2], { x: 1 }], false, `, line 2: got a nested value ${LENGTH}`],
    [[[[1]], null], false, `, line 1: got a list ${PLAIN}`],
    [[[1, Number.NaN], null], true, `, line 1: got "NaN" in column "e[1]", ${NUMBER}`],
  ])('a column %j of Parquet is an error', async (e, hasList, message) => {
    expect(await errorOf('x.parquet', parquet({ object: ['a', 'b'], e }, hasList))).toBe(`x.parquet${message}`);
  });

  it('a file of another kind, or none, is an error', async () => {
    expect(await errorOf('x.txt', SPARSE)).toMatch(/^x\.txt: got a file of unknown kind, expected a name ending in/);
    expect(await errorOf('x.parquet', SPARSE)).toMatch(/^x\.parquet: got a file that cannot be read as Parquet/);
    await expect(readFeatures(join(await tempFolder(), 'x.tsv'), OBJECTS)).rejects.toThrow(/got no such file/);
  });

  it.each(FORMS)('stops when asked to while it reads %s', async (file, form) => {
    const folder = await tempFolder({ [file]: form(SPARSE) });
    const listener = { signal: AbortSignal.abort() };
    await expect(readFeatures(join(folder, file), OBJECTS, listener)).rejects.toThrow(CancelledError);
  });

  it('hears a signal between the row groups of a Parquet file', async () => {
    const object = Array.from({ length: 50_000 }, () => 'a');
    const folder = await tempFolder({ 'x.parquet': parquet({ object, feature: object }, false, 50) });
    const controller = new AbortController();
    let numReads = 0; // the first for the header; after the second only decoding is left
    const progress = () => ++numReads === 2 && setTimeout(() => controller.abort());
    const listener = { signal: controller.signal, progress };
    await expect(readFeatures(join(folder, 'x.parquet'), OBJECTS, listener)).rejects.toThrow(CancelledError);
    expect(numReads).toBe(2);
  });
});

describe('featuresFrom', () => {
  it('of nothing is an empty matrix', () => {
    expect(featuresFrom(OBJECTS, [])).toMatchObject({ names: [], numFeatures: 0, rowStart: new Int32Array(4) });
  });

  it('cleans names, leaves out entries with a blank one and warns of them', () => {
    const warnings: string[] = [];
    const entries: Entry[] = [
      [' a', 'red\t', 1],
      ['a', '\u00a0', 5],
      ['a\u200b', 'red', 2],
      ['b', 'gr\u0000en', 3],
      ['c', '\ud800', 4],
    ];
    const features = featuresFrom(OBJECTS, entries, { warn: (message) => warnings.push(message) });
    expect(rowsOf(features)).toEqual([{ red: 3 }, { 'gr en': 3 }, { '\ufffd': 4 }]);
    expect(warnings).toEqual(['features: left out 1 row with a blank name; the first has a blank feature in row 2.']);
  });

  it('crosses a block border: 300,000 entries, backwards, every one twice', () => {
    const digits = (n: number) => String(n).padStart(3, '0');
    const objects = Vocabulary.from(Array.from({ length: 1000 }, (_, i) => digits(i)));
    const entries = Array.from({ length: 300_000 }, (_, i): Entry => {
      const at = 149_999 - (i % 150_000);
      return [digits(at % 1000), digits(Math.floor(at / 1000)), at + 1];
    });
    const { rowStart, columns, values } = featuresFrom(objects, entries);
    expect([rowStart.length, columns.length, values.length]).toEqual([1001, 150_000, 150_000]);
    expect(rowStart.every((start, r) => start === 150 * r)).toBe(true);
    expect(columns.every((column, i) => column === i % 150)).toBe(true);
    expect(values.every((value, i) => value === 2 * ((i % 150) * 1000 + Math.floor(i / 150) + 1))).toBe(true);
  });

  it.each([
    ['x', 1, 'got features of "x", expected an object of the data set. Leave its features out.'],
    ['a', Number.NaN, 'got NaN for feature "f" of object "a", expected a finite number of at most 3.4e38. Scale'],
    ['a', 1e39, 'got Infinity for feature "f" of object "a", expected a finite number of at most 3.4e38. Scale'],
  ])('features of %s, %d, are an error', (object, value, message) => {
    expect(() => featuresFrom(OBJECTS, [[object, 'f', value]])).toThrow(message);
  });
});
