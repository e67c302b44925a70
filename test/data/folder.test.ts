import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { load, loadCatalogue } from '../../src/data/data-set.ts';
import { graphFromItems } from '../../src/data/items.ts';
import { fingerprint, graphFrom } from '../../src/data/knowledge-graph.ts';
import { writeFolder } from '../../src/data/write-folder.ts';
import { CancelledError } from '../../src/errors.ts';
import { anyText, facts, knowledgeGraph, name } from '../arbitraries.ts';
import { parquetOf } from '../parquet-of.ts';
import { tempFolder } from '../temp-folder.ts';

const INTERACT = 'user\tobject\nu1\ta\nu1\tb\nu2\tb\n';
const TAGGED = 'object\ttag\na\trock\nb\trock\nb\tpop\n';
const OBJECTS = 'object\ttitle\na\tAlpha\nb\tBeta\n';
const WHOLE = { 'interact.tsv': INTERACT, 'tagged.tsv': TAGGED, 'objects.tsv': OBJECTS };

async function readFiles(files: Record<string, string | Uint8Array>) {
  const warnings: string[] = [];
  const graph = await load(await tempFolder(files), { warn: (message) => warnings.push(message) });
  return { graph, warnings };
}

describe('load', () => {
  it('gives ids by name and both relations', async () => {
    const { graph, warnings } = await readFiles(WHOLE);
    expect(graph.users.names.toArray()).toEqual(['u1', 'u2']);
    expect(graph.tags.names.toArray()).toEqual(['pop', 'rock']);
    expect(graph.titles.toArray()).toEqual(['Alpha', 'Beta']);
    expect([...graph.interact.row(0)]).toEqual([0, 1]);
    expect([...graph.tagged.row(1)]).toEqual([0, 1]);
    expect(warnings).toEqual([]);
  });

  it('is the same for TSV, CSV, Parquet and their gzipped forms', async () => {
    const { graph } = await readFiles(WHOLE);
    const csv = (text: string) => text.replaceAll('\t', ',');
    const forms: Record<string, string | Uint8Array>[] = [
      { 'interact.csv': csv(INTERACT), 'tagged.csv': csv(TAGGED), 'objects.csv': csv(OBJECTS) },
      {
        'interact.parquet': parquetOf(INTERACT),
        'tagged.parquet': parquetOf(TAGGED),
        'objects.parquet': parquetOf(OBJECTS),
      },
      {
        'interact.tsv.gz': gzipSync(INTERACT),
        'tagged.csv.gz': gzipSync(csv(TAGGED)),
        'objects.parquet.gz': gzipSync(parquetOf(OBJECTS)),
      },
    ];
    for (const files of forms) expect(fingerprint((await readFiles(files)).graph)).toBe(fingerprint(graph));
  });

  it('does not depend on the order of rows, nor on repeats', async () => {
    await fc.assert(
      fc.asyncProperty(facts, fc.nat(), async (given, turn) => {
        const turned = <T>(list: readonly T[]) => list.map((_, i) => list[(i + turn) % list.length]).reverse();
        const again = {
          interact: [...turned(given.interact), ...given.interact],
          tagged: turned(given.tagged),
          objects: turned(given.objects),
        };
        expect(fingerprint(graphFrom(again))).toBe(fingerprint(graphFrom(given)));
      }),
    );
  });

  it('keeps an object that is tagged but in no interaction, and one that is only listed', async () => {
    const { graph } = await readFiles({
      ...WHOLE,
      'tagged.tsv': `${TAGGED}z\trock\n`,
      'objects.tsv': `${OBJECTS}y\tYpsilon\n`,
    });
    expect(graph.objects.names.toArray()).toEqual(['a', 'b', 'y', 'z']);
    expect(graph.titles.at(3)).toBe('z');
    expect(graph.tagged.rowLength(2)).toBe(0);
    expect(graph.interact.numTails).toBe(4);
  });

  it('leaves out a tag of nothing but white space, with a warning', async () => {
    const { graph, warnings } = await readFiles({ ...WHOLE, 'tagged.tsv': `${TAGGED}a\t \u00a0 \n` });
    expect(graph.tags.size).toBe(2);
    expect(warnings).toEqual(['tagged.tsv: left out 1 row with a blank name; the first has a blank tag on line 5.']);
  });

  it('takes a table of objects that has nothing but their names', async () => {
    const { graph, warnings } = await readFiles({
      'tagged.tsv': 'object\ttag\na\tx\n',
      'objects.tsv': 'object\na\nb\n',
    });
    expect([warnings, graph.objects.size, graph.tagged.rowLength(1)]).toEqual([[], 2, 0]);
  });

  it('lets two objects share a title, and shows the name of one without', async () => {
    const { graph, warnings } = await readFiles({ ...WHOLE, 'objects.tsv': 'object\ttitle\na\tSame\nb\tSame\nc\t\n' });
    expect(graph.titles.toArray()).toEqual(['Same', 'Same', 'c']);
    expect(warnings).toEqual([]);
  });

  it('needs no users, and says so where the table of users is empty', async () => {
    const { graph, warnings } = await readFiles({ 'tagged.tsv': TAGGED });
    expect([graph.users.size, graph.interact.size, graph.objects.size]).toEqual([0, 0, 2]);
    expect(warnings).toEqual([]);
    const empty = await readFiles({ 'tagged.tsv': TAGGED, 'interact.tsv': 'user\tobject\n' });
    expect(fingerprint(empty.graph)).toBe(fingerprint(graph));
    expect(empty.warnings).toEqual(['interact.tsv: no rows, so nothing is known about users.']);
  });

  it('warns of objects in interact that no other table has', async () => {
    const { graph, warnings } = await readFiles({ ...WHOLE, 'interact.tsv': `${INTERACT}u3\tx1\nu3\tx2\n` });
    expect(graph.objects.size).toBe(4);
    expect(warnings).toEqual(['interact.tsv: 2 objects are not in tagged.tsv or objects.tsv: "x1", ….']);
  });

  it('warns of tags that are lists, and splits them where it is told how', async () => {
    const lists = 'object\ttag\na\trock;pop\nb\tpop;jazz\nc\trock;jazz;pop\n';
    const { graph, warnings } = await readFiles({ 'tagged.tsv': lists });
    expect(graph.tags.size).toBe(3);
    expect(warnings).toEqual([
      'tagged.tsv: tags such as "pop;jazz" look like lists (separated by ;). Split them: pass --separator ";".',
    ]);
    const folder = await tempFolder({ 'tagged.tsv': lists });
    const split = await load(folder, { separator: ';' });
    expect(split.tags.names.toArray()).toEqual(['jazz', 'pop', 'rock']);
    expect(split.tagged.size).toBe(7);
  });

  it('takes texts, addresses and pictures from objects and from a table of texts, and leaves numbers out', async () => {
    const objects = [
      'object\ttitle\tabout\tprice\turl\timage',
      'a\tAlpha\tThe first "letter" of all\t12.50\thttps://x.org/a\thttps://x.org/a.png',
      'b\tBeta\tThe one that comes next\t3\t\t',
    ].join('\n');
    const descriptions = 'object\ttext\na\tlong words about alpha\nc\tan object of which only this is known\n';
    const folder = await tempFolder({
      'tagged.tsv': TAGGED,
      'objects.tsv': objects,
      'descriptions.tsv.gz': gzipSync(descriptions),
      'features.tsv': 'object\tx\na\t1\n',
    });
    const { graph, understood } = await loadCatalogue(folder);
    expect(graph.objects.names.toArray()).toEqual(['a', 'b', 'c']);
    expect(graph.titles.toArray()).toEqual(['Alpha', 'Beta', 'c']);
    expect(graph.texts.map(({ name, texts }) => [name, texts.toArray()])).toEqual([
      ['about', ['The first "letter" of all', 'The one that comes next', '']],
      ['descriptions', ['long words about alpha', '', 'an object of which only this is known']],
    ]);
    expect(graph.links?.toArray()).toEqual(['https://x.org/a', '', '']);
    expect(graph.images?.toArray()).toEqual(['https://x.org/a.png', '', '']);
    expect(understood.columns).toEqual([
      { name: 'about', role: 'text', why: 'by its name' },
      { name: 'price', why: 'numbers' },
      { name: 'url', role: 'url', why: 'as given' },
      { name: 'image', role: 'image', why: 'as given' },
      { name: 'descriptions', role: 'text', why: 'by its name' },
    ]);
  });

  it('refuses to be told the id or the tags of a folder, whose columns are fixed', async () => {
    const folder = await tempFolder(WHOLE);
    await expect(load(folder, { tags: ['tag'] })).rejects.toThrow(/got --tags for a folder, expected a single file/);
  });

  it('keeps the first title in alphabetical order of an object that has two, with a warning', async () => {
    const { graph, warnings } = await readFiles({ ...WHOLE, 'objects.tsv': `${OBJECTS}a\tAardvark\na\tAlpha\n` });
    expect(graph.titles.at(0)).toBe('Aardvark');
    expect(warnings).toEqual([
      'objects.tsv: 2 rows give an object another title; the first in alphabetical order is kept.',
    ]);
  });

  it('says where titles are of other objects than the tags', async () => {
    const { warnings } = await readFiles({
      'tagged.tsv': TAGGED,
      'objects.tsv': 'object\ttitle\n17\tAlien\n18\tHeat\n',
    });
    expect(warnings).toEqual([
      'objects.tsv: the objects it describes are not in tagged.tsv. Write the ids of objects as the other tables do.',
    ]);
  });

  const parquet = (columnData: { name: string; data: unknown[] }[]) =>
    new Uint8Array(parquetWriteBuffer({ columnData } as never));
  it.each<[string, Record<string, string | Uint8Array>, RegExp]>([
    [
      'no tagged table',
      { 'interact.tsv': INTERACT, 'a.md': '' },
      /got a folder with a\.md, interact\.tsv, expected a table called tagged\. Add tagged\.tsv/,
    ],
    [
      'a folder with one catalogue',
      { 'products.csv': 'id,tags\n1,a\n', 'interact.tsv': INTERACT },
      /expected a table called tagged\. If products\.csv holds tags as well, pass that file instead/,
    ],
    ['an empty folder', {}, /got an empty folder, expected a table called tagged/],
    [
      'two tagged tables',
      { ...WHOLE, 'tagged.csv': TAGGED },
      /got tagged\.csv and tagged\.tsv, expected one tagged table\. Remove/,
    ],
    [
      'an interact table about other objects',
      { ...WHOLE, 'interact.tsv': 'user\tobject\nu1\t1\nu2\t2\n' },
      /interact\.tsv: got objects such as "1", none of which is in tagged\.tsv or objects\.tsv, expected the same ids/,
    ],
    [
      'an empty tagged',
      { ...WHOLE, 'tagged.tsv': 'object\ttag\n' },
      /tagged\.tsv: got no tags, expected at least one object with a tag\. Add rows/,
    ],
    ['a missing column', { ...WHOLE, 'tagged.tsv': 'object\tlabel\na\tx\n' }, /tagged\.tsv, line 1: got the columns/],
    ['a ragged row', { ...WHOLE, 'interact.tsv': `${INTERACT}u3\n` }, /interact\.tsv, line 5: got 1 field/],
    [
      'a file that is not gzip',
      { 'interact.tsv.gz': INTERACT, 'tagged.tsv': TAGGED },
      /got a file that does not begin like gzip, expected a gzip file.*Compress it again/,
    ],
    ['an empty .gz', { 'interact.tsv.gz': '', 'tagged.tsv': TAGGED }, /got an empty file, expected a gzip file/],
    [
      'a gzip cut short',
      { 'interact.tsv.gz': gzipSync(INTERACT).subarray(0, 30), 'tagged.tsv': TAGGED },
      /interact\.tsv\.gz: got a broken gzip file \(unexpected end of file\), expected a whole one/,
    ],
    [
      'a damaged gzip',
      { 'interact.tsv.gz': gzipSync(INTERACT).fill(0x55, 20, 30), 'tagged.tsv': TAGGED },
      /got a broken gzip file/,
    ],
    [
      'a Parquet that is none',
      { 'interact.parquet': INTERACT, 'tagged.tsv': TAGGED },
      /got a file that cannot be read as Parquet/,
    ],
    [
      'a Parquet without a column',
      { 'interact.parquet': parquet([{ name: 'user', data: ['u'] }]), 'tagged.tsv': TAGGED },
      /interact\.parquet, line 1: got the columns "user", expected the columns "user" and "object/,
    ],
  ])('%s is an error that says where, what and what to do', async (_, files, message) => {
    await expect(readFiles(files)).rejects.toThrow(message);
  });

  it('reads numbers in Parquet as names, a null as blank, and refuses lists', async () => {
    const interact = parquet([
      { name: 'user', data: [1, 2, 3] },
      { name: 'object', data: ['a', null, 'b'] },
    ]);
    const { graph, warnings } = await readFiles({ 'interact.parquet': interact, 'tagged.tsv': TAGGED });
    expect(graph.users.names.toArray()).toEqual(['1', '3']);
    expect(warnings).toEqual([
      'interact.parquet: left out 1 row with a blank name; the first has a blank object on line 2.',
    ]);
    const lists = parquet([
      { name: 'object', data: ['a'] },
      { name: 'tag', data: [['x', 'y']] },
    ]);
    await expect(readFiles({ 'interact.tsv': INTERACT, 'tagged.parquet': lists })).rejects.toThrow(
      /line 1: got a list in column "tag"/,
    );
  });

  it('picks Parquet columns by name among the columns, not among the fields nested in one', async () => {
    const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' } as const;
    const schema = [
      { name: 'root', num_children: 3 },
      { name: 'meta', num_children: 1, repetition_type: 'OPTIONAL' },
      { name: 'user', ...text },
      { name: 'user', type: 'INT64', repetition_type: 'REQUIRED' },
      { name: 'object', ...text },
    ];
    const columnData = [
      { name: 'meta', data: [{ user: 'nested' }] },
      { name: 'user', data: [9007199254740993n] },
      { name: 'object', data: ['a'] },
    ];
    const interact = new Uint8Array(parquetWriteBuffer({ schema, columnData } as never));
    const { graph } = await readFiles({ 'interact.parquet': interact, 'tagged.tsv': TAGGED });
    expect(graph.users.names.toArray()).toEqual(['9007199254740993']);
  });

  it('stopped while it reads Parquet, it says so and blames no file', async () => {
    const interact = parquet([
      { name: 'user', data: ['u'] },
      { name: 'object', data: ['a'] },
    ]);
    const folder = await tempFolder({ 'interact.parquet': interact, 'tagged.tsv': TAGGED });
    await expect(load(folder, { signal: AbortSignal.abort() })).rejects.toThrow(CancelledError);
  });

  it('a path where nothing is, or nothing in it, is an error', async () => {
    const folder = await tempFolder({ file: '' });
    await expect(load(join(folder, 'none'))).rejects.toThrow(/none: got no such folder, expected a folder/);
    await expect(load(join(folder, 'file'))).rejects.toThrow(/file: got an empty file, expected CSV, TSV/);
    await expect(load(join(folder, 'none.csv'))).rejects.toThrow(
      /none\.csv: got no such file, expected a readable file/,
    );
    await expect(load(join(folder, 'x'.repeat(300)))).rejects.toThrow(/got a name that is too long, expected/);
  });
});

const text = fc.oneof(
  anyText,
  fc.constantFrom('12', 'a "b"\r\nc, d', 'x\ty', '<p>Hello &amp; all</p>', 'https://x.org/1'),
);
const catalogueItems = fc
  .array(
    fc.record({
      title: anyText,
      text: fc.dictionary(name, text, { maxKeys: 3 }),
      url: text,
      image: text,
      tags: fc.array(name),
    }),
    { maxLength: 8 },
  )
  .map((items) => [...items, { text: 'last', tags: ['tag'] }]);

describe('writeFolder', () => {
  it('writes what load reads back, plain and gzipped', async () => {
    await fc.assert(
      fc.asyncProperty(knowledgeGraph, fc.boolean(), async (graph, gzip) => {
        const folder = await tempFolder();
        await writeFolder(folder, graph, { gzip });
        expect(fingerprint(await load(folder))).toBe(fingerprint(graph));
      }),
      { numRuns: 40 },
    );
  });

  it('writes texts, addresses and pictures, and no table of users where there are none', async () => {
    await fc.assert(
      fc.asyncProperty(catalogueItems, fc.boolean(), async (items, gzip) => {
        const graph = graphFromItems(items);
        const folder = await tempFolder();
        await writeFolder(folder, graph, { gzip });
        expect((await readdir(folder)).some((name) => name.startsWith('interact'))).toBe(false);
        expect(fingerprint(await load(folder))).toBe(fingerprint(graph));
      }),
      { numRuns: 60 },
    );
  });

  it('writes the same bytes for the same facts', async () => {
    const { graph } = await readFiles(WHOLE);
    const folder = await tempFolder();
    await writeFolder(folder, graph);
    expect((await readdir(folder)).sort()).toEqual(['interact.tsv', 'objects.tsv', 'tagged.tsv']);
    await mkdir(join(folder, 'again'));
    for (const file of ['interact.tsv', 'objects.tsv', 'tagged.tsv'])
      await rename(join(folder, file), join(folder, 'again', file));
    expect(fingerprint(await load(join(folder, 'again')))).toBe(fingerprint(graph));
  });

  it('writes more than one buffer, and stops when asked to', async () => {
    const long = Array.from({ length: 3000 }, (_, i) => [`user ${i}`, `object ${i} ${'x'.repeat(900)}`] as const);
    const graph = graphFrom({ interact: long, tagged: [['object', 'tag']] });
    const folder = await tempFolder();
    await writeFolder(folder, graph);
    expect(fingerprint(await load(folder))).toBe(fingerprint(graph));
    await expect(writeFolder(folder, graph, { signal: AbortSignal.abort() })).rejects.toThrow('Stopped on request.');
  });
});
