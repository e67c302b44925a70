import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { type NamedTensor, readTensorFile, type TensorFile, writeTensorFile } from '../../src/data/tensor-file.ts';
import { tempFolder } from '../temp-folder.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await tempFolder();
  path = join(folder, 'some.tagloom');
});

const example: TensorFile = {
  metadata: { format: 'test', name: 'Ünïcödé "quoted"' },
  tensors: new Map<string, NamedTensor>([
    ['names', { shape: [5], data: Uint8Array.of(1, 2, 3, 4, 5) }],
    ['matrix', { shape: [2, 3], data: Float32Array.of(1, -2.5, 3e-40, Number.POSITIVE_INFINITY, 5, 6) }],
    ['starts', { shape: [2], data: Int32Array.of(-1, 2 ** 31 - 1) }],
    ['none', { shape: [0, 7], data: new Float32Array(0) }],
    ['offsets', { shape: [1], data: Uint32Array.of(2 ** 32 - 1) }],
    ['exact', { shape: [1], data: Float64Array.of(Math.PI) }],
  ]),
};

describe('a tensor file', () => {
  it('reads back as it was written, and another reader finds the arrays aligned and end to end', async () => {
    await writeTensorFile(path, example);
    const back = await readTensorFile(path);
    expect(back.metadata).toMatchObject(example.metadata);
    expect(new Map(back.tensors)).toEqual(new Map(example.tensors));
    const bytes = await readFile(path);
    const headerLength = Number(bytes.readBigUInt64LE(0));
    expect((8 + headerLength) % 64).toBe(0);
    const { __metadata__, ...entries } = JSON.parse(bytes.subarray(8, 8 + headerLength).toString());
    const places = Object.values<{ data_offsets: [number, number] }>(entries).map((entry) => entry.data_offsets);
    places.sort(([a], [b]) => a - b);
    let end = 0;
    for (const [begin, next] of places) {
      expect(begin).toBe(end);
      end = next;
    }
    expect(8 + headerLength + end).toBe(bytes.length);
    expect(entries.matrix.data_offsets[0] % 4).toBe(0);
    expect(await readdir(folder)).toEqual(['some.tagloom']); // nothing temporary left
  });

  it('gives the same bytes for the same contents in any order', async () => {
    await writeTensorFile(path, example);
    const first = await readFile(path);
    await writeTensorFile(path, { ...example, tensors: new Map([...example.tensors].reverse()) });
    expect(await readFile(path)).toEqual(first);
  });

  it('notices any changed byte and any cut', async () => {
    await writeTensorFile(path, example);
    const good = await readFile(path);
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const bad = Buffer.from(good);
        bad[at] ^= change;
        await writeFile(path, bad);
        await expect(readTensorFile(path)).rejects.toMatchObject({ name: 'InputError' });
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), async (length) => {
        await writeFile(path, good.subarray(0, length));
        await expect(readTensorFile(path)).rejects.toMatchObject({ name: 'InputError' });
      }),
    );
    await writeFile(path, Buffer.concat([good, Buffer.of(0)]));
    await expect(readTensorFile(path)).rejects.toThrow(/The file is damaged/);
  });

  it('refuses shapes that the file has no room for, and types there are none of', async () => {
    const header = { a: { dtype: 'U8', shape: [2 ** 33], data_offsets: [0, 2 ** 33] } };
    const headerOf = (entries: object, checksum = '0'.repeat(64)) => {
      const json = Buffer.from(JSON.stringify({ __metadata__: { checksum }, ...entries }));
      const length = Buffer.alloc(8);
      length.writeBigUInt64LE(BigInt(json.length));
      return Buffer.concat([length, json]);
    };
    for (const [bytes, message] of [
      [headerOf(header), /got 0 bytes of tensors, expected 8589934592 and more/],
      [headerOf({ a: { ...header.a, shape: [2 ** 52, 2 ** 52] } }), /The file is damaged/],
      [headerOf({ a: { ...header.a, dtype: 'toString' } }), /got a of type toString/],
      [headerOf({}, '"'.repeat(1000)), /a file of another kind/],
    ] as const) {
      await writeFile(path, bytes);
      await expect(readTensorFile(path)).rejects.toThrow(message);
      await expect(readTensorFile(path)).rejects.toMatchObject({ name: 'InputError' });
    }
  });

  it('says what is wrong with a file of another kind, a missing one, a place it cannot write', async () => {
    await writeFile(path, 'object\ttag\nfoo\tbar\n');
    await expect(readTensorFile(path)).rejects.toThrow(
      `${path}: got a file of another kind, expected a tagloom model. Name a file that "tagloom train" wrote.`,
    );
    await expect(readTensorFile(join(folder, 'missing'))).rejects.toThrow(/got no such file, expected a model file/);
    await expect(readTensorFile(folder)).rejects.toThrow(/got a folder, expected a model file/);
    await expect(writeTensorFile(join(folder, 'no', 'such'), example)).rejects.toThrow(
      /got no such folder, expected one to write in/,
    );
  });

  it('leaves the old file when it is stopped', async () => {
    await writeTensorFile(path, example);
    const before = await readFile(path);
    const stopped = { signal: AbortSignal.abort() };
    await expect(writeTensorFile(path, { ...example, metadata: {} }, stopped)).rejects.toThrow('Stopped on request.');
    expect(await readFile(path)).toEqual(before);
    expect(await readdir(folder)).toEqual(['some.tagloom']);
  });
});
