import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { addExplain } from '../../src/commands/explain.ts';
import { addMissing } from '../../src/commands/missing.ts';
import { addSimilar } from '../../src/commands/similar.ts';
import { addSuggest } from '../../src/commands/suggest.ts';
import { addTrain } from '../../src/commands/train.ts';
import { CancelledError } from '../../src/errors.ts';
import { prepared, QUICK } from './checkerboard-data.ts';
import { runCommand } from './run-command.ts';

const DGE = [...QUICK, '--model', 'dge'];

describe('tagloom train and suggest', () => {
  it('save a model and suggest from it alone, as a table, JSON and TSV', async () => {
    const { folder, data, file } = await prepared();
    const { out } = await runCommand(addTrain, ['train', data, '-o', file, ...DGE]);
    expect(out).toMatch(/^model {2,}dge\n/);
    expect(out).toMatch(/validation recall@3 +[01]\.\d{4}/);
    expect((await readdir(folder)).sort()).toEqual(['data', 'model']);

    const table = await runCommand(addSuggest, ['suggest', file, 'o001', 'o002', '--limit', '2']);
    expect(table.out).toMatch(/^o001\n {2}t0\d\d +-?\d+\.\d{3}\n {2}t0\d\d +-?\d+\.\d{3}\no002\n/);
    const json = JSON.parse((await runCommand(addSuggest, ['suggest', file, 'o001', '--json'])).out);
    expect(json).toHaveLength(1);
    expect(json[0].suggestions).toHaveLength(5);
    const all = join(folder, 'all.tsv');
    await runCommand(addSuggest, ['suggest', file, '--all', '--limit', '3', '-o', all]);
    const lines = (await readFile(all, 'utf8')).trimEnd().split('\n');
    expect(lines[0]).toBe('object\ttag\trank\tscore\tconfidence');
    expect(lines).toHaveLength(1 + 60 * 3);
    expect(lines.filter((line) => line.startsWith('o001\t'))[0]).toBe(
      `o001\t${json[0].suggestions[0].tag}\t1\t${json[0].suggestions[0].score}\t`,
    );
    const printed = await runCommand(addSuggest, ['suggest', file, '--all', '--limit', '3']);
    expect(printed.out).toBe(await readFile(all, 'utf8'));
    const document = await runCommand(addSuggest, ['suggest', file, '--all', '--limit', '3', '--json']);
    expect(JSON.parse(document.out)).toHaveLength(60);
  });

  it('of two runs with one output, the second is refused at once and told who writes', async () => {
    const { folder, data, file } = await prepared();
    const stop = new AbortController();
    const endless = ['train', data, '-o', file, '--model', 'dge', '--threads', '1', '--set', 'epochs=100000'];
    const first = runCommand(addTrain, endless, { signal: stop.signal });
    await vi.waitFor(async () => expect(await readdir(folder)).toContain('model.partial-lock'), 20_000);
    await expect(runCommand(addTrain, ['train', data, '-o', file, ...DGE])).rejects.toThrow(
      `${file}: got a file that process ${process.pid} is writing now, expected one that nobody else writes. ` +
        'Wait until that is done, or choose another name.',
    );
    stop.abort();
    await expect(first).rejects.toThrow(CancelledError);
    expect(await readdir(folder)).not.toContain('model.partial-lock');
  });

  it('take loom unless told otherwise, and show how sure it is and why', async () => {
    const { data, file } = await prepared();
    const { out } = await runCommand(addTrain, ['train', data, '-o', file]);
    expect(out).toMatch(/^model {2,}loom\n/);
    const table = await runCommand(addSuggest, ['suggest', file, 'o001', '--limit', '2']);
    expect(table.out).toMatch(/^o001\n {2}t0\d\d +\d+ %\n/);
    const [{ suggestions }] = JSON.parse((await runCommand(addSuggest, ['suggest', file, 'o001', '--json'])).out);
    const unseen = ['suggest', file, '--users', 'u001,u003', '--tags', 't001,nonsense', '--limit', '2'];
    const { out: folded, err } = await runCommand(addSuggest, unseen);
    expect(folded).toMatch(/^\(new object\)\n {2}t0\d[13579] /);
    expect(err).toContain('The model does not know nonsense: counted for nothing.');
    const choice = ['suggest', file, 'o001', '--json', '--deny', suggestions[0].tag, '--min-confidence', '0'];
    const [{ suggestions: rest }] = JSON.parse((await runCommand(addSuggest, choice)).out);
    expect(rest.map((one: { tag: string }) => one.tag)).not.toContain(suggestions[0].tag);

    const why = await runCommand(addExplain, ['explain', file, 'o001', suggestions[0].tag]);
    expect(why.out).toMatch(
      /^o001: t0\d\d, score \d\.\d{3}\n {2}how common the tag is +[+−]\d\.\d{4}\n {2}its own tags/,
    );
    const missing = JSON.parse((await runCommand(addMissing, ['missing', file, 't003', '--json'])).out);
    expect(missing.tag).toBe('t003');
    const similar = await runCommand(addSimilar, ['similar', file, 'o001', '--limit', '3']);
    expect(similar.out.trimEnd().split('\n')).toHaveLength(4);
    expect((await runCommand(addSimilar, ['similar', file, '--tag', 't001', '--limit', '2'])).out).toMatch(
      /^t0\d[13579] /,
    );
    await expect(runCommand(addSimilar, ['similar', file])).rejects.toThrow(/got neither an object nor a tag/);
    await expect(runCommand(addSuggest, ['suggest', file, '--all', '--tags', 'x'])).rejects.toThrow(/got several of/);
  });

  it('takes a seed, and refuses two of them', async () => {
    const { folder, data, file } = await prepared();
    const quick = ['--model', 'mf', '--set', 'epochs=1', '--json'];
    const trained = async (name: string, ...more: string[]) => {
      const path = join(folder, name);
      const { out } = await runCommand(addTrain, ['train', data, '-o', path, ...quick, ...more]);
      return { settings: JSON.parse(out).settings, bytes: await readFile(path) };
    };
    const two = await trained('two', '--seed', '2');
    expect(two.settings.seed).toBe(2);
    expect(two.bytes).toEqual((await trained('set', '--set', 'seed=2')).bytes);
    expect(two.bytes).not.toEqual((await trained('one')).bytes);
    await expect(trained('both', '--seed', '2', '--set', 'mf.seed=3')).rejects.toThrow(
      'got --seed 2 and --set mf.seed=3, expected one seed. Leave out --set mf.seed.',
    );
    await expect(trained('bad', '--seed', '1.5')).rejects.toThrow(/Expected a whole number/);
    const { err } = await runCommand(addTrain, ['train', data, '-o', file, '--model', 'itemknn', '--seed', '2']);
    expect(err).toContain('nothing in itemknn is random, so --seed changes nothing.');
  });

  it('gives the same file, byte for byte, on one thread and on two', async () => {
    const { folder, data, file } = await prepared();
    await runCommand(addTrain, ['train', data, '-o', file, '--threads', '1', ...DGE]);
    await runCommand(addTrain, ['train', data, '-o', join(folder, 'two'), '--threads', '2', ...DGE]);
    expect(await readFile(join(folder, 'two'))).toEqual(await readFile(file));
  });

  it('stopped by Ctrl-C leaves a checkpoint; --resume goes on from it to the same file', async () => {
    const { folder, data, file } = await prepared();
    const long = ['--model', 'dge', '--set', 'epochs=300', '--set', 'patience=1000', ...DGE.slice(2)];
    await runCommand(addTrain, ['train', data, '-o', file, ...long]);
    const whole = await readFile(file);

    const other = join(folder, 'other');
    const stop = new AbortController();
    let numLooks = 0; // at the clock: one for each report of progress
    const now = () => {
      if (++numLooks === 100) stop.abort();
      return 0;
    };
    const stopped = runCommand(addTrain, ['train', data, '-o', other, ...long], { signal: stop.signal, now });
    await expect(stopped).rejects.toThrow('Stopped on request.');
    expect(await readdir(folder)).toContain('other.checkpoint');
    await expect(runCommand(addTrain, ['train', data, '-o', other, ...long])).rejects.toThrow(
      'other.checkpoint: got the checkpoint of a stopped run, expected none. Add --resume to go on from it, or --force',
    );
    await expect(runCommand(addTrain, ['train', data, '-o', other, ...DGE, '--resume'])).rejects.toThrow(
      /got a run with epochs 300, patience 1000, expected a run with epochs 4, patience 5/,
    );
    await runCommand(addTrain, ['train', data, '-o', other, ...long, '--resume']);
    expect(await readFile(other)).toEqual(whole);
    expect((await readdir(folder)).sort()).toEqual(['data', 'model', 'other']);
  });

  it('say what is wrong before any work is done', async () => {
    const { data, file } = await prepared();
    const train = (...args: string[]) => runCommand(addTrain, ['train', data, '-o', file, ...args]);
    await expect(train('--model', 'dgee')).rejects.toThrow(
      /got the model "dgee", expected one of loom, popularity, itemknn, /,
    );
    await expect(train('--model', 'dge', '--set', 'epoch=3')).rejects.toThrow(
      /got the setting epoch, expected one of hidden/,
    );
    await expect(train('--resume')).rejects.toThrow(
      /model.checkpoint: got no checkpoint, expected one of a stopped run/,
    );
    await expect(train('--model', 'itemknn', '--features', 'x.csv')).rejects.toThrow(
      'got --features for itemknn, expected a model that takes them. Leave out --features, or train loom, dge, so-ge or st-ge.',
    );
    await train('--model', 'popularity');
    await expect(train('--model', 'popularity')).rejects.toThrow(/got a file that is there, expected a new one/);
    await train('--model', 'popularity', '--force');
    await expect(runCommand(addSuggest, ['suggest', file])).rejects.toThrow(/got no object, expected one or more/);
    await expect(runCommand(addSuggest, ['suggest', file, 'o1'])).rejects.toThrow(/got the object "o1"/);
    await expect(runCommand(addSuggest, ['suggest', join(data, 'tagged.tsv'), 'o1'])).rejects.toThrow(/another kind/);
  });
});
