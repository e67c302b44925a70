import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { Terminal } from '../../src/commands/terminal.ts';
import { choiceOf, refuseUnsure, withRecommender } from '../../src/commands/with-recommender.ts';
import { saveModel } from '../../src/models/model-file.ts';
import { train } from '../../src/pipeline.ts';
import { Recommender } from '../../src/serving/recommend/recommender.ts';
import { checkerboard } from '../checkerboard.ts';
import { tempFolder } from '../temp-folder.ts';

const silent = { write: () => {} };
const terminal = new Terminal({ out: silent, err: silent, signal: new AbortController().signal, now: () => 0 });
const model = await train(checkerboard(10, 6, 6), { model: 'popularity', threads: 1 });

describe('withRecommender(path, options, terminal, use)', () => {
  it('opens the model, and closes it whatever happens', async () => {
    const path = join(await tempFolder(), 'model');
    await saveModel(path, model);
    const close = vi.spyOn(Recommender.prototype, 'close');
    const found = await withRecommender(path, { threads: 1 }, terminal, (recommender) => recommender.find('o003'));
    expect(found).toBe(3);
    expect(close).toHaveBeenCalledTimes(1);
    const failing = withRecommender(path, { threads: 1 }, terminal, () => Promise.reject(new Error('it failed')));
    await expect(failing).rejects.toThrow('it failed');
    expect(close).toHaveBeenCalledTimes(2);
    close.mockRestore();
  });
});

describe('choiceOf(options)', () => {
  it('reads names with commas between, or one a line from a file', async () => {
    const folder = await tempFolder({ 'tags.txt': 'post punk\r\n\n rock, live \n' });
    const choice = await choiceOf({ allow: `@${join(folder, 'tags.txt')}`, deny: 'a, b', novelty: 1 });
    expect(choice).toEqual({
      allow: new Set(['post punk', 'rock, live']),
      deny: new Set(['a', 'b']),
      minConfidence: undefined,
      novelty: 1,
    });
    await expect(choiceOf({ allow: `@${join(folder, 'none')}` })).rejects.toThrow(/none: got nothing that can be read/);
  });
});

describe('refuseUnsure(model, minConfidence)', () => {
  it('refuses a model without confidence only where confidence is asked for', () => {
    expect(() => refuseUnsure(model, undefined)).not.toThrow();
    expect(() => refuseUnsure(model, 0.5)).toThrow(/got a popularity model.*Train loom, or leave out --min-confidence/);
  });
});
