// Maps as a service has them: drawn in a thread (of the built program), kept in a file.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { train } from '../../../src/pipeline.ts';
import type { MapSide } from '../../../src/serving/map/map-vectors.ts';
import { Maps } from '../../../src/serving/map/maps.ts';
import { checkerboard } from '../../checkerboard.ts';
import { tempFolder } from '../../temp-folder.ts';

const mapThread = new URL('../../../dist/serving/map/map-thread.js', import.meta.url);
const nowhere = new URL('./no-such-thread.js', import.meta.url);
const model = await train(checkerboard(), { model: 'popularity', threads: 1 });

function open(options: Partial<ConstructorParameters<typeof Maps>[2]> = {}, fingerprint = 'f1') {
  const warnings: string[] = [];
  const maps = new Maps(model, fingerprint, { mapThread, warn: (message) => warnings.push(message), ...options });
  return { maps, warnings };
}

async function drawn(maps: Maps, side: MapSide) {
  for (;;) {
    const state = await maps.get(side);
    if ('body' in state) return JSON.parse(state.body);
    expect(state.done).toSatisfy((done: number) => done >= 0 && done <= 1);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('Maps', () => {
  it('draws in a thread, keeps the map beside the model, and reads it again', async () => {
    const mapFile = join(await tempFolder(), 'model.map.json');
    const { maps, warnings } = open({ mapFile });
    expect(await maps.get('tags')).toEqual({ done: 0 }); // answered at once
    const tags = await drawn(maps, 'tags');
    expect(tags.points.map((one: { name: string }) => one.name)).toEqual(model.graph.tags.names.toArray());
    const objects = await drawn(maps, 'objects');
    expect(objects.points[0]).toEqual({
      ...{ name: 'o000', title: 'o000', cluster: expect.any(Number) },
      ...{ x: expect.any(Number), y: expect.any(Number) },
    });
    for (const { cluster } of objects.points) expect(objects.clusters[cluster].name).toMatch(/^t\d+$/);
    while (!('objects' in (await kept(mapFile)))) await new Promise((resolve) => setTimeout(resolve, 5));
    await maps.close();
    const again = open({ mapFile, mapThread: nowhere }).maps;
    expect(await drawn(again, 'tags')).toEqual(tags);
    expect(await drawn(again, 'objects')).toEqual(objects);
    expect(warnings).toEqual([]);
  });

  async function kept(mapFile: string): Promise<object> {
    return readFile(mapFile, 'utf8').then(
      (text) => JSON.parse(text).maps,
      () => ({}),
    );
  }

  it('draws anew where the file is of another model or damaged', async () => {
    const folder = await tempFolder();
    const mapFile = join(folder, 'model.map.json');
    const old = {
      format: 'tagloom map',
      version: 1,
      fingerprint: 'other',
      maps: { tags: { points: [], clusters: [] } },
    };
    for (const text of [
      JSON.stringify(old),
      '{"format":',
      JSON.stringify({ ...old, fingerprint: 'f1', maps: { tags: 5 } }),
    ]) {
      await writeFile(mapFile, text);
      const { maps } = open({ mapFile });
      expect((await drawn(maps, 'tags')).points).toHaveLength(20);
      while (!(await readFile(mapFile, 'utf8')).includes('"f1"'))
        await new Promise((resolve) => setTimeout(resolve, 5));
      await maps.close();
    }
    expect(await readdir(folder)).toEqual(['model.map.json']); // nothing half-written
  });

  it('keeps maps in memory where no file can be written, and warns once', async () => {
    const { maps, warnings } = open({ mapFile: join(await tempFolder(), 'none', 'model.map.json') });
    const tags = await drawn(maps, 'tags');
    await drawn(maps, 'objects');
    while (warnings.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await drawn(maps, 'tags')).toEqual(tags);
    await maps.close();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/the map was not saved \(no such folder\)/);
  });

  it('says that drawing failed, and tries again when asked again', async () => {
    const { maps } = open({ mapThread: nowhere });
    await maps.get('tags');
    await expect(drawn(maps, 'tags')).rejects.toThrow(/no-such-thread/);
    expect(await maps.get('tags')).toEqual({ done: 0 });
    await maps.close();
  });

  it('stops drawing when it is closed', async () => {
    const { maps } = open();
    await maps.get('objects');
    await maps.close();
    await expect(drawn(maps, 'objects')).rejects.toThrow(/before its time/);
  });
});
