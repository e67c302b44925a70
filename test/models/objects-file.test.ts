import { readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { graphFromItems } from '../../src/data/items.ts';
import { StoredTexts } from '../../src/data/stored-texts.ts';
import { NameTable } from '../../src/data/vocabulary.ts';
import type { Model } from '../../src/models/model.ts';
import { decodeModel, loadModel, modelBytes, saveModel } from '../../src/models/model-file.ts';
import { modelFingerprint } from '../../src/models/model-fingerprint.ts';
import { packForThread, unpackFromThread } from '../../src/models/model-transfer.ts';
import { writeObjects } from '../../src/models/objects-file.ts';
import { train } from '../../src/pipeline.ts';
import { Recommender } from '../../src/serving/recommend/recommender.ts';
import { tempFolder } from '../temp-folder.ts';

const BESIDE = { objectsFileFrom: 0 };
const WORDS = ['tent', 'stove', 'rope', 'lamp', 'boot', 'map', 'é 日本'];

function modelOf(numObjects: number): Promise<Model> {
  const items = Array.from({ length: numObjects }, (_, i) => ({
    id: `o${i}`,
    title: `${WORDS[i % 7]} ${i}`,
    text: i % 9 === 0 ? '' : `${WORDS[(i * i) % 7]} and ${WORDS[i % 5]}, number ${i}`,
    tags: [`t${i % 3}`, `t${3 + (i % 4)}`],
    url: `https://example.org/${i}`,
  }));
  return train(graphFromItems(items), { model: 'loom', threads: 1 });
}

let model: Model;
beforeAll(async () => {
  model = await modelOf(80);
});

async function saved(one = model, name = 'shop') {
  const folder = await tempFolder();
  const path = join(folder, name);
  await saveModel(path, one, {}, BESIDE);
  const [objects] = (await readdir(folder)).filter((file) => file.includes('.objects-'));
  return { folder, path, objects: join(folder, objects) };
}

describe('a model with its objects in a file beside it', () => {
  it('is the same model: texts, links, suggestions and fingerprint', async () => {
    const { path } = await saved();
    const back = await loadModel(path);
    expect(back.graph.texts[0].texts).toBeInstanceOf(StoredTexts);
    expect(back.graph.texts.map(({ name, texts }) => [name, texts.toArray()])).toEqual(
      model.graph.texts.map(({ name, texts }) => [name, texts.toArray()]),
    );
    expect(back.graph.links?.toArray()).toEqual(model.graph.links?.toArray());
    expect(modelFingerprint(back)).toBe(modelFingerprint(model));
    const all = async (one: Model) => {
      const recommender = await Recommender.open(one, { threads: 1 });
      const found: unknown[] = [];
      for await (const suggestions of recommender.suggestAll({ limit: 3 })) found.push(suggestions);
      recommender.close();
      return found;
    };
    expect(await all(back)).toEqual(await all(model));
  });

  it('becomes one file again, byte for byte', async () => {
    const { path, folder } = await saved();
    const whole = join(await tempFolder(), 'whole');
    await saveModel(whole, model);
    const back = await loadModel(path);
    expect(Buffer.from(modelBytes(back)).equals(await readFile(whole))).toBe(true);
    await saveModel(path, back); // over itself, in one file
    expect((await readFile(path)).equals(await readFile(whole))).toBe(true);
    expect(await readdir(folder)).toEqual(['shop']);
  });

  it('is opened without reading the texts', async () => {
    const { path, objects } = await saved();
    const bytes = await readFile(objects);
    await writeFile(objects, bytes.fill('x', bytes.indexOf('and')));
    expect((await loadModel(path)).graph.texts[0].texts.at(3)).toMatch(/xxx$/);
  });

  it('goes to another thread', async () => {
    const { path } = await saved();
    const { packed, buffers } = packForThread(await loadModel(path));
    const there = unpackFromThread<Model>({ packed: structuredClone(packed, { transfer: buffers }) });
    expect(there.graph.texts[0].texts.toArray()).toEqual(model.graph.texts[0].texts.toArray());
  });

  it('says which file is missing, cut, foreign or of another kind', async () => {
    const { path, objects } = await saved();
    const name = objects.slice(objects.lastIndexOf('/') + 1);
    const cure = `Copy ${name} from where the model comes from, or train it again.`;
    const expected = 'expected what is written about the objects of shop.';
    const other = await saved(await modelOf(60));
    await rename(other.objects, objects);
    await expect(loadModel(path)).rejects.toThrow(`${objects}: got the objects of another model, ${expected} ${cure}`);
    await rename(other.path, objects);
    await expect(loadModel(path)).rejects.toThrow(`${objects}: got a file of another kind, ${expected} ${cure}`);
    await rm(objects);
    await expect(loadModel(path)).rejects.toThrow(`${objects}: got no such file, ${expected} ${cure}`);
    await saveModel(path, model, {}, BESIDE);
    await truncate(objects, (await readFile(objects)).length - 1);
    await expect(loadModel(path)).rejects.toThrow(/The file is damaged/);
    await expect(decodeModel(await readFile(path))).rejects.toThrow(/Load it by its path with loadModel/);
  });

  it('keeps its own objects where a run stops before the model is written, and the last run leaves no others', async () => {
    const { path, folder } = await saved();
    const next = await modelOf(60);
    await writeObjects(path, next.graph, {});
    expect(await readdir(folder)).toHaveLength(3);
    expect((await loadModel(path)).graph.texts[0].texts.size).toBe(80);
    await saveModel(path, next, {}, BESIDE);
    expect(await readdir(folder)).toHaveLength(2);
    expect((await loadModel(path)).graph.texts[0].texts.size).toBe(60);
  });

  it('is made from 256 MB on only', async () => {
    const folder = await tempFolder();
    await saveModel(join(folder, 'small'), model);
    expect(await readdir(folder)).toEqual(['small']);
  });
});

describe('texts in a file', () => {
  it('are those of a table in memory, wherever they begin and however long they are', async () => {
    const folder = await tempFolder();
    const long = fc.integer({ min: 0, max: 200_000 }).map((length) => 'añb'.repeat(length / 3));
    const texts = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), long), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 0, max: 9 }), fc.array(fc.nat(11)), async (all, start, asked) => {
        const table = NameTable.from(all);
        const path = join(folder, 'bytes');
        await writeFile(path, Buffer.concat([Buffer.alloc(start, '?'), table.bytes]));
        const stored = new StoredTexts({ path, start }, table.offsets);
        await rm(path); // it is open
        for (const id of asked.filter((id) => id < all.length)) expect(stored.at(id)).toBe(table.at(id));
        expect(stored.toArray()).toEqual(table.toArray());
        expect(Buffer.concat([...stored.pieces()]).equals(table.bytes)).toBe(true);
        expect(() => stored.at(all.length)).toThrow(RangeError);
      }),
      { numRuns: 40 },
    );
  });
});
