import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addSplit } from '../../src/commands/split.ts';
import { load } from '../../src/data/data-set.ts';
import { tempFolder } from '../temp-folder.ts';
import { runCommand } from './run-command.ts';

const objects = ['@a/1', '@a/2', '@a/3', '@b/1', '@b/2', 'c', 'd'];
const FILES = {
  'data/interact.tsv': `user\tobject\n${objects.map((object) => `u\t${object}\n`).join('')}`,
  'data/tagged.tsv': `object\ttag\n${objects.map((object) => `${object}\tx\n${object}\ty\n`).join('')}`,
};
const lines = async (path: string) => (await readFile(path, 'utf8')).trim().split('\n').slice(1);

describe('tagloom split', () => {
  it('writes a training set that reads back and the test pairs, which together are the whole', async () => {
    const root = await tempFolder(FILES);
    const args = ['split', join(root, 'data'), '-o', join(root, 'parts'), '--train-fraction', '0.5', '--seed', '3'];
    const { out } = await runCommand(addSplit, args);
    expect(out).toContain('7 pairs to train, 7 to test (by pair, seed 3)');
    expect((await readdir(join(root, 'parts'))).sort()).toEqual(['test', 'train']);
    const train = await load(join(root, 'parts/train'));
    expect(train.objects.size).toBe(7);
    expect(train.interact.size).toBe(7);
    const both = [
      ...(await lines(join(root, 'parts/train/tagged.tsv'))),
      ...(await lines(join(root, 'parts/test/tagged.tsv'))),
    ];
    expect(both.sort()).toEqual((await lines(join(root, 'data/tagged.tsv'))).sort());
  });

  it('--by group keeps an npm scope on one side, for every seed', async () => {
    const root = await tempFolder(FILES);
    for (const seed of ['1', '2', '3', '4', '5']) {
      const out = join(root, `parts-${seed}`);
      await runCommand(addSplit, [
        'split',
        join(root, 'data'),
        '-o',
        out,
        '--by',
        'group',
        '--train-fraction',
        '0.5',
        '--seed',
        seed,
      ]);
      const scope = (line: string) => line.split('\t')[0].split('/')[0];
      const test = new Set((await lines(join(out, 'test/tagged.tsv'))).map(scope));
      for (const line of await lines(join(out, 'train/tagged.tsv'))) expect(test).not.toContain(scope(line));
    }
  });

  it('--by group leaves alone what the pattern matches in nothing but the empty text', async () => {
    const root = await tempFolder(FILES);
    const args = ['split', join(root, 'data'), '-o', join(root, 'parts'), '--json', '--train-fraction', '0.5'];
    const { out } = await runCommand(addSplit, [...args, '--by', 'group', '--group-pattern', '^z*']);
    expect(JSON.parse(out)).toMatchObject({ numTrain: 8, numTest: 6 }); // 4 and 3 of 7 objects with 2 tags
  });

  it('--json prints the numbers, --gzip writes .gz', async () => {
    const root = await tempFolder(FILES);
    const { out } = await runCommand(addSplit, [
      'split',
      join(root, 'data'),
      '-o',
      join(root, 'parts'),
      '--json',
      '--gzip',
    ]);
    expect(JSON.parse(out)).toMatchObject({ by: 'pair', seed: 1, trainFraction: 0.8, numTrain: 11, numTest: 3 });
    expect(await readdir(join(root, 'parts/test'))).toEqual(['tagged.tsv.gz']);
  });

  it('leaves nothing behind when it is stopped, and refuses to write over a folder', async () => {
    const root = await tempFolder(FILES);
    const args = ['split', join(root, 'data'), '-o', join(root, 'parts')];
    await expect(runCommand(addSplit, args, { signal: AbortSignal.abort() })).rejects.toThrow('Stopped on request.');
    expect(await readdir(root)).toEqual(['data']);
    await expect(runCommand(addSplit, ['split', join(root, 'data'), '-o', join(root, 'data')])).rejects.toThrow(
      /--force/,
    );
  });

  it.each([
    [['--seed', 'x'], /Expected a number/],
    [['--seed', '-1'], /whole number, 0 or more/],
    [['--train-fraction', '2'], /more than 0 and less than 1/],
    [['--group-pattern', '^@'], /got --group-pattern with --by pair, expected --by group/],
    [['--group-pattern', '('], /regular expression/i],
    [['--by', 'tag'], /Allowed choices are pair, object, group/],
  ])('%j is an error that says what is expected', async (extra, message) => {
    const root = await tempFolder(FILES);
    await expect(
      runCommand(addSplit, ['split', join(root, 'data'), '-o', join(root, 'parts'), ...extra]),
    ).rejects.toThrow(message);
    expect(await readdir(root)).toEqual(['data']);
  });
});
