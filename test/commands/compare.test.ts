import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { addCompare } from '../../src/commands/compare.ts';
import { writeFolder } from '../../src/data/write-folder.ts';
import { checkerboard } from '../checkerboard.ts';
import { prepared, QUICK } from './checkerboard-data.ts';
import { runCommand } from './run-command.ts';

const PAPER = fileURLToPath(new URL('../../research/paper.json', import.meta.url));

describe('tagloom compare', () => {
  it('fits models to the same splits and tells which is best', async () => {
    const { data } = await prepared();
    const args = ['compare', data, '--models', 'popularity,itemknn', '--seeds', '2', '--k', '5'];
    const { models } = JSON.parse((await runCommand(addCompare, [...args, '--json'])).out);
    const [popularity, itemknn] = models;
    expect(itemknn.metrics['recall@5'].mean).toBeGreaterThan(0.95);
    expect(itemknn.againstBest).toBeUndefined();
    expect(popularity.againstBest.difference).toBeLessThan(-0.3);
    expect(popularity.againstBest.pValue).toBeLessThan(0.01);
    const { out } = await runCommand(addCompare, args);
    expect(out).toMatch(
      /^model +Recall@5 +NDCG@5 +NDCG@5 \(paper\) +cold Recall@5 +fit +against the best\npopularity /,
    );
  });

  it('hides all tags of some objects with --by object, and keeps such cells apart', async () => {
    const { folder, data } = await prepared();
    const args = [
      'compare',
      data,
      '--models',
      'itemknn',
      '--seeds',
      '1',
      '--k',
      '5',
      '--json',
      '-o',
      join(folder, 'cells'),
    ];
    const [pair, object] = [
      JSON.parse((await runCommand(addCompare, args)).out),
      JSON.parse((await runCommand(addCompare, [...args, '--by', 'object'])).out),
    ];
    expect([pair.by, object.by]).toEqual(['pair', 'object']);
    const groups = (answer: typeof pair) => answer.models[0].groups.map(({ group }: { group: string }) => group);
    expect(groups(object)).toEqual(['cold']);
    expect(groups(pair)).not.toEqual(['cold']);
  });

  it('gives models content features with --features, in cells of their own', async () => {
    const { folder } = await prepared();
    const data = join(folder, 'marked');
    await mkdir(data);
    const objects = Array.from({ length: 120 }, (_, i) => `object ${i}`);
    const rows = objects.flatMap((object, i) => [`${object}\ttag ${i % 6}`, `${object}\ttag ${6 + (i % 6)}`]);
    await writeFile(join(data, 'tagged.tsv'), ['object\ttag', ...rows, ''].join('\n'));
    const features = join(folder, 'marks.tsv');
    const marks = objects.map((object, i) => `${object}\tmark ${i % 6}`);
    await writeFile(features, ['object\tfeature', ...marks, ''].join('\n'));
    const cells = join(folder, 'cells');
    const args = [
      'compare',
      data,
      '--models',
      'popularity,loom',
      '--seeds',
      '1',
      '--by',
      'object',
      '--json',
      '-o',
      cells,
    ];
    const recallOf = async (more: string[]) => {
      const { models } = JSON.parse((await runCommand(addCompare, [...args, ...more])).out);
      return models[1].metrics['recall@3'].mean;
    };
    expect(await recallOf([])).toBeLessThan(0.6);
    expect(await recallOf(['--features', features])).toBe(1);
    await expect(runCommand(addCompare, ['compare', data, '--models', 'ease', '--features', features])).rejects.toThrow(
      'got --features for ease, expected a model that takes them. Leave out --features, or add loom.',
    );
  });

  it('keeps finished cells and goes on from them, but not with other settings or data', async () => {
    const { folder, data } = await prepared();
    const cells = join(folder, 'cells');
    const args = ['compare', data, '--models', 'popularity,itemknn', '--seeds', '2', '--json', '-o', cells];
    const first = JSON.parse((await runCommand(addCompare, args)).out);
    const files = await readdir(cells);
    expect(files.sort()).toHaveLength(4);
    // a cell that is there is believed, one that is damaged is fitted again
    const [itemknn] = files.filter((file) => file.includes('itemknn'));
    const kept = JSON.parse(await readFile(join(cells, itemknn), 'utf8'));
    await writeFile(join(cells, itemknn), JSON.stringify({ ...kept, seconds: 1e6 }));
    await writeFile(join(cells, files.find((file) => file.includes('popularity')) as string), '{"half":');
    const second = JSON.parse((await runCommand(addCompare, args)).out);
    expect(second.models[1].seconds).toBe(1e6);
    expect(second.models[0].metrics).toEqual(first.models[0].metrics);
    await runCommand(addCompare, [...args, '--set', 'itemknn.neighbours=3']);
    expect(await readdir(cells)).toHaveLength(6);
  });

  it('compares shares of training pairs, and tells objects by their number of training tags', async () => {
    const { data } = await prepared();
    const args = ['compare', data, '--models', 'itemknn', '--seeds', '1', '--train-fractions', '0.1,0.8'];
    const { models } = JSON.parse((await runCommand(addCompare, [...args, '--json'])).out);
    expect(models.map((one: { trainFraction: number }) => one.trainFraction)).toEqual([0.1, 0.8]);
    expect(models[0].groups.map(({ group }: { group: string }) => group)).toEqual(['cold', '1–9']);
    const { out } = await runCommand(addCompare, args);
    expect(out).toMatch(/^10 % of the pairs to train on$/m);
  });

  it('repeats to the digit, and hears settings for all models and for one', async () => {
    const { data } = await prepared();
    const run = async (...args: string[]) =>
      JSON.parse((await runCommand(addCompare, ['compare', data, '--seeds', '1', ...QUICK, '--json', ...args])).out);
    const [first, second] = [await run('--models', 'dge,so-ge'), await run('--models', 'dge,so-ge')];
    expect(second.models[0].metrics).toEqual(first.models[0].metrics);
    expect(second.models[1].metrics).toEqual(first.models[1].metrics);
    const { settings } = await run('--models', 'dge,so-ge', '--set', 'so-ge.epochs=2');
    expect(settings.data).toMatchObject({ dge: { epochs: 4 }, 'so-ge': { epochs: 2 } });
    await expect(run('--models', 'dge,nobody')).rejects.toThrow(/got the model "nobody"/);
  });

  it('hears settings for one model on one data set, from a file and over it', async () => {
    const { folder, data } = await prepared();
    const config = join(folder, 'settings.json');
    const args = ['compare', data, '--models', 'itemknn,popularity', '--seeds', '1', '--json', '--config', config];
    const neighbours = async (value: unknown, ...more: string[]) => {
      await writeFile(config, JSON.stringify(value));
      return JSON.parse((await runCommand(addCompare, [...args, ...more])).out).settings.data.itemknn.neighbours;
    };
    const nested = { itemknn: { neighbours: 3 }, data: { itemknn: { neighbours: 4 } }, other: { itemknn: { x: 5 } } };
    expect(await neighbours(nested)).toBe(4);
    expect(await neighbours(nested, '--set', 'itemknn.neighbours=6')).toBe(4);
    expect(await neighbours(nested, '--set', 'data.itemknn.neighbours=6')).toBe(6);
    expect(await neighbours({ 'itemknn.neighbours': 7 })).toBe(7);
    await expect(neighbours({ itemknn: { neighbours: [1] } })).rejects.toThrow(/got the value \[1\]/);
    await expect(neighbours({ data: { itemknn: { neighbour: 1 } } })).rejects.toThrow(/got the setting neighbour,/);
  });

  it('compares on several data sets, each under its name', async () => {
    const { folder, data } = await prepared();
    const other = join(folder, 'other');
    await mkdir(other);
    await writeFolder(other, checkerboard(30, 10, 20));
    const args = ['compare', data, other, '--models', 'popularity,itemknn', '--seeds', '1', '--k', '3'];
    const answer = JSON.parse((await runCommand(addCompare, [...args, '--json'])).out);
    expect(answer.data).toEqual([data, other]);
    expect(answer.models.map((one: { data: string; model: string }) => `${one.data} ${one.model}`)).toEqual([
      'data popularity',
      'data itemknn',
      'other popularity',
      'other itemknn',
    ]);
    const { out } = await runCommand(addCompare, args);
    expect(out).toMatch(/^data\nmodel .*\npopularity .*\nitemknn .*\n\nother\nmodel /m);
    await expect(runCommand(addCompare, ['compare', data, `${data}/`])).rejects.toThrow(/got a data set twice/);
  });
});

describe('tagloom compare --report', () => {
  const ARGS = ['--models', 'popularity,itemknn,dge', '--seeds', '1', '--train-fractions', '0.3'];
  const DGE = ['--set', 'dge.epochs=2', '--set', 'dge.hidden=4', '--set', 'dge.output=4'];

  it('writes one page, and with kept cells writes it again without a fit', async () => {
    const { folder, data } = await prepared();
    const report = join(folder, 'out.html');
    const args = ['compare', data, ...ARGS, ...DGE, '-o', join(folder, 'cells'), '--report', report];
    const first = await runCommand(addCompare, args);
    expect(first.err).toContain(`Report written to ${report}`);
    const page = await readFile(report, 'utf8');
    expect(page).toContain('<h1>3 models on data</h1>');
    expect(page).toContain('<h2 id="maps">Maps of tags</h2>');
    expect(page).toContain('--set dge.epochs=2');
    expect(page).toMatch(/layerRate = .* epochs = 2, /); // defaults are told, too
    const cells = await readdir(join(folder, 'cells'));
    expect(cells.filter((file) => file.endsWith('_glimpse.json'))).toHaveLength(3);
    expect((await runCommand(addCompare, args)).out).toBe(first.out); // to the second: nothing was fitted
    const isClock = /\d{4}-\d\d-\d\d \d\d:\d\d UTC/;
    expect((await readFile(report, 'utf8')).replace(isClock, '')).toBe(page.replace(isClock, ''));
    expect((await readdir(folder)).filter((file) => file.includes('partial'))).toEqual([]);
  });

  it('shows the objects that are named', async () => {
    const { folder, data } = await prepared();
    const report = join(folder, 'out.html');
    const args = ['compare', data, '--models', 'popularity', '--seeds', '1', '--report', report];
    await runCommand(addCompare, [...args, '--objects', 'o005, o007', '--objects', 'O031']);
    const page = await readFile(report, 'utf8');
    expect([...page.matchAll(/<span class="title">([^<]+)</g)].map((match) => match[1])).toEqual([
      'o005',
      'o007',
      'o031',
    ]);
    await expect(runCommand(addCompare, [...args, '--objects', 'o005,nobody'])).rejects.toThrow(
      /got the object "nobody"/,
    );
  });

  it('shows published figures only where --paper names a file with them, whatever the folder is called', async () => {
    const { folder, data } = await prepared('lastfm');
    const report = join(folder, 'out.html');
    const variants = ['dge', 'so-ge'].flatMap((model) => [
      ...['epochs=2', 'hidden=4', 'output=4'].flatMap((setting) => ['--set', `${model}.${setting}`]),
    ]);
    const args = ['compare', data, '--models', 'dge,so-ge', '--seeds', '1', ...variants, '--report', report];
    const cells = ['-o', join(folder, 'cells')];
    await runCommand(addCompare, [...args, ...cells]);
    const plain = await readFile(report, 'utf8');
    expect(plain).not.toMatch(/class="paper"|the same in the paper|11,946|0\.2494/);

    await runCommand(addCompare, [...args, ...cells, '--paper', PAPER]);
    const page = await readFile(report, 'utf8');
    expect(page).toContain('<td class="paper">0.2494</td>');
    expect(page).toContain('<td class="paper">11,946</td>');
    expect(page).toContain(`--paper ${PAPER}`);
  });

  it('says before any work what it cannot do', async () => {
    const { folder, data } = await prepared();
    const run = (...args: string[]) => runCommand(addCompare, ['compare', data, '--models', 'popularity', ...args]);
    const report = ['--report', join(folder, 'out.html')];
    const bad = join(folder, 'bad.json');
    await writeFile(bad, '{"dataSets": {"lastfm": {"results": {"dge": {"recall@3": "high"}}}}}');
    await expect(run('--paper', PAPER)).rejects.toThrow(/got --paper without --report/);
    await expect(run(...report, '--paper', join(folder, 'none.json'))).rejects.toThrow(/none\.json: got nothing/);
    await expect(run(...report, '--paper', bad)).rejects.toThrow(/bad\.json: got "high" at .*, expected a number/);
    await expect(run('--report', folder)).rejects.toThrow(/got a folder, expected a file to write/);
    await expect(run('--report', join(folder, 'no', 'out.html'))).rejects.toThrow(/got no such folder/);
    await expect(run('--objects', 'o005')).rejects.toThrow(/got --objects without --report/);
  });
});
