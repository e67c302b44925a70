// What is read from a path and what is read from a file in memory are compared in data-set.test.ts.

import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isUtf8File,
  joined,
  nameOf,
  readChunks,
  readLatin1Chunks,
  type Source,
} from '../../../src/data/table/source.ts';
import { anyText } from '../../arbitraries.ts';
import { tempFolder } from '../../temp-folder.ts';

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk.slice());
  return joined(all);
}

const asFile = (bytes: Uint8Array) => new File([bytes as Uint8Array<ArrayBuffer>], 'x');

describe('readChunks', () => {
  it.each<[string, (bytes: Uint8Array) => Uint8Array]>([
    ['plain', (bytes) => bytes],
    ['gzipped', gzipSync],
  ])('gives the contents, %s, from a path and from a file in memory', async (_, pack) => {
    const bytes = Uint8Array.from({ length: 1_500_000 }, (_, i) => (i * i) >> 7);
    const packed = pack(bytes);
    const sources: Source[] = [join(await tempFolder({ x: packed }), 'x'), asFile(packed)];
    for (const source of sources) expect(Buffer.compare(await bytesOf(readChunks(source)), bytes)).toBe(0);
  });
});

describe('readLatin1Chunks', () => {
  it('gives the same text in UTF-8', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const text = Buffer.from(bytes).toString('latin1');
        const read = await bytesOf(readLatin1Chunks(asFile(bytes)));
        expect(Buffer.from(read).toString('utf8')).toBe(text);
      }),
    );
  });
});

describe('isUtf8File', () => {
  it('agrees with Node, also where a character crosses the border of two chunks', async () => {
    const filler = 'x'.repeat((1 << 20) - 1);
    expect(await isUtf8File(join(await tempFolder({ x: `${filler}é日本𝔘` }), 'x'))).toBe(true);
    expect(await isUtf8File(join(await tempFolder({ x: Buffer.from(`${filler}é`, 'latin1') }), 'x'))).toBe(false);
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 8 }), anyText), async (given) => {
        const bytes = Buffer.from(given as string);
        expect(await isUtf8File(asFile(bytes))).toBe(isUtf8(bytes));
      }),
    );
  });
});

describe('nameOf', () => {
  it('is the path, or the name of a file that has none', () => {
    expect(nameOf('a/b.tsv')).toBe('a/b.tsv');
    expect(nameOf(new File([], 'b.tsv'))).toBe('b.tsv');
  });
});
