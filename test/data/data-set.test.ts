// A data set from files in memory, as a page has them: the same graph, the same warnings and the same errors as from a folder.

import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { findTables, load, placeOf, readTables } from '../../src/data/data-set.ts';
import { fingerprint } from '../../src/data/knowledge-graph.ts';
import { InputError } from '../../src/errors.ts';
import type { Listener } from '../../src/listener.ts';
import { parquetOf } from '../parquet-of.ts';
import { tempFolder } from '../temp-folder.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

const INTERACT = 'user\tobject\nu1\ta\nu1\tb\nu2\tb\n';
const TAGGED = 'object\ttag\na\trock\nb\trock\nb\tpop \u00e4\n';
const OBJECTS = 'object\ttitle\na\tAlpha\nb\tBeta\n';
const WHOLE: Files = { 'interact.tsv': INTERACT, 'tagged.tsv': TAGGED, 'objects.tsv': OBJECTS };
const csv = (text: string) => text.replaceAll('\t', ',');
/** More than one chunk, and more than compresses away; long names, since few rows are read faster. */
const LONG = `user\tobject\n${Array.from({ length: 12_000 }, (_, i) => `u${(i * 7919) % 10_007}${'x'.repeat(80)}\t${i === 0 ? 'a' : `o${i % 977}`}`).join('\n')}\n`;

const filesOf = (files: Files) =>
  Object.entries(files).map(([name, contents]) => new File([contents as Uint8Array<ArrayBuffer>], name));

/** What both ways of reading come to. */
async function bothWays(files: Files) {
  const folder = await tempFolder(files);
  const read = async (reading: (warn: (text: string) => void) => ReturnType<typeof load>) => {
    const warnings: string[] = [];
    const outcome = await reading((text) => warnings.push(text)).then(fingerprint, (error) => {
      expect(error).toBeInstanceOf(InputError);
      return String(error.message).replaceAll(join(folder, '/'), '').replace(`${folder}: `, '');
    });
    return { outcome, warnings };
  };
  return {
    fromFolder: await read((warn) => load(folder, { warn })),
    fromFiles: await read((warn) => readFiles(filesOf(files), { warn })),
  };
}

async function readFiles(files: readonly File[], options: Listener = {}) {
  return readTables(findTables(placeOf(files)), options);
}

describe('files given to a page', () => {
  it.each<[string, Files]>([
    ['TSV', WHOLE],
    ['CSV', { 'interact.csv': csv(INTERACT), 'tagged.csv': csv(TAGGED), 'objects.csv': csv(OBJECTS) }],
    ['Parquet', { 'interact.parquet': parquetOf(INTERACT), 'tagged.parquet': parquetOf(TAGGED) }],
    [
      'gzip, also where the name does not say so',
      {
        'interact.tsv.gz': gzipSync(INTERACT),
        'tagged.csv': gzipSync(csv(TAGGED)),
        'objects.parquet.gz': gzipSync(parquetOf(OBJECTS)),
      },
    ],
    ['many chunks', { ...WHOLE, 'interact.tsv': LONG }],
    ['many chunks, gzipped', { ...WHOLE, 'interact.tsv': gzipSync(LONG) }],
    ['other files beside them', { ...WHOLE, 'README.md': 'about' }],
    ['rows left out and titles that differ', { ...WHOLE, 'objects.tsv': `${OBJECTS}a\tAardvark\n\t\n` }],
    ['a byte order mark and other line ends', { ...WHOLE, 'tagged.tsv': `\ufeff${TAGGED.replaceAll('\n', '\r\n')}` }],
  ])('gives what load gives: %s', async (_case, files) => {
    const { fromFolder, fromFiles } = await bothWays(files);
    expect(fromFolder.outcome).toMatch(/^[0-9a-f]{32}$/);
    expect(fromFiles).toEqual(fromFolder);
  });

  it.each<[string, Files, RegExp]>([
    [
      'a ragged row',
      { ...WHOLE, 'tagged.tsv': `${TAGGED}c\n` },
      /^tagged\.tsv, line 5: got 1 field \("c"\), expected 2/,
    ],
    [
      'a wrong header',
      { ...WHOLE, 'tagged.tsv': 'thing\ttag\na\tb\n' },
      /^tagged\.tsv, line 1: got the columns "thing"/,
    ],
    ['an empty table', { ...WHOLE, 'interact.tsv': '' }, /^interact\.tsv: got an empty file/],
    ['no pairs', { ...WHOLE, 'tagged.tsv': 'object\ttag\n' }, /^tagged\.tsv: got no tags/],
    [
      'other objects',
      { ...WHOLE, 'interact.tsv': 'user\tobject\nu\tx1\nu\tx2\n' },
      /^interact\.tsv: got objects such as "x1", none of which is in tagged\.tsv or objects\.tsv/,
    ],
    [
      'no UTF-8',
      { ...WHOLE, 'tagged.tsv': Uint8Array.of(...Buffer.from(TAGGED), 0xff, 0x0a) },
      /line 5: got bytes that are not/,
    ],
    [
      'gzip cut short',
      { ...WHOLE, 'interact.tsv': gzipSync(LONG).subarray(0, 5000) },
      /got a broken gzip file \(unexpected end of file\)/,
    ],
    [
      'a wrong checksum',
      { 'interact.tsv.gz': damaged(gzipSync(INTERACT)), 'tagged.tsv': TAGGED },
      /\(incorrect data check\)/,
    ],
    ['no gzip', { 'interact.tsv.gz': INTERACT, 'tagged.tsv': TAGGED }, /got a file that does not begin like gzip/],
    ['nothing in a .gz', { 'interact.tsv.gz': '', 'tagged.tsv': TAGGED }, /got an empty file, expected a gzip file/],
    ['no Parquet', { 'interact.parquet': INTERACT, 'tagged.tsv': TAGGED }, /cannot be read as Parquet/],
    ['two tables of a name', { ...WHOLE, 'tagged.csv': csv(TAGGED) }, /^got tagged\.csv and tagged\.tsv, expected one/],
  ])('refuses as load does: %s', async (_case, files, message) => {
    const { fromFolder, fromFiles } = await bothWays(files);
    expect(fromFiles.outcome).toMatch(message);
    expect(fromFiles).toEqual(fromFolder);
  });

  it('says which table is missing among which files', async () => {
    const reading = readFiles(filesOf({ 'interact.tsv': INTERACT, 'a.md': '' }));
    await expect(reading).rejects.toThrow(
      /^got the files a\.md, interact\.tsv, expected a table called tagged\. Add tagged\.tsv/,
    );
    await expect(readFiles([])).rejects.toThrow(/^got no files, expected a table called tagged/);
  });

  it('hears a signal, and tells how far it is', async () => {
    const stop = new AbortController();
    const steps: [string, number, number][] = [];
    const progress = (step: string, done: number, total: number) => {
      steps.push([step, done, total]);
      stop.abort();
    };
    const files = filesOf({ ...WHOLE, 'interact.tsv': LONG.repeat(2) });
    await expect(readFiles(files, { progress, signal: stop.signal })).rejects.toThrow('Stopped on request.');
    expect(steps[0]).toEqual(['reading tagged.tsv', expect.any(Number), files[1].size]);
    expect(steps[0][1]).toBeLessThanOrEqual(files[1].size);
  });
});

/** With another checksum than its contents have. */
function damaged(gzip: Buffer): Buffer {
  const bytes = Buffer.from(gzip);
  bytes[bytes.length - 8] ^= 1;
  return bytes;
}
