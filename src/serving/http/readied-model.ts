// A model with what the service computes from it before it answers: in one pass for the first, in a thread of its own where another
// model serves meanwhile. A thread that takes too long is ended: nothing a file holds may keep the service busy for ever.

import { Worker } from 'node:worker_threads';
import type { Relation } from '../../data/relation.ts';
import { CancelledError, InputError, type InputProblem } from '../../errors.ts';
import type { Model } from '../../models/model.ts';
import { modelFingerprint } from '../../models/model-fingerprint.ts';
import { unpackFromThread } from '../../models/model-transfer.ts';
import { withTags } from '../../models/with-tags.ts';

export interface ReadiedModel {
  readonly model: Model;
  readonly fingerprint: string;
  /** Of the model as it was trained: without the tags that it was given since. */
  readonly trainedFingerprint: string;
  readonly usersOf: Relation; // from objects
  readonly objectsOf: Relation; // from tags
}

export interface ThreadOptions {
  /** The program that loads models (model-thread.ts) where it does not lie beside this one. */
  readonly modelThread?: URL | undefined;
  /** How long it may take. */
  readonly loadLimitMs?: number | undefined;
}

const LOAD_LIMIT_MS = 60_000;
// run from its source, as tests do, the thread is the compiled one: it cannot read TypeScript
const PLACE = import.meta.url.endsWith('.ts') ? '../../../dist/serving/http/' : './';
const THREAD = new URL(`${PLACE}model-thread.js`, import.meta.url);

/** `tags`: some that the model is given if it has them not. */
export function readied(trained: Model, tags: readonly string[] = []): ReadiedModel {
  const model = withTags(trained, tags);
  const { interact, tagged } = model.graph;
  const fingerprint = modelFingerprint(model);
  return {
    model,
    fingerprint,
    trainedFingerprint: model === trained ? fingerprint : modelFingerprint(trained),
    usersOf: interact.reversed(),
    objectsOf: tagged.reversed(),
  };
}

/** The same from a file, with some tags if it has them not, in a thread that ends with it, with the signal, or when its time is over. */
export async function readyInThread(
  path: string,
  tags: readonly string[],
  { modelThread = THREAD, loadLimitMs = LOAD_LIMIT_MS }: ThreadOptions,
  signal: AbortSignal,
): Promise<ReadiedModel> {
  if (signal.aborted) throw new CancelledError();
  const thread = new Worker(modelThread, { workerData: { path, tags } });
  let [stop, timer]: [() => void, NodeJS.Timeout | undefined] = [() => {}, undefined];
  try {
    return await new Promise<ReadiedModel>((resolve, reject) => {
      stop = () => reject(new CancelledError());
      signal.addEventListener('abort', stop);
      timer = setTimeout(() => reject(tooSlow(path, loadLimitMs)), loadLimitMs);
      thread.on('message', ({ packed, problem }: { packed?: unknown; problem?: InputProblem }) => {
        if (problem !== undefined) return reject(new InputError(problem));
        try {
          resolve(unpackFromThread<ReadiedModel>({ packed }));
        } catch (error) {
          reject(error); // a file beside the model that is gone by now
        }
      });
      thread.on('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge(path) : error),
      );
      thread.on('exit', () => reject(new Error('The thread that loads a model ended before its time.')));
    });
  } finally {
    signal.removeEventListener('abort', stop);
    clearTimeout(timer);
    await thread.terminate();
  }
}

function tooSlow(file: string, limitMs: number): InputError {
  const got = `a file that was not read within ${limitMs / 1000} s`;
  return new InputError({ file, got, expected: 'a model', cure: 'Check the disk it lies on, or train it again.' });
}

function tooLarge(file: string): InputError {
  const cure = 'Use a machine with more memory, or train a smaller model.';
  return new InputError({ file, got: 'a model that needs more memory than there is', expected: 'a smaller one', cure });
}
