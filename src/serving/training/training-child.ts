// A training in a process of its own, seen from the service: it is handed the reviews and the job, and ends with a new model, a
// reason why there is none, or because it was stopped. Killed from outside, it says so, too.

import { type ChildProcess, fork } from 'node:child_process';
import { InputError } from '../../errors.ts';
import type { Change } from '../reviews/review-store.ts';
import type { FromTraining, Retrained, ToTraining, TrainingJob, TrainingProgress } from './training-messages.ts';

// run from its source, as tests do, the process is the compiled one: it cannot read TypeScript
const PLACE = import.meta.url.endsWith('.ts') ? '../../../dist/retraining/' : '../../retraining/';
const PROCESS = new URL(`${PLACE}training-process.js`, import.meta.url);
const GRACE_MS = 6000; // until a process that was told to stop is killed
const MOST_ERRORS = 4000; // characters of what it wrote before it broke

/** How a training ended. */
export type TrainingOutcome =
  | { readonly kind: 'done'; readonly retrained: Retrained }
  | { readonly kind: 'failed'; readonly detail: string; readonly cure: string }
  | { readonly kind: 'stopped' };

export interface ChildOptions {
  /** The program that trains (retraining/training-process.ts) where it does not lie in its usual place. */
  readonly program?: URL | undefined;
  readonly onProgress: (progress: TrainingProgress) => void;
  readonly warn: (message: string) => void;
}

export class TrainingChild {
  /** When the process holds the lock and has read the model; rejected with an InputError where it cannot train. */
  readonly begun: Promise<void>;
  readonly over: Promise<TrainingOutcome>;
  readonly #child: ChildProcess;
  #hasBegun = false;
  #isStopped = false;
  #last: FromTraining | undefined;
  #errors = '';

  constructor({ program = PROCESS, onProgress, warn }: ChildOptions) {
    const child = fork(program, [], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    this.#child = child;
    child.stderr?.on('data', (text) => {
      this.#errors = `${this.#errors}${text}`.slice(-MOST_ERRORS);
    });
    let begin = () => {};
    const hasBegun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    child.on('message', (message: FromTraining) => {
      if (message.kind === 'progress') onProgress(message.progress);
      else if (message.kind === 'warning') warn(message.message);
      else if (message.kind !== 'begun') this.#last = message;
      else {
        this.#hasBegun = true;
        begin();
      }
    });
    this.over = new Promise((resolve) => {
      child.on('error', (error) => resolve(notStarted(error)));
      child.on('close', (code, signal) => resolve(this.#outcome(code, signal, warn)));
    });
    this.begun = Promise.race([hasBegun, this.over.then(() => this.#refuseIfEarly())]);
    this.begun.catch(() => {}); // who waits hears of it
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Reviews come in parts, so that none is copied while requests wait. */
  async begin(reviews: AsyncIterable<readonly Change[]>, job: TrainingJob): Promise<void> {
    for await (const changes of reviews) {
      const plain = changes.map(({ object, tag, decision, isUndone }) => ({ object, tag, decision, isUndone }));
      await this.#send({ kind: 'reviews', reviews: plain });
    }
    await this.#send({ kind: 'begin', job });
  }

  /** Done when the process has ended, and has cleaned up if it could. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#send({ kind: 'stop' });
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), GRACE_MS);
    await this.over;
    clearTimeout(timer);
  }

  #send(message: ToTraining): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#child.connected) resolve();
      else this.#child.send(message, () => resolve()); // where it has ended, `over` tells
    });
  }

  /** It ended before it had begun: where something is in its way, that is no failed training. */
  #refuseIfEarly(): void {
    if (!this.#hasBegun && this.#last?.kind === 'problem') throw new InputError(this.#last.problem);
  }

  #outcome(code: number | null, signal: NodeJS.Signals | null, warn: (message: string) => void): TrainingOutcome {
    const last = this.#last;
    if (last?.kind === 'done') return last;
    if (last?.kind === 'stopped' || this.#isStopped) return { kind: 'stopped' };
    if (last?.kind === 'problem') {
      const { file, got, expected, cure } = last.problem;
      const where = file === undefined ? 'Got' : `${file}: got`;
      return { kind: 'failed', detail: `${where} ${got}, expected ${expected}.`, cure };
    }
    const stack = last?.kind === 'bug' ? last.stack : this.#errors.trim();
    if (stack !== '') warn(`The process that trains broke: ${stack}`);
    return brokenOff(code, signal, stack);
  }
}

function notStarted(error: Error): TrainingOutcome {
  const detail = `The process that trains could not be started (${error.message}).`;
  return { kind: 'failed', detail, cure: 'Look whether the machine has memory and processes left, then try again.' };
}

function brokenOff(code: number | null, signal: NodeJS.Signals | null, stack: string): TrainingOutcome {
  const isMemory = /heap out of memory|Array buffer allocation failed|could not be allocated/i.test(stack);
  if (isMemory || signal !== null) {
    const how = signal === null ? 'ran out of memory' : `was killed (${signal})`;
    const cure = 'Look whether the machine has enough memory, then train again; or train on another machine.';
    return { kind: 'failed', detail: `The process that trains ${how}.`, cure };
  }
  const detail = `The process that trains broke off with exit code ${code}.`;
  return { kind: 'failed', detail, cure: 'This is a bug: please report it, with what the service wrote to its log.' };
}
