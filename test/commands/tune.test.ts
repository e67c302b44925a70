import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addCompare } from '../../src/commands/compare.ts';
import { Terminal } from '../../src/commands/terminal.ts';
import { addTrain } from '../../src/commands/train.ts';
import { addTune } from '../../src/commands/tune.ts';
import { prepared } from './checkerboard-data.ts';
import { runCommand } from './run-command.ts';

const FEW = ['--trials', '6', '--threads', '1'];

describe('tagloom tune', () => {
  it('writes settings that train and compare read, and shows how trials did', async () => {
    const { folder, data, file } = await prepared();
    const best = join(folder, 'best.json');
    const args = ['tune', data, '--model', 'itemknn', '--budget', '1h', ...FEW, '--set', 'weighting=cosine'];
    const { out } = await runCommand(addTune, [...args, '-o', best]);
    expect(out).toMatch(/^trial +validation Recall@3 +share +time +settings\n/);
    expect(out).toMatch(/^defaults +[01]\.\d{4} +all +\d+\.\d s$/m);
    expect(out).toMatch(/^\d +[01]\.\d{4} +(all|1\/2|1\/4) +\d+\.\d s +neighbours=\d+/m);
    expect(out).toMatch(/^6 trials measured, 2 of them in full\./m);
    expect(out).toContain(`--model itemknn --config ${best}`);
    expect((await readdir(folder)).sort()).toEqual(['best.json', 'best.json.trials', 'data']);
    const { itemknn } = JSON.parse(await readFile(best, 'utf8'));
    expect(Object.keys(itemknn).sort()).toEqual(['neighbours', 'objectShift', 'weighting']);

    const train = ['train', data, '--model', 'itemknn', '--config', best, '-o', file, '--json'];
    expect(JSON.parse((await runCommand(addTrain, train)).out).settings).toEqual(itemknn);
    const compare = ['compare', data, '--models', 'popularity,itemknn', '--seeds', '1', '--config', best, '--json'];
    expect(JSON.parse((await runCommand(addCompare, compare)).out).settings.data.itemknn).toEqual(itemknn);
  });

  it('prints one document, and the same trials with the same seed', async () => {
    const { data } = await prepared();
    const run = async (seed: string) => {
      const args = ['tune', data, '--model', 'ease', '--budget', '1h', ...FEW, '--seed', seed, '--json'];
      return JSON.parse((await runCommand(addTune, args)).out);
    };
    const [first, second, other] = [await run('1'), await run('1'), await run('2')];
    const told = ({ trials }: typeof first) =>
      trials.map(({ trial, settings, share, recall }: typeof first) => ({ trial, settings, share, recall }));
    expect(told(second)).toEqual(told(first));
    expect(told(other)).not.toEqual(told(first));
    expect(first).toMatchObject({ model: 'ease', seed: 1, budgetSeconds: 3600, isCut: false });
    expect(first.config).toEqual({ ease: first.best.settings });
    const defaults = first.trials.find(({ trial }: { trial: number }) => trial === 0);
    expect(defaults.share).toBe(1);
    expect(first.best.recall).toBeGreaterThanOrEqual(defaults.recall);
  });

  it('without a file prints the settings', async () => {
    const { folder, data } = await prepared();
    const { out } = await runCommand(addTune, ['tune', data, '--model', 'itemknn', '--budget', '60 s', ...FEW]);
    expect(out).toMatch(/Best settings:\n\{\n {2}"itemknn": \{\n {4}"neighbours": \d+,/);
    expect(await readdir(folder)).toEqual(['data']);
  });

  it('stopped by Ctrl-C keeps what it has, says how to go on, and goes on to the same settings', async () => {
    const { folder, data } = await prepared();
    const [whole, part] = [join(folder, 'whole.json'), join(folder, 'part.json')];
    const run = (output: string, ...more: string[]) => ['tune', data, '--model', 'ease', ...FEW, '-o', output, ...more];
    await runCommand(addTune, run(whole));
    const stop = new AbortController();
    let numLooks = 0; // at the clock: at least one for each evaluation
    const now = () => {
      if (++numLooks === 12) stop.abort();
      return 0;
    };
    let notes = '';
    const streams = { out: { write: () => {} }, err: { write: (text: string) => (notes += text) } };
    const program = new Command('tagloom').exitOverride();
    addTune(program, new Terminal({ ...streams, signal: stop.signal, now }));
    await expect(program.parseAsync(run(part), { from: 'user' })).rejects.toThrow('Stopped on request.');
    expect(notes).toContain(`${part}.trials holds what was measured; the same command with --resume goes on from it.`);
    const kept = await readFile(`${part}.trials`, 'utf8');
    expect(kept.trimEnd().split('\n').length).toBeGreaterThan(1);
    await expect(runCommand(addTune, run(part))).rejects.toThrow(
      'part.json.trials: got the trials of an earlier search, expected none. Add --resume to go on from them, or --force',
    );
    await expect(runCommand(addTune, run(part, '--resume', '--seed', '2'))).rejects.toThrow(/got a search with seed 1/);
    await runCommand(addTune, run(part, '--resume'));
    expect(await readFile(part, 'utf8')).toBe(await readFile(whole, 'utf8'));
    expect((await readFile(`${part}.trials`, 'utf8')).startsWith(kept)).toBe(true);

    await expect(runCommand(addTune, run(part))).rejects.toThrow(/part.json: got a file that is there/);
    await runCommand(addTune, run(part, '--force'));
    expect(await readFile(part, 'utf8')).toBe(await readFile(whole, 'utf8'));
  });

  it('says what is wrong before any work is done', async () => {
    const { folder, data } = await prepared();
    const run = (...args: string[]) => runCommand(addTune, ['tune', data, ...args]);
    await expect(run()).rejects.toThrow(/required option '--model <name>'/);
    await expect(run('--model', 'eese')).rejects.toThrow(/got the model "eese"/);
    await expect(run('--model', 'popularity')).rejects.toThrow(/got a model without a setting to search/);
    await expect(run('--model', 'ease', '--set', 'lambda=1', '--set', 'intercept=on')).rejects.toThrow(
      /got a value for lambda, intercept, expected one of them left to search/,
    );
    await expect(run('--model', 'ease', '--budget', '5')).rejects.toThrow(/Expected a time such as 90s, 5m or 2h/);
    await expect(run('--model', 'ease', '--budget', '0s')).rejects.toThrow(/Expected a time/);
    await expect(run('--model', 'ease', '--trials', '1')).rejects.toThrow(/Expected 2 or more/);
    await expect(run('--model', 'ease', '--resume')).rejects.toThrow(/got --resume without -o/);
    await expect(run('--model', 'ease', '--resume', '-o', join(folder, 'x'))).rejects.toThrow(
      /x.trials: got no trials/,
    );
    await expect(run('--model', 'ease', '-o', folder)).rejects.toThrow(/got a folder, expected a file to write/);
  });
});
