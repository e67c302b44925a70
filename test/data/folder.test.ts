import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { load } from '../../src/data/data-set.ts';
import { fingerprint, graphFrom } from '../../src/data/knowledge-graph.ts';
import { writeFolder } from '../../src/data/write-folder.ts';
import { CancelledError } from '../../src/errors.ts';
import { facts, knowledgeGraph } from '../arbitraries.ts';
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

  it('lets two objects share a title, and shows the name of one without', async () => {
    const { graph, warnings } = await readFiles({ ...WHOLE, 'objects.tsv': 'object\ttitle\na\tSame\nb\tSame\nc\t\n' });
    expect(graph.titles.toArray()).toEqual(['Same', 'Same', 'c']);
    expect(warnings).toEqual([]);
  });

  it('keeps the first title in alphabetical order of an object that has two, with a warning', async () => {
    const { graph, warnings } = await readFiles({ ...WHOLE, 'objects.tsv': `${OBJECTS}a\tAardvark\na\tAlpha\n` });
    expect(graph.titles.at(0)).toBe('Aardvark');
    expect(warnings).toEqual([
      'objects.tsv: 2 rows give an object another title; the first in alphabetical order is kept.',
    ]);
  });

  const parquet = (columnData: { name: string; data: unknown[] }[]) =>
    new Uint8Array(parquetWriteBuffer({ columnData } as never));
  it.each<[string, Record<string, string | Uint8Array>, RegExp]>([
    [
      'no interact table',
      { 'tagged.tsv': TAGGED, 'a.txt': '' },
      /got a folder with a\.txt, tagged\.tsv, expected a table called interact\. Add interact\.tsv/,
    ],
    ['an empty folder', {}, /got an empty folder, expected a table called interact/],
    [
      'two tagged tables',
      { ...WHOLE, 'tagged.csv': TAGGED },
      /got tagged\.csv and tagged\.tsv, expected one tagged table\. Remove/,
    ],
    [
      'an empty interact',
      { ...WHOLE, 'interact.tsv': 'user\tobject\n' },
      /interact\.tsv: got no interactions, expected at least one user with an object\. Add rows/,
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

  it('a path that is no folder is an error', async () => {
    const folder = await tempFolder({ file: '' });
    await expect(load(join(folder, 'none'))).rejects.toThrow(/none: got no such folder, expected a folder/);
    await expect(load(join(folder, 'file'))).rejects.toThrow(/file: got a file, expected a folder/);
    await expect(load(join(folder, 'x'.repeat(300)))).rejects.toThrow(/got a name that is too long, expected/);
  });
});

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
