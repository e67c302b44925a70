// Every format is read back by other means than it was written with: texts are split by hand, the NumPy header is taken
// apart byte by byte, Parquet goes through the library that reads it.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { graphFrom, type KnowledgeGraph } from '../../../src/data/knowledge-graph.ts';
import { CancelledError } from '../../../src/errors.ts';
import type { Model } from '../../../src/models/model.ts';
import { Random } from '../../../src/random.ts';
import { EXPORT_FORMATS, exportEmbeddings } from '../../../src/serving/export/export.ts';
import { float32Text, float32TextByTrial } from '../../../src/serving/export/text.ts';
import type { Embeddings } from '../../../src/training/trainer.ts';
import { knowledgeGraph, name } from '../../arbitraries.ts';
import { tempFolder } from '../../temp-folder.ts';

type EmbeddingModel = Model & { readonly fitted: Embeddings };

function modelOf(graph: KnowledgeGraph, width: number): EmbeddingModel {
  const random = new Random(1, 'test of exports');
  const numbers = (length: number) =>
    Float32Array.from({ length }, () => (random.float() - 0.5) * 10 ** (random.below(13) - 8));
  const objects = numbers(graph.objects.size * width);
  objects[0] = -0;
  const tags = numbers(graph.tags.size * width);
  const fitted = { form: 'embeddings', width, objects, tags, base: numbers(graph.tags.size) } as const;
  return { name: 'dge', settings: {}, metrics: {}, graph, fitted };
}

/** A graph with these tags on one object. */
function withTags(...tags: string[]): KnowledgeGraph {
  return graphFrom({ interact: [['u', 'o']], tagged: tags.map((tag) => ['o', tag] as const) });
}

function manyObjects(numObjects: number): KnowledgeGraph {
  const objects = Array.from({ length: numObjects }, (_, i) => `object ${i}`);
  return graphFrom({ interact: objects.map((object) => ['u', object] as const), tagged: [[objects[0], 't']] });
}

const lines = async (path: string) => (await readFile(path, 'utf8')).replace(/\n$/, '').split('\n');
const float32 = (texts: readonly string[]) => Float32Array.from(texts, Number);
const row = ({ width }: Embeddings, all: Float32Array, id: number) => all.slice(id * width, (id + 1) * width);

async function readWord2vec(path: string) {
  const [header, ...rest] = await lines(path);
  const [count, width] = header.split(' ').map(Number);
  const rows = rest.map((line) => line.split(/[\s\u0085]/u)); // at any blank, as the least careful reader does
  return { count, width, names: rows.map(([first]) => first), vectors: rows.map(([, ...texts]) => float32(texts)) };
}

async function readNpy(path: string) {
  const bytes = await readFile(path);
  expect(bytes.subarray(0, 8)).toEqual(Buffer.from('\x93NUMPY\x01\x00', 'latin1'));
  const start = 10 + bytes.readUInt16LE(8);
  expect(start % 64).toBe(0);
  const header = bytes.subarray(10, start).toString('latin1');
  const match = /^\{'descr': '<f4', 'fortran_order': False, 'shape': \((\d+),(?: (\d+))?\), \} *\n$/.exec(header);
  expect(match, header).not.toBeNull();
  const shape = (match?.slice(1) ?? []).filter((length) => length !== undefined).map(Number);
  return {
    shape,
    data: new Float32Array(bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + bytes.length)),
  };
}

async function readParquet(path: string) {
  return parquetReadObjects({ file: await asyncBufferFromFile(path) });
}

describe('float32Text(value)', () => {
  it('reads back to the same float32, and as short as the plain version has it', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Math.fround(Number(float32Text(value)))).toBe(value);
        expect(float32Text(value).length).toBeLessThanOrEqual(float32TextByTrial(value).length + 1); // "-0" is "0" there
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    [0.1, '0.1'],
    [-0.3, '-0.3'],
    [1 / 3, '0.33333334'],
    [0, '0'],
    [-0, '-0'],
    [1e-7, '1e-7'],
    [16_777_216, '16777216'],
    [3.4028234663852886e38, '3.4028235e+38'],
  ])('%d is "%s"', (value, text) => expect(float32Text(Math.fround(value))).toBe(text));
});

describe('exportEmbeddings(model, target, options)', () => {
  it('writes word2vec that has each name in one piece, different from all others, and its numbers', async () => {
    const parts = fc.array(name, { minLength: 1, maxLength: 3 });
    const blank = fc.constantFrom(' ', '_', '  ', '\u00a0', '\u3000', '\u0085', '\u2028');
    const tag = fc.tuple(parts, blank).map(([words, between]) => words.join(between));
    const property = fc.asyncProperty(fc.array(tag, { minLength: 1, maxLength: 30 }), async (tags) => {
      const model = modelOf(withTags(...tags), 3);
      const path = join(await tempFolder(), 'tags.txt');
      await exportEmbeddings(model, path, { format: 'word2vec', what: 'tags' });
      const { count, width, names, vectors } = await readWord2vec(path);
      expect([count, width, names.length]).toEqual([model.graph.tags.size, 3, count]);
      expect(new Set(names).size).toBe(count);
      for (let id = 0; id < count; id++) {
        const plain = model.graph.tags.name(id).replace(/[\s\u0085]/gu, '_');
        if (plain === model.graph.tags.name(id)) expect(names[id]).toBe(plain);
        else expect(names[id].replace(/_\d+$/, '')).toBe(plain.replace(/_\d+$/, ''));
        expect(vectors[id]).toEqual(row(model.fitted, model.fitted.tags, id));
      }
    });
    await fc.assert(property, { numRuns: 50 });
  });

  it('keeps names apart that blanks alone told apart, and says so', async () => {
    const model = modelOf(withTags('a b', 'a_b', 'new york', 'new\u00a0york', 'new_york', 'new_york_2', 'rock'), 2);
    const path = join(await tempFolder(), 'tags.txt');
    const warnings: string[] = [];
    const warn = (message: string) => warnings.push(message);
    await exportEmbeddings(model, path, { format: 'word2vec', what: 'tags', warn });
    const { names } = await readWord2vec(path);
    const written = Object.fromEntries(names.map((text, id) => [model.graph.tags.name(id), text]));
    expect(written).toEqual({
      'a b': 'a_b_2',
      a_b: 'a_b',
      'new york': 'new_york_3',
      'new\u00a0york': 'new_york_4',
      new_york: 'new_york',
      new_york_2: 'new_york_2',
      rock: 'rock',
    });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^tags: 3 names .* "a b" is "a_b_2"\.$/);
  });

  it('writes tables for the Projector: numbers without a header, names, titles and counts with one', async () => {
    const property = fc.asyncProperty(knowledgeGraph, async (graph) => {
      const model = modelOf(graph, 2);
      const folder = join(await tempFolder(), 'projector');
      await exportEmbeddings(model, folder, { format: 'projector', what: 'both' });
      for (const side of ['objects', 'tags'] as const) {
        const vectors = (await lines(join(folder, `${side}.vectors.tsv`))).map((line) => float32(line.split('\t')));
        const [header, ...rows] = (await lines(join(folder, `${side}.metadata.tsv`))).map((line) => line.split('\t'));
        expect(vectors).toHaveLength(graph[side].size);
        expect(rows).toHaveLength(graph[side].size);
        expect(header).toEqual(side === 'tags' ? ['name', 'numObjects'] : ['name', 'title', 'numTags', 'numUsers']);
        for (let id = 0; id < rows.length; id++) {
          expect(vectors[id]).toEqual(row(model.fitted, model.fitted[side], id));
          const numObjects = graph.tagged.tails.filter((tag) => tag === id).length;
          const numUsers = graph.interact.tails.filter((object) => object === id).length;
          const counts = side === 'tags' ? [numObjects] : [graph.tagged.rowLength(id), numUsers];
          const titles = side === 'tags' ? [] : [graph.titles.at(id)];
          expect(rows[id]).toEqual([graph[side].name(id), ...titles, ...counts.map(String)]);
        }
      }
    });
    await fc.assert(property, { numRuns: 20 });
  });

  it('writes NumPy arrays in version 1.0, float32 by rows, and the names of the rows', async () => {
    const property = fc.asyncProperty(knowledgeGraph, fc.integer({ min: 1, max: 9 }), async (graph, width) => {
      const { fitted, ...model } = modelOf(graph, width);
      const folder = join(await tempFolder(), 'arrays');
      await exportEmbeddings({ fitted, ...model }, folder, { format: 'npy', what: 'both' });
      const [numObjects, numTags] = [graph.objects.size, graph.tags.size];
      expect(await readNpy(join(folder, 'objects.npy'))).toEqual({ shape: [numObjects, width], data: fitted.objects });
      expect(await readNpy(join(folder, 'tags.npy'))).toEqual({ shape: [numTags, width], data: fitted.tags });
      expect(await readNpy(join(folder, 'base.npy'))).toEqual({ shape: [numTags], data: fitted.base });
      expect(await lines(join(folder, 'objects.txt'))).toEqual(graph.objects.names.toArray());
      expect(await lines(join(folder, 'tags.txt'))).toEqual(graph.tags.names.toArray());
    });
    await fc.assert(property, { numRuns: 20 });
  });

  it('writes Parquet with names, titles, bases and lists of float32', async () => {
    const property = fc.asyncProperty(knowledgeGraph, fc.integer({ min: 1, max: 5 }), async (graph, width) => {
      const { fitted, ...model } = modelOf(graph, width);
      const folder = join(await tempFolder(), 'tables');
      await exportEmbeddings({ fitted, ...model }, folder, { format: 'parquet', what: 'both' });
      expect(await readParquet(join(folder, 'objects.parquet'))).toEqual(
        graph.objects.names.toArray().map((object, id) => {
          return { name: object, title: graph.titles.at(id), vector: [...row(fitted, fitted.objects, id)] };
        }),
      );
      expect(await readParquet(join(folder, 'tags.parquet'))).toEqual(
        graph.tags.names.toArray().map((tag, id) => {
          return { name: tag, base: fitted.base[id], vector: [...row(fitted, fitted.tags, id)] };
        }),
      );
    });
    await fc.assert(property, { numRuns: 20 });
  });

  it('is right past the first chunk of text and the first row group', async () => {
    const model = modelOf(manyObjects(9000), 64);
    const root = await tempFolder();
    const [text, table] = [join(root, 'objects.txt'), join(root, 'objects.parquet')];
    await exportEmbeddings(model, text, { format: 'word2vec', what: 'objects' });
    await exportEmbeddings(model, table, { format: 'parquet', what: 'objects' });
    const { names, vectors } = await readWord2vec(text);
    const file = await asyncBufferFromFile(table);
    expect((await parquetMetadataAsync(file)).row_groups.length).toBeGreaterThan(1);
    const rows = await parquetReadObjects({ file });
    expect(rows).toHaveLength(9000);
    for (let id = 0; id < 9000; id += 37) {
      const expected = row(model.fitted, model.fitted.objects, id);
      expect(names[id]).toBe(model.graph.objects.name(id).replace(' ', '_'));
      expect(vectors[id]).toEqual(expected);
      expect(rows[id].name).toBe(model.graph.objects.name(id));
      expect(rows[id].vector).toEqual([...expected]);
    }
  });

  it.each(EXPORT_FORMATS)(
    'as %s leaves nothing behind when it is stopped, at the start or in the middle',
    async (format) => {
      const model = modelOf(manyObjects(6000), 32); // 2 MB of text: more than a chunk
      for (const what of ['both', 'objects'] as const) {
        for (const stopAt of [1, 2, 3]) {
          const root = await tempFolder();
          const controller = new AbortController();
          let numCalls = 0;
          const progress = () => {
            if (++numCalls === stopAt) controller.abort();
          };
          const options = { format, what, progress, signal: controller.signal };
          const outcome = await exportEmbeddings(model, join(root, 'out'), options).catch((error) => error);
          if (numCalls < stopAt) continue; // it was over before
          expect(outcome).toBeInstanceOf(CancelledError);
          expect(await readdir(root)).toEqual([]);
        }
      }
    },
  );
});
