// tagloom retrain: training again in the foreground, putting the new model in use and taking that back.

import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { addRetrain } from '../../src/commands/retrain.ts';
import { split } from '../../src/data/split.ts';
import { CancelledError } from '../../src/errors.ts';
import { saveModel } from '../../src/models/model-file.ts';
import { train } from '../../src/pipeline.ts';
import { ReviewStore } from '../../src/serving/reviews/review-store.ts';
import { writeServiceAddress } from '../../src/serving/reviews/service-address.ts';
import { whileTraining } from '../../src/serving/training/retrained-files.ts';
import { checkerboard } from '../checkerboard.ts';
import { checkerboardDecisions } from '../retraining/decisions.ts';
import { emptyStoreFolder } from '../serving/reviews/embedded.ts';
import { tempFolder } from '../temp-folder.ts';
import { runCommand } from './run-command.ts';
import { shareStore } from './shared-store.ts';

vi.setConfig({ testTimeout: 60_000 }); // databases take seconds to start, more on a busy machine

const graph = split(checkerboard(), { trainFraction: 0.7, seed: 3 }).train;
const model = await train(graph, { model: 'itemknn', threads: 1 });
const shared = shareStore();

async function prepared() {
  const path = join(await tempFolder(), 'shop.tagloom');
  await saveModel(path, model);
  const store = await shared.holding(checkerboardDecisions(graph));
  const run = (...args: string[]) => runCommand(addRetrain, ['retrain', path, '--threads', '1', ...args]);
  return { path, store, run };
}

describe('tagloom retrain', () => {
  it('compares and leaves the old model in use, says what to do next, and prints one JSON document', async () => {
    const { path, store, run } = await prepared();
    const before = await readFile(path);
    const { out } = await run('--reviews', store);
    expect(out).toMatch(/held back +old +new +p\nRecall@3 of \d+ accepted +[01]\.\d{4} +[01]\.\d{4}/);
    expect(out).toMatch(/suggested of \d+ rejected/);
    expect(out).toContain(`Written to ${path}.retrained. To use it: tagloom retrain ${path} --use-trained`);
    expect(await readFile(path)).toEqual(before);
    const { comparison, numLearnt, isUsed, written } = JSON.parse((await run('--reviews', store, '--json')).out);
    expect([isUsed, written]).toEqual([false, `${path}.retrained`]);
    expect(out).toContain(comparison.statement);
    expect(out).toContain(`${numLearnt} new decisions learnt.`);
  });

  it('puts the new model in use with --use, and the one before back with --restore', async () => {
    const { path, store, run } = await prepared();
    const before = await readFile(path);
    const { out } = await run('--reviews', store, '--use');
    expect(out).toMatch(/shop\.tagloom is the new model.*To go back: tagloom retrain .*shop\.tagloom --restore/);
    const next = await readFile(path);
    expect(next).not.toEqual(before);
    expect(await readFile(`${path}.before`)).toEqual(before);
    await run('--restore');
    expect(await readFile(path)).toEqual(before);
    expect(await readFile(`${path}.retrained`)).toEqual(next);
    await expect(run('--restore')).rejects.toThrow(/no model before.*--use/);
    await runCommand(addRetrain, ['retrain', path, '--use-trained']);
    expect(await readFile(path)).toEqual(next);
    await expect(runCommand(addRetrain, ['retrain', path, '--use-trained'])).rejects.toThrow(/got no new model/);
  });

  it('exchanges nothing while another process trains', async () => {
    const { path, store, run } = await prepared();
    await run('--reviews', store, '--use');
    await copyFile(`${path}.before`, `${path}.older`);
    await run('--restore');
    await copyFile(`${path}.older`, `${path}.before`); // there is one to go back to, and one to use
    const before = await readFile(path);
    await whileTraining(path, async () => {
      for (const way of ['--use-trained', '--restore']) {
        const command = runCommand(addRetrain, ['retrain', path, way]);
        await expect(command).rejects.toThrow(/shop\.tagloom: got a model that .* is training/);
      }
    });
    expect(await readFile(path)).toEqual(before);
  });

  it('stops on Ctrl-C, and refuses reviews that are not there', async () => {
    const { path, store, run } = await prepared();
    const args = ['retrain', path, '--reviews', store];
    await expect(runCommand(addRetrain, args, { signal: AbortSignal.abort() })).rejects.toThrow(CancelledError);
    await expect(run('--reviews', `${path}.none`)).rejects.toThrow(/no such folder/);
    await expect(run()).rejects.toThrow(/shop\.tagloom\.reviews: got no such folder/);
  });

  it('names the service that uses the reviews', async () => {
    const { path } = await prepared();
    vi.restoreAllMocks();
    const store = await emptyStoreFolder();
    const held = await ReviewStore.open(store);
    try {
      await writeServiceAddress(store, 'http://127.0.0.1:9999');
      await expect(runCommand(addRetrain, ['retrain', path, '--reviews', store])).rejects.toThrow(
        /curl -X POST 'http:\/\/127\.0\.0\.1:9999\/v1\/model\/training'/,
      );
    } finally {
      await held.close();
    }
  });
});
