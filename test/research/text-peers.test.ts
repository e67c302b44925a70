import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { contentOf, writeCase } from '../../research/text-peers-data.mjs';
import { judged, markdownTable } from '../../research/text-peers-judge.mjs';
import { tempFolder } from '../temp-folder.ts';

const options = { texts: undefined, titles: false, seed: 1 };

async function catalogue(numObjects: number) {
  const folder = await tempFolder();
  const objects = Array.from({ length: numObjects }, (_, i) => `o${i}`);
  const tagged = objects.map((object, i) => `${object}\tt${i % 3}\n`).join('');
  await writeFile(join(folder, 'tagged.tsv'), `object\ttag\n${tagged}bare\tt0\n`);
  const texts = objects.map((object, i) => `${object}\twords of ${i}\n`).join('');
  await writeFile(join(folder, 'descriptions.tsv.gz'), gzipSync(`object\ttext\n${texts}`));
  return folder;
}

describe('judged', () => {
  it('is P@1, P@3, P@5 and R@3 over all test objects, missing suggestions counting as wrong', () => {
    const test = new Map([
      ['a', ['x', 'y']],
      ['b', ['z']],
    ]);
    const found = new Map([['a', ['x', 'q', 'y', 'r', 's']]]);
    expect(judged(found, test)).toEqual({ 'p@1': 0.5, 'p@3': 1 / 3, 'p@5': 0.2, 'r@3': 0.5 });
  });
});

describe('contentOf', () => {
  it('draws a fifth of the objects that have tags and words, by the seed', async () => {
    const folder = await catalogue(50);
    const { train, test, isOfficial } = contentOf(folder, options);
    expect([train.size, test.size, isOfficial]).toEqual([40, 10, false]);
    expect([...train.keys()].filter((object) => test.has(object))).toEqual([]);
    expect(train.has('bare') || test.has('bare')).toBe(false);
    expect([...contentOf(folder, options).test.keys()]).toEqual([...test.keys()]);
    expect([...contentOf(folder, { ...options, seed: 2 }).test.keys()]).not.toEqual([...test.keys()]);
  });

  it('takes the official split where there is one', async () => {
    const folder = await catalogue(5);
    await mkdir(join(folder, 'test'));
    await writeFile(join(folder, 'test', 'tagged.tsv'), 'object\ttag\nte0\tt1\n');
    const { train, test, isOfficial } = contentOf(folder, options);
    expect([train.size, [...test], isOfficial]).toEqual([6, [['te0', ['t1']]], true]);
  });
});

describe('writeCase', () => {
  it('shows nobody the tags of test objects, and one data set not even the objects', async () => {
    const [folder, content] = [await tempFolder(), contentOf(await catalogue(20), options)];
    writeCase(folder, content);
    const objectsIn = async (name: string) =>
      (await readFile(join(folder, name), 'utf8')).trimEnd().split('\n').slice(1).map((line) => line.split('\t')[0]); // biome-ignore format: one chain
    const hidden = [...content.test.keys()];
    for (const name of ['train.tsv', 'tagloom/tagged.tsv', 'tagloom-unseen/tagged.tsv', 'tagloom-unseen/objects.tsv']) {
      const objects = await objectsIn(name);
      expect(objects.length).toBeGreaterThan(0);
      expect(hidden.filter((object) => objects.includes(object))).toEqual([]);
    }
    expect(await objectsIn('test.tsv')).toEqual(hidden);
    expect((await objectsIn('tagloom/objects.tsv')).length).toBe(20);
    expect((await objectsIn('documents.tsv')).length).toBe(20);
  });
});

describe('markdownTable', () => {
  it('has a line for each contestant and a blank where nothing was measured', () => {
    const machine = { cpu: 'a processor', cores: 2, memory: 8e9, node: 'v20', at: '', load: [0, 0, 0] };
    const facts = { data: 'd', split: 'official', numTrain: 4, numTest: 1, numTags: 2, machine };
    const row = {
      model: 'm',
      settings: {},
      seconds: 1.25,
      bytes: 2e6,
      batch: 1234.5,
      'p@1': 0.5,
      'p@3': 1,
      'p@5': 0,
      'r@3': 1,
    };
    const lines = markdownTable(facts, [row]).split('\n');
    expect(lines.at(-1)).toBe('| m | 50.00 | 100.00 | 0.00 | 100.00 | 1.3 | 2.00 | 1235 |  |');
    expect(lines.at(-2)?.split('|')).toHaveLength(lines.at(-1)?.split('|').length ?? 0);
  });
});
