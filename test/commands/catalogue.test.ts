// Commands that take DATA take one file as well, and say first what they understood of it.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addSplit } from '../../src/commands/split.ts';
import { addStats } from '../../src/commands/stats.ts';
import { addTrain } from '../../src/commands/train.ts';
import { tempFolder } from '../temp-folder.ts';
import { runCommand } from './run-command.ts';

const ROWS = Array.from({ length: 30 }, (_, i) => `p${i};Thing ${i};text about ${i % 5};red|t${i % 3};${i}.5`);
const FILES = { 'shop.csv': `sku;name;about;labels;price\n${ROWS.join('\n')}\n` };
const UNDERSTOOD = `shop.csv: CSV with semicolons, UTF-8, 30 rows
  id        sku
  title     name
  text      about
  tags      labels (separated by |), 4 different
  left out  price (numbers)
`;

describe('a command on one file', () => {
  it('stats says what was understood, and nothing of users', async () => {
    const folder = await tempFolder(FILES);
    const { out, err } = await runCommand(addStats, ['stats', join(folder, 'shop.csv')]);
    expect(err).toBe(UNDERSTOOD);
    expect(out).toMatch(/^objects with about +30 \(100\.00 %\)$/m);
    expect(out).toMatch(/^words of about +3\.0 +3 +3 +3$/m);
    expect(out).not.toContain('user');
    const { out: json } = await runCommand(addStats, ['stats', join(folder, 'shop.csv'), '--json']);
    expect(JSON.parse(json).understood).toMatchObject({ format: 'CSV with semicolons', numRows: 30, numTags: 4 });
  });

  it('train makes a model of it, of the columns given', async () => {
    const folder = await tempFolder(FILES);
    const output = join(folder, 'shop.tagloom');
    const options = ['--model', 'popularity', '--tags', 'name,labels', '--separator', '|', '--text', 'about'];
    const { out, err } = await runCommand(addTrain, ['train', join(folder, 'shop.csv'), ...options, '-o', output]);
    expect(err).toContain('  tags      name, labels (separated by |), 34 different');
    expect(out).toMatch(/^data +30 objects, 34 tags, 90 tagged pairs$/m);
    expect(out).not.toContain('user');
    await expect(runCommand(addTrain, ['train', join(folder, 'shop.csv'), '--tags', 'x', '-o', 'y'])).rejects.toThrow(
      /no column "x" \(--tags\), expected one of "sku", "name", "about", "labels", "price"/,
    );
  });

  it('split writes folders that need no users', async () => {
    const folder = await tempFolder(FILES);
    const output = join(folder, 'parts');
    await runCommand(addSplit, ['split', join(folder, 'shop.csv'), '--by', 'object', '-o', output]);
    expect((await readdir(join(output, 'train'))).sort()).toEqual(['objects.csv', 'tagged.tsv']);
    const { err } = await runCommand(addStats, ['stats', join(output, 'train')]);
    expect(err).toBe('train: a folder of tables, 30 objects\n  text      about\n');
  });
});
