import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import {
  engineOf,
  mergeTagsOption,
  namesIn,
  parseNumber,
  parseShare,
  parseWhole,
  readMerged,
  type SettingsOptions,
  settingsFor,
  settingsOptions,
} from '../../src/commands/options.ts';
import { checkerboard } from '../checkerboard.ts';
import { tempFolder } from '../temp-folder.ts';

describe('numbers and names', () => {
  it('are read whole or refused', () => {
    expect([parseNumber('1e3'), parseNumber('-0.5'), parseWhole('7'), parseShare('1')]).toEqual([1000, -0.5, 7, 1]);
    for (const text of ['', ' ', 'x', '1,5', 'Infinity']) expect(() => parseNumber(text)).toThrow('Expected a number.');
    for (const text of ['-1', '1.5', '1e99']) expect(() => parseWhole(text)).toThrow('Expected a whole number');
    for (const text of ['-0.1', '1.1']) expect(() => parseShare(text)).toThrow('Expected a number from 0 to 1.');
    expect(namesIn(' a, b c,,d ')).toEqual(['a', 'b c', 'd']);
  });
});

describe('engineOf(options)', () => {
  it('leaves out what was not given', () => {
    expect(engineOf({})).toEqual({});
    expect(engineOf({ threads: 2, backend: 'cpu' })).toEqual({ threads: 2, backend: 'cpu' });
  });
});

describe('--set and --config', () => {
  function parsed(...args: string[]): SettingsOptions {
    const command = new Command().exitOverride().configureOutput({ writeErr: () => {} });
    for (const option of settingsOptions()) command.addOption(option);
    return command.parse(args, { from: 'user' }).opts();
  }

  it('give a model what is said of all, of the model and of it on the data set, the most particular last', async () => {
    const folder = await tempFolder({
      'settings.json': '{"epochs": 1, "dge": {"epochs": 2, "hidden": 3}, "lastfm": {"dge": {"hidden": 4}}}',
    });
    const config = ['--config', join(folder, 'settings.json')];
    expect(await settingsFor('mf', 'lastfm', parsed(...config))).toEqual({ epochs: 1 });
    expect(await settingsFor('dge', 'steam', parsed(...config))).toEqual({ epochs: 2, hidden: 3 });
    expect(await settingsFor('dge', 'lastfm', parsed(...config))).toEqual({ epochs: 2, hidden: 4 });
    const over = parsed(...config, '--set', 'dge.epochs=9', '--set', 'objective=softmax');
    expect(await settingsFor('dge', 'steam', over)).toEqual({ epochs: 9, hidden: 3, objective: 'softmax' });
  });

  it('refuse what is no setting', async () => {
    for (const text of ['epochs', '=3', 'epochs=']) expect(() => parsed('--set', text)).toThrow(/Expected name=value/);
    const folder = await tempFolder({ 'list.json': '[1]', 'half.json': '{' });
    const from = (file: string) => settingsFor('dge', 'data', parsed('--config', join(folder, file)));
    await expect(from('list.json')).rejects.toThrow(
      /list\.json: got something else, expected a JSON object of settings/,
    );
    await expect(from('half.json')).rejects.toThrow(/got no JSON/);
    await expect(from('none.json')).rejects.toThrow(/got nothing that can be read/);
  });
});

describe('--merge-tags', () => {
  it('reads the mapping before the data', async () => {
    expect(mergeTagsOption().long).toBe('--merge-tags');
    const folder = await tempFolder({ 'map.tsv': 'tag\tmerged\nt000\tt001\n' });
    const read = async () => ({ graph: checkerboard(6, 4, 4) });
    const whole = await readMerged(read, {}, {});
    const merged = await readMerged(read, { mergeTags: join(folder, 'map.tsv') }, {});
    expect([whole.graph.tags.size, merged.graph.tags.size]).toEqual([4, 3]);
    const never = async () => expect.fail('the data was read');
    await expect(readMerged(never, { mergeTags: join(folder, 'none.tsv') }, {})).rejects.toThrow(/none\.tsv/);
  });
});
