// What a service forks to train: a program of its own, with memory and threads of its own, at the lowest priority, so that
// requests are answered as if nothing else ran. It hears reviews and a job, tells how it goes, and ends. It ends, too, when
// the service does, however that ends: a stopped training cleans up behind itself, and one that takes too long over that is cut.

import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { CancelledError, InputError } from '../errors.ts';
import type {
  FromTraining,
  ToTraining,
  TrainingJob,
  TrainingProgress,
  TrainingStage,
} from '../serving/training/training-messages.ts';
import { LatestReviews } from './latest-reviews.ts';
import { retrain } from './retrain.ts';

const PROGRESS_MS = 100; // between two messages
const GRACE_MS = 5000; // to clean up

const reviews = new LatestReviews();
const stop = new AbortController();
let stage: TrainingStage = 'training';
let toldAt = 0;
let isRunning = false;

lowerPriority();
process.on('disconnect', end); // the service is gone
process.on('SIGINT', () => {}); // Ctrl-C is for the service, which stops this
process.on('message', (message: ToTraining) => {
  if (message.kind === 'reviews') reviews.add(message.reviews);
  else if (message.kind === 'stop') end();
  else void run(message.job);
});

async function run({ path, base, threads }: TrainingJob): Promise<void> {
  isRunning = true;
  const onStage = (begun: TrainingStage) => {
    stage = begun;
  };
  try {
    const options = { base, threads, onStage, onBegin: () => void tell({ kind: 'begun' }) };
    const warn = (message: string) => void tell({ kind: 'warning', message });
    const retrained = await retrain(path, reviews, options, { signal: stop.signal, progress, warn });
    await tell({ kind: 'done', retrained });
  } catch (error) {
    await tell(failureOf(error));
  }
  process.exit();
}

function failureOf(error: unknown): FromTraining {
  if (error instanceof CancelledError) return { kind: 'stopped' };
  if (error instanceof InputError) return { kind: 'problem', problem: error.problem };
  return { kind: 'bug', stack: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

function progress(step: string, done: number, total: number, detail?: string): void {
  const now = performance.now();
  if (now - toldAt < PROGRESS_MS) return;
  toldAt = now;
  const told: TrainingProgress = { stage, step, done, total, ...(detail !== undefined && { detail }) };
  void tell({ kind: 'progress', progress: told });
}

/** Done when it was handed over; nobody to hear it is no fault. */
function tell(message: FromTraining): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve();
    else process.send(message, undefined, undefined, () => resolve());
  });
}

/** Without a job there is nothing to clean up. */
function end(): void {
  if (!isRunning) process.exit();
  stop.abort();
  setTimeout(() => process.exit(), GRACE_MS).unref();
}

/** Of the process and, where the system counts threads apart, of those there are: later ones take it from them. */
function lowerPriority(): void {
  const lowest = constants.priority.PRIORITY_LOW;
  for (const id of [0, ...threadIds()]) {
    try {
      setPriority(id, lowest);
    } catch {
      // not allowed here, or the thread has ended: it trains all the same
    }
  }
}

function threadIds(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [];
  }
}
