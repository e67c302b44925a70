import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addCompare } from '../../src/commands/compare.ts';
import { addImport } from '../../src/commands/import.ts';
import { addSplit } from '../../src/commands/split.ts';
import { addStats } from '../../src/commands/stats.ts';
import { addTrain } from '../../src/commands/train.ts';
import { loadModel } from '../../src/models/model-file.ts';
import { tempFolder } from '../temp-folder.ts';
import { prepared } from './checkerboard-data.ts';
import { runCommand } from './run-command.ts';

const TAGGED = [
  ...['a', 'b', 'c', 'd'].flatMap((object) => [`${object}\thip-hop`, `${object}\trap`]),
  ...['e', 'f'].flatMap((object) => [`${object}\thip hop`, `${object}\trap`]),
  'g\tgames\ng\tfun\nh\tgame\nh\tfun\ni\tgame\ni\tfun',
];
const FILES = {
  'data/interact.tsv': 'user\tobject\nu\ta\nu\tb\n',
  'data/tagged.tsv': `object\ttag\n${TAGGED.join('\n')}\n`,
  'map.tsv': 'tag\tmerged\nhip hop\thip-hop\nfun\t\n',
};

async function world() {
  const folder = await tempFolder(FILES);
  return { folder, data: join(folder, 'data'), map: join(folder, 'map.tsv') };
}

describe('tagloom stats on near-duplicate tags', () => {
  it('tells how many groups there are and the first of them, in JSON all', async () => {
    const { data } = await world();
    const { out } = await runCommand(addStats, ['stats', data]);
    expect(out).toMatch(/^groups of near-duplicate tags +2$/m);
    expect(out).toMatch(/^near-duplicate tags: hip-hop 4 \(hip hop 2\), game 2 \(games 1\)$/m);
    const { nearDuplicates } = JSON.parse((await runCommand(addStats, ['stats', data, '--json'])).out);
    expect(nearDuplicates).toMatchObject([
      {
        keep: 'hip-hop',
        numObjects: 4,
        others: [{ tag: 'hip hop', numObjects: 2, numTogether: 0, reason: 'spelling' }],
      },
      { keep: 'game', numObjects: 2, others: [{ tag: 'games', numObjects: 1, numTogether: 0, reason: 'plural' }] },
    ]);
  });

  it('shows five groups and says how many more there are', async () => {
    const names = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Zeta', 'Eta', 'Theta'];
    const rows = names.map((tag) => `a\t${tag}\na\t${tag.toLowerCase()}\n`).join('');
    const folder = await tempFolder({ 'interact.tsv': 'user\tobject\nu\ta\n', 'tagged.tsv': `object\ttag\n${rows}` });
    const { out } = await runCommand(addStats, ['stats', folder]);
    expect(out.match(/ \(\p{L}+ 1\)/gu)).toHaveLength(5);
    expect(out).toContain('and 2 more: --duplicates same.tsv writes them all');
  });

  it('--duplicates writes a table that --merge-tags takes, after which there are none', async () => {
    const { folder, data } = await world();
    const same = join(folder, 'same.tsv');
    const { err } = await runCommand(addStats, ['stats', data, '--duplicates', same]);
    expect(err).toBe(`Near-duplicates written to ${same}\n`);
    expect(await readFile(same, 'utf8')).toBe('tag\tmerged\nhip hop\thip-hop\ngames\tgame\n');
    const merged = JSON.parse((await runCommand(addStats, ['stats', data, '--merge-tags', same, '--json'])).out);
    expect(merged).toMatchObject({ numTags: 4, numTagged: 18, nearDuplicates: [] });
    expect(merged.topTags[0]).toEqual({ tag: 'hip-hop', numObjects: 6 });
    const { out } = await runCommand(addStats, ['stats', data, '--merge-tags', same]);
    expect(out).toMatch(/^groups of near-duplicate tags +0$/m);
    expect(out).not.toContain('near-duplicate tags:');
  });

  it('does not replace a file unless told, and writes only what is read as it is written', async () => {
    const { folder, data, map } = await world();
    const write = (...args: string[]) => runCommand(addStats, ['stats', data, '--duplicates', ...args]);
    await expect(write(map)).rejects.toThrow(/map\.tsv: got a file that is there, expected a new one\..*--force/);
    await write(map, '--force');
    expect(await readFile(map, 'utf8')).toContain('games\tgame\n');
    await expect(write(join(folder, 'same.csv'))).rejects.toThrow(
      /same\.csv: got a file of another kind, expected a name ending in \.tsv/,
    );
    await expect(write(join(folder, 'no/same.tsv'))).rejects.toThrow(/got no such folder/);
    expect((await readdir(folder)).sort()).toEqual(['data', 'map.tsv']);
  });
});

describe('--merge-tags', () => {
  it('stats, split and import read tags as the file says, and warn of those that are not there', async () => {
    const { folder, data, map } = await world();
    await writeFile(map, `${FILES['map.tsv']}jazz\trap\n`);
    const { out, err } = await runCommand(addStats, ['stats', data, '--merge-tags', map, '--json']);
    expect(JSON.parse(out)).toMatchObject({ numTags: 4, numTagged: 15, numObjectsWithoutTags: 0 });
    expect(err).toBe('warning: map.tsv: passed over 1 of 3 tags, which the data do not have: "jazz".\n');

    const parts = join(folder, 'parts');
    await runCommand(addSplit, ['split', data, '-o', parts, '--merge-tags', map]);
    const tables = [join(parts, 'train/tagged.tsv'), join(parts, 'test/tagged.tsv')];
    const rows = (await Promise.all(tables.map((path) => readFile(path, 'utf8')))).flatMap((text) => text.split('\n'));
    expect(rows.filter((row) => row.endsWith('\thip-hop'))).toHaveLength(6);
    expect(rows.filter((row) => row.endsWith('\tfun') || row.endsWith('\thip hop'))).toEqual([]);

    const triples = join(folder, 'kg.tsv');
    await writeFile(triples, 'u\tInteract\ta\na\tTaggedWith\thip hop\na\tTaggedWith\thip-hop\nb\tTaggedWith\tfun\n');
    const imported = join(folder, 'imported');
    await runCommand(addImport, ['import', 'triples', triples, '-o', imported, '--merge-tags', map]);
    expect(await readFile(join(imported, 'tagged.tsv'), 'utf8')).toBe('object\ttag\na\thip-hop\n');
  });

  it('train and compare fit to the merged tags; a comparison does not believe cells of the others', async () => {
    const { folder, data, file } = await prepared();
    const map = join(folder, 'map.tsv');
    await writeFile(map, 'tag\tmerged\nt001\tt000\nt002\tt001\n');
    await runCommand(addTrain, ['train', data, '-o', file, '--model', 'popularity', '--merge-tags', map]);
    const { graph } = await loadModel(file);
    expect([graph.tags.idOf('t000'), graph.tags.idOf('t001'), graph.tags.idOf('t002')]).toEqual([0, -1, -1]);

    const cells = join(folder, 'cells');
    const args = ['compare', data, '--models', 'popularity', '--seeds', '1', '-o', cells, '--json'];
    const plain = JSON.parse((await runCommand(addCompare, args)).out);
    const merged = JSON.parse((await runCommand(addCompare, [...args, '--merge-tags', map])).out);
    expect(await readdir(cells)).toHaveLength(2);
    expect(merged.models[0].metrics).not.toEqual(plain.models[0].metrics);
  });

  it('a mistake in the file shows before the data are read, in every command', async () => {
    const { folder, map } = await world();
    await writeFile(map, 'tag\tmerged\na\tb\nb\ta\n');
    const [none, out] = [join(folder, 'none'), join(folder, 'out')];
    const circle = /map\.tsv, line 2: got a circle: a → b → a, expected/;
    const merging = ['--merge-tags', map];
    await expect(runCommand(addStats, ['stats', none, ...merging])).rejects.toThrow(circle);
    await expect(runCommand(addSplit, ['split', none, '-o', out, ...merging])).rejects.toThrow(circle);
    await expect(runCommand(addTrain, ['train', none, '-o', out, ...merging])).rejects.toThrow(circle);
    await expect(runCommand(addCompare, ['compare', none, ...merging])).rejects.toThrow(circle);
    await expect(runCommand(addImport, ['import', 'lastfm', none, '-o', out, ...merging])).rejects.toThrow(circle);
  });
});
