import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { addMissing } from '../../src/commands/missing.ts';
import { addReviews } from '../../src/commands/reviews.ts';
import { addSuggest } from '../../src/commands/suggest.ts';
import { addTrain } from '../../src/commands/train.ts';
import { readTable } from '../../src/data/table/read-table.ts';
import { fieldText } from '../../src/data/table/row.ts';
import { loadModel } from '../../src/models/model-file.ts';
import { type NewReview, ReviewStore } from '../../src/serving/reviews/review-store.ts';
import { emptyStoreFolder } from '../serving/reviews/embedded.ts';
import { tempFolder } from '../temp-folder.ts';
import { prepared } from './checkerboard-data.ts';
import { runCommand } from './run-command.ts';
import { shareStore } from './shared-store.ts';

vi.setConfig({ testTimeout: 60_000 }); // databases take seconds to start, more on a busy machine

const accept = (object: string, tag: string): NewReview => ({ object, tag, decision: 'accept', curator: 'Eve' });
const reject = (object: string, tag: string): NewReview => ({ object, tag, decision: 'reject' });

const shared = shareStore();

describe('tagloom train --reviews', () => {
  it('learns accepted pairs, takes out rejected ones and never suggests them', async () => {
    const { folder, data, file } = await prepared();
    const plain = join(folder, 'plain');
    await runCommand(addTrain, ['train', data, '--model', 'popularity', '-o', plain]);
    const before = await loadModel(plain);
    const suggest = async (model: string, object: string) => {
      const { out } = await runCommand(addSuggest, ['suggest', model, object, '--limit', '50', '--json']);
      return JSON.parse(out)[0].suggestions.map(({ tag }: { tag: string }) => tag);
    };
    const [first] = await suggest(plain, 'o001');
    const store = await shared.holding([
      accept('o001', 'brand new'),
      accept('o001', 't001'), // in the data as it is
      accept('o003', first),
      reject('o001', first),
      reject('o002', 't002'), // in the data
      accept('elsewhere', 'x'),
      reject('elsewhere', 'y'),
    ]);
    const { out, err } = await runCommand(addTrain, [
      ...['train', data, '--model', 'popularity', '--reviews', store, '-o', file],
    ]);
    expect(out).toMatch(/reviews +2 pairs added, 1 taken out, 2 never to be suggested\n/);
    expect(err).toContain('warning: Left out 2 reviews of objects that the data does not have.');

    const model = await loadModel(file);
    const { objects, tags, tagged } = model.graph;
    const has = (object: string, tag: string) => tagged.has(objects.idOf(object), tags.idOf(tag));
    expect(tagged.size).toBe(before.graph.tagged.size + 1);
    expect(objects.size).toBe(before.graph.objects.size);
    expect(has('o001', 'brand new')).toBe(true);
    expect(has('o003', first)).toBe(true);
    expect(has('o002', 't002')).toBe(false);
    expect(model.rejected?.size).toBe(2);
    const after = await suggest(file, 'o001');
    expect(after.length).toBeGreaterThan(3);
    expect(after).not.toContain(first);
    expect(await suggest(file, 'o002')).not.toContain('t002');
    const { out: missing } = await runCommand(addMissing, ['missing', file, 't002', '--limit', '99', '--json']);
    expect(missing).toContain('"o001"');
    expect(missing).not.toContain('"o002"');
    const all = await runCommand(addSuggest, ['suggest', file, '--all', '--limit', '50']);
    expect(all.out).not.toMatch(/^o002\tt002\t/m);
  });

  it('reads tags of reviews as --merge-tags says', async () => {
    const { folder, data, file } = await prepared();
    const mapping = join(data, 'merge.csv');
    await writeFile(mapping, 'tag,merged\nt002,t000\nt004,\n');
    const unsure = { object: 'o003', tag: 't006', decision: 'unsure' } as const; // counts for nothing
    const store = await shared.holding([
      accept('o001', 't002'),
      reject('o002', 't002'),
      accept('o001', 't004'),
      unsure,
    ]);
    const { out } = await runCommand(addTrain, [
      ...['train', data, '--model', 'popularity', '--reviews', store, '--merge-tags', mapping, '-o', file, '--json'],
    ]);
    expect(JSON.parse(out).reviews).toEqual({ added: 1, removed: 1, rejected: 1, leftOut: 0 });
    const { graph, rejected } = await loadModel(file);
    const [zero, object] = [graph.tags.idOf('t000'), (name: string) => graph.objects.idOf(name)];
    expect(graph.tagged.has(object('o001'), zero)).toBe(true);
    expect(graph.tagged.has(object('o002'), zero)).toBe(false);
    expect(rejected?.has(object('o002'), zero)).toBe(true);
    for (const gone of ['t002', 't004']) expect(graph.tags.idOf(gone)).toBe(-1);
    const nowhere = ['train', data, '--reviews', join(folder, 'nowhere'), '-o', join(folder, 'other')];
    await expect(runCommand(addTrain, nowhere)).rejects.toThrow(/nowhere: got no such folder, expected a folder with/);
    const away = ['train', data, '--reviews', 'postgres://127.0.0.1:1/x', '-o', join(folder, 'other')];
    await expect(runCommand(addTrain, away)).rejects.toThrow(
      /got no answer from the reviews, expected one. Start the database, or try again: postgres:\/\/127.0.0.1:1\/x does/,
    );
  });
});

describe('tagloom reviews export', () => {
  it('opens a folder and lets it go', async () => {
    const folder = await emptyStoreFolder();
    expect((await runCommand(addReviews, ['reviews', 'export', folder])).out).toBe('object\ttag\n');
    const store = await ReviewStore.open(folder); // refused while another has it open
    await store.close();
  });

  it('writes pairs as a table that tagloom reads, or tells all as JSON', async () => {
    const store = await shared.holding([accept('a "b", c', 'é'), reject('o2', 'x'), accept('#1', '日本')]);
    const { out } = await runCommand(addReviews, ['reviews', 'export', store]);
    expect(out).toBe('object\ttag\na "b", c\té\n#1\t日本\n');
    const rejected = await runCommand(addReviews, ['reviews', 'export', store, '--decision', 'reject', '--json']);
    expect(JSON.parse(rejected.out)).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        object: 'o2',
        tag: 'x',
        decision: 'reject',
        curator: '',
        note: '',
        decidedAt: expect.stringMatching(/^2.*Z$/),
      },
    ]);
    const file = join(await tempFolder(), 'accepted.tsv');
    const write = ['reviews', 'export', store, '-o', file];
    await runCommand(addReviews, write);
    expect(await readFile(file, 'utf8')).toBe(out);
    const pairs: string[][] = [];
    await readTable(file, ['object', 'tag'], {}, (row) => pairs.push([fieldText(row, 0), fieldText(row, 1)]));
    expect(pairs).toEqual([
      ['a "b", c', 'é'],
      ['#1', '日本'],
    ]);
    await expect(runCommand(addReviews, write)).rejects.toThrow(/got a file that is there/);
  });
});
