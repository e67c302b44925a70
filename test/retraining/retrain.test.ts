// Training again from a model file: what is learnt, what stays, and what is refused.

import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { graphFrom } from '../../src/data/knowledge-graph.ts';
import { split } from '../../src/data/split.ts';
import { CancelledError } from '../../src/errors.ts';
import { loadModel, saveModel } from '../../src/models/model-file.ts';
import { modelFingerprint } from '../../src/models/model-fingerprint.ts';
import { train } from '../../src/pipeline.ts';
import { retrain } from '../../src/retraining/retrain.ts';
import {
  exchangeForBefore,
  exchangeForNew,
  readRetrained,
  retrainedPath,
} from '../../src/serving/training/retrained-files.ts';
import type { CountedReview } from '../../src/serving/training/training-messages.ts';
import { checkerboard } from '../checkerboard.ts';
import { withoutShell } from '../systems.ts';
import { tempFolder } from '../temp-folder.ts';
import { checkerboardDecisions } from './decisions.ts';

const graph = split(checkerboard(), { trainFraction: 0.7, seed: 3 }).train;
const reviews: CountedReview[] = checkerboardDecisions(graph).map((one) => ({ ...one, isUndone: false }));
const first = await train(graph, { model: 'itemknn', threads: 1, settings: { neighbours: 7 } });
const engine = { threads: 1 };

async function saved(): Promise<string> {
  const path = join(await tempFolder(), 'model');
  await saveModel(path, first);
  return path;
}

const pairsOf = ({ graph: { objects, tags, tagged } }: typeof first) =>
  new Set(Array.from(tagged.heads, (object, i) => `${objects.name(object)} ${tags.name(tagged.tails[i])}`));

describe('training again', () => {
  it('learns the decisions it does not hold back, keeps kind, settings and data, and leaves the old file alone', async () => {
    const path = await saved();
    const before = await readFile(path);
    const { base, fingerprint, numLearnt, comparison } = await retrain(path, reviews, engine);
    const next = await loadModel(retrainedPath(path));
    const { numPairs: numAccepted } = comparison.accepted;
    const { numPairs: numRejected } = comparison.rejected;
    expect([base, fingerprint]).toEqual([modelFingerprint(first), modelFingerprint(next)]);
    expect([next.name, next.settings]).toEqual(['itemknn', first.settings]);
    expect(next.metrics['decisions held back']).toBe(numAccepted + numRejected);
    const accepted = reviews.filter(({ decision }) => decision === 'accept');
    expect(next.graph.tagged.size).toBe(graph.tagged.size + accepted.length - numAccepted);
    expect(next.rejected?.size).toBe(reviews.length - accepted.length - numRejected);
    expect(numLearnt).toBe(reviews.length - numAccepted - numRejected);
    expect(await readFile(path)).toEqual(before);
    expect((await readdir(join(path, '..'))).sort()).toEqual(['model', 'model.retrained', 'model.retrained.json']);
  });

  it('gives the same bytes for the same decisions', async () => {
    const [one, other] = [await saved(), await saved()];
    await retrain(one, reviews, engine);
    await retrain(other, [...reviews].reverse(), engine);
    expect(await readFile(retrainedPath(one))).toEqual(await readFile(retrainedPath(other)));
  });

  it('again learns what was held back before, remembers what was rejected, and hears of what was undone', async () => {
    const path = await saved();
    const { comparison } = await retrain(path, reviews, engine);
    await exchangeForNew(path);
    const second = await loadModel(path);
    const [undone] = reviews.filter(
      ({ object, tag, decision }) =>
        decision === 'reject' && second.rejected?.has(second.graph.objects.idOf(object), second.graph.tags.idOf(tag)),
    );
    // the store was emptied since, but for one review that was undone and those that wait
    const known = pairsOf(second);
    const waiting = reviews.filter(
      ({ object, tag, decision }) => decision === 'accept' && !known.has(`${object} ${tag}`),
    );
    expect(waiting).toHaveLength(comparison.accepted.numPairs);
    const numRejected = second.rejected?.size ?? 0;
    await retrain(path, [...waiting, { ...undone, isUndone: true }], engine);
    const third = await loadModel(retrainedPath(path));
    expect(third.rejected?.size).toBe(numRejected - 1);
    const learnt = waiting.filter(({ object, tag }) => pairsOf(third).has(`${object} ${tag}`));
    expect(learnt.length).toBe(waiting.length - third.metrics['decisions held back']);
    expect(learnt.length).toBeGreaterThan(0);
  });

  it('is refused where the file is not the model that serves, or has nothing to learn', async () => {
    const path = await saved();
    await expect(retrain(path, reviews, { ...engine, base: 'another' })).rejects.toThrow(
      /another model than the one that serves.*Reload/,
    );
    await expect(retrain(path, [], engine)).rejects.toThrow(/no decision that the model has not learnt/);
    expect(await readdir(join(path, '..'))).toEqual(['model']);
  });

  it('is refused with the command to run where the model lacks what it learnt from', async () => {
    const path = join(await tempFolder(), 'model');
    const small = graphFrom({
      interact: [
        ['u', 'a'],
        ['u', 'b'],
      ],
      tagged: [
        ['a', 'x'],
        ['b', 'y'],
        ['c', 'x'],
        ['d', 'y'],
      ],
    });
    const rowStart = Int32Array.from([0, 1, 2, 3, 4]);
    const features = {
      names: ['f'],
      numFeatures: 1,
      rowStart,
      columns: new Int32Array(4),
      values: Float32Array.of(1, 2, 3, 4),
    };
    await saveModel(path, await train(small, { model: 'loom', features, threads: 1 }));
    const decided = [{ object: 'a', tag: 'y', decision: 'accept' as const, isUndone: false }];
    await expect(retrain(path, decided, engine)).rejects.toThrow(
      /content features.*tagloom train DATA --features FEATURES --reviews STORE -o .*model --force/,
    );
  });

  it('leaves nothing behind where it is stopped', async () => {
    const path = await saved();
    const stop = new AbortController();
    const stopped = retrain(
      path,
      reviews,
      { ...engine, onStage: (stage) => stage === 'comparing' && stop.abort() },
      stop,
    );
    await expect(stopped).rejects.toThrow(CancelledError);
    expect(await readdir(join(path, '..'))).toEqual(['model']);
  });

  it('makes a model that waits only for the one it was compared with', async () => {
    const path = await saved();
    const { base } = await retrain(path, reviews, engine);
    expect((await readRetrained(path, base))?.base).toBe(base);
    expect(await readRetrained(path, 'another')).toBeUndefined();
  });

  it('makes no model that waits of one that a restore broke off at', async () => {
    const path = await saved();
    const { base } = await retrain(path, reviews, engine);
    await expect(exchangeForBefore(path)).rejects.toThrow(); // there is none: as one that is killed half way
    expect(await readRetrained(path, base)).toBeUndefined(); // it was the model that serves
  });
});

describe('a disk that does not take the new model', () => {
  it.skipIf(withoutShell)('is an error with its cure, and nothing half-written stays', async () => {
    const path = await saved();
    const text = `import { retrain } from ${JSON.stringify(new URL('../../dist/retraining/retrain.js', import.meta.url))};
      const failed = await retrain(${JSON.stringify(path)}, ${JSON.stringify(reviews)}, { threads: 1 }).catch((error) => error);
      process.stdout.write(failed.name + ': ' + failed.message);`;
    // no file may be larger than four blocks: the system refuses to write more, as a full disk does
    const shell = ['-c', 'ulimit -f 4; exec "$0" --input-type=module -', process.execPath];
    const { stdout } = spawnSync('sh', shell, { input: text, encoding: 'utf8' });
    expect(stdout).toMatch(
      /^InputError: .*model\.retrained: got more data than a file on this disk may hold.*another disk/,
    );
    expect(await readdir(join(path, '..'))).toEqual(['model']);
  });
});
