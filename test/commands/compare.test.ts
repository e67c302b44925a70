import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addCompare } from '../../src/commands/compare.ts';
import { prepared, QUICK } from './checkerboard-data.ts';
import { runCommand } from './run-command.ts';

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
    expect(settings).toMatchObject({ dge: { epochs: 4 }, 'so-ge': { epochs: 2 } });
    await expect(run('--models', 'dge,nobody')).rejects.toThrow(/got the model "nobody"/);
  });
});
