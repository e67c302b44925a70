import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { graphFrom } from '../../src/data/knowledge-graph.ts';
import { writeTensorFile } from '../../src/data/tensor-file.ts';
import { MODELS, type ModelName } from '../../src/models/catalogue.ts';
import { loadModel, saveModel } from '../../src/models/model-file.ts';
import { encodeModel } from '../../src/models/model-tensors.ts';
import { train } from '../../src/pipeline.ts';
import { Recommender } from '../../src/serving/recommend/recommender.ts';
import type { Settings } from '../../src/settings.ts';
import { checkerboard } from '../checkerboard.ts';
import { tempFolder } from '../temp-folder.ts';

const QUICK: Settings = { epochs: 2, hidden: 8, output: 4, width: 8, batchSize: 64 };

describe('a model file', () => {
  it.each(Object.keys(MODELS) as ModelName[])(
    'brings %s back: the same graph, settings and suggestions',
    async (name) => {
      const known = MODELS[name].settings;
      const settings = Object.fromEntries(Object.entries(QUICK).filter(([setting]) => setting in known));
      const model = await train(checkerboard(), { model: name, settings, threads: 1 });
      const path = join(await tempFolder(), `${name}.tagloom`);
      await saveModel(path, model);
      expect((await readFile(path)).equals(Buffer.concat(encodeModel(model)))).toBe(true);
      const back = await loadModel(path);
      expect(back).toEqual(model);
      const [before, after] = [
        await Recommender.open(model, { threads: 1 }),
        await Recommender.open(back, { threads: 1 }),
      ];
      for (const object of [0, 17, 59]) {
        const suggestions = await after.suggest(object, { limit: 4 });
        expect(suggestions).toEqual(await before.suggest(object, { limit: 4 }));
        const has = Array.from(model.graph.tagged.row(object), (tag) => model.graph.tags.name(tag));
        for (const { tag } of suggestions) expect(has).not.toContain(tag);
      }
      before.close();
      after.close();
    },
  );

  it('keeps titles and objects without tags or users', async () => {
    const graph = graphFrom({
      interact: [
        ['u', '@scope/ä'],
        ['u', 'b'],
      ],
      tagged: [
        ['b', 'x y'],
        ['c', 'z'],
      ],
      objects: [
        ['b', 'Title of b'],
        ['lonely', 'Löner'],
      ],
    });
    const model = await train(graph, { model: 'itemknn', threads: 1 });
    const path = join(await tempFolder(), 'm');
    await saveModel(path, model);
    const back = await loadModel(path);
    expect(back.graph.titles.toArray()).toEqual(graph.titles.toArray());
    expect(back.graph.objects.idOf('lonely')).toBe(graph.objects.idOf('lonely'));
    expect(back).toEqual(model);
  });

  it('refuses tensors that are no model, and models of a later version', async () => {
    const path = join(await tempFolder(), 'other');
    await writeTensorFile(path, { metadata: {}, tensors: new Map() });
    await expect(loadModel(path)).rejects.toThrow(/got tensors of another program, expected a tagloom model/);
    await writeTensorFile(path, { metadata: { format: 'tagloom checkpoint' }, tensors: new Map() });
    await expect(loadModel(path)).rejects.toThrow(/got a tagloom checkpoint, expected a tagloom model/);
    await writeTensorFile(path, { metadata: { format: 'tagloom model', version: '9' }, tensors: new Map() });
    await expect(loadModel(path)).rejects.toThrow(/got a model of version 9, expected 1/);
    await writeTensorFile(path, { metadata: { format: 'tagloom model', version: '1' }, tensors: new Map() });
    await expect(loadModel(path)).rejects.toThrow(/got no objects.bytes of the right type/);
  });
});
