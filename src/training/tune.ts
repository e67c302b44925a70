// Random search with successive halving (Jamieson and Talwalkar, "Non-stochastic best arm identification and
// hyperparameter optimization", AISTATS 2016). All trials are measured cheaply, the best third of them at more cost, the
// best third of these in full: a rung each. Trial 0, the defaults, is measured in full before all others, so the result
// is never worse. How a trial is measured is the caller's affair.
//
// Time spent is the sum of what the evaluations took. It decides how many trials the first rung has, so that the best of
// them get to the last. A search that goes on finds its evaluations with their times, and so decides as it did before.

import { NonFiniteError } from '../engine/tape/tape.ts';
import { CancelledError, InputError } from '../errors.ts';
import type { Listener } from '../listener.ts';
import type { Settings } from '../settings.ts';
import type { Trial } from './search-space.ts';

/** One evaluation. */
export interface Measured {
  readonly trial: number;
  readonly settings: Settings;
  /** Of all it could have learnt from, or of its epochs; 1: in full. */
  readonly share: number;
  /** On validation pairs; higher is better. */
  readonly recall?: number;
  /** Why there is none. */
  readonly failure?: string;
  readonly seconds: number;
}

export interface Clock {
  /** Milliseconds. */
  now(): number;
  /** Calls back after a time; what it returns calls that off. */
  after(ms: number, call: () => void): () => void;
}

export interface SearchOptions {
  /** By rung, ascending; the last is 1. */
  readonly shares: readonly number[];
  readonly budgetMs: number;
  evaluate(settings: Settings, rung: number, listener: Listener): Promise<number>;
  /** Where finished evaluations are kept, and found again. */
  readonly store?: {
    find(settings: Settings, share: number): Measured | undefined;
    add(measured: Measured): Promise<void>;
  };
  readonly clock?: Clock;
}

/** What tuning found. */
export interface SearchResult {
  /** The best of those measured in full. */
  readonly best: Measured;
  /** Of each trial its evaluation at the largest share, the best first; `seconds` are those of all its evaluations. */
  readonly trials: readonly Measured[];
  /** Whether the time was over before all trials had had their chance. */
  readonly isCut: boolean;
}

const KEPT = 1 / 3; // of a rung go on to the next
const MARGIN = 1.2; // on what later rungs will take, which is a guess
const MAX_TIMER_MS = 2 ** 31 - 1; // of setTimeout

const WALL_CLOCK: Clock = {
  now: () => performance.now(),
  after: (ms, call) => {
    const timer = setTimeout(call, Math.min(ms, MAX_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

/** The first trial has to be the defaults. */
export async function searchTrials(
  trials: readonly Trial[],
  options: SearchOptions,
  listener: Listener = {},
): Promise<SearchResult> {
  const search = new Search(options, listener);
  await search.run(trials);
  return search.result();
}

class Search {
  readonly #options: SearchOptions;
  readonly #listener: Listener;
  readonly #clock: Clock;
  readonly #measured: Measured[] = [];
  #spentMs = 0;
  #isCut = false;

  constructor(options: SearchOptions, listener: Listener) {
    this.#options = options;
    this.#listener = listener;
    this.#clock = options.clock ?? WALL_CLOCK;
  }

  async run([defaults, ...drawn]: readonly Trial[]): Promise<void> {
    const last = this.#options.shares.length - 1;
    if ((await this.#measure(defaults, last, 'the defaults')) === undefined) {
      this.#isCut = true;
      return;
    }
    // the rungs again for trials that have had no turn, as often as there is time
    let waiting = drawn;
    let numTaken: number;
    do {
      numTaken = await this.#climb(waiting);
      waiting = waiting.slice(numTaken);
    } while (numTaken > 0 && waiting.length > 0 && this.#fits(waiting[0], 0, []));
    if (waiting.length > 0) this.#isCut = true;
  }

  /** Takes as many trials as the time allows up the rungs; returns how many. */
  async #climb(trials: readonly Trial[]): Promise<number> {
    const { shares } = this.#options;
    let left = trials;
    let numTaken = 0;
    for (let rung = 0; rung < shares.length && left.length > 0; rung++) {
      // where the best would not get through this rung and the last one, this one is left out
      if (rung > 0 && rung < shares.length - 1 && !this.#fits(left[0], rung, [])) continue;
      const done = await this.#runRung(left, rung);
      if (rung === 0) numTaken = done.length;
      else if (done.length < left.length) this.#isCut = true;
      left = ranked(done)
        .slice(0, Math.ceil(done.length * KEPT))
        .map(({ trial: number, settings }) => ({ number, settings }));
    }
    return numTaken;
  }

  result(): SearchResult {
    const inFull = this.#measured.filter(({ share }) => share === 1);
    const best = ranked(inFull)[0];
    if (best === undefined) throw this.#isCut ? this.#tooShort() : this.#allFailed();
    const numbers = new Set(this.#measured.map(({ trial }) => trial));
    const trials = [...numbers].map((number) => {
      const own = this.#measured.filter(({ trial }) => trial === number);
      const fullest = own.reduce((a, b) => (b.share > a.share ? b : a));
      return { ...fullest, seconds: own.reduce((sum, { seconds }) => sum + seconds, 0) };
    });
    trials.sort((a, b) => b.share - a.share || (b.recall ?? -1) - (a.recall ?? -1) || a.trial - b.trial);
    return { best, trials, isCut: this.#isCut };
  }

  /** Measures the trials one by one while there is time. */
  async #runRung(trials: readonly Trial[], rung: number): Promise<Measured[]> {
    const { shares, budgetMs } = this.#options;
    const done: Measured[] = [];
    for (const [i, trial] of trials.entries()) {
      const isTime = i === 0 ? this.#spentMs < budgetMs : this.#fits(trial, rung, done);
      if (!isTime) break;
      const name = `rung ${rung + 1} of ${shares.length}, ${i + 1} of ${trials.length}, trial ${trial.number}`;
      const measured = await this.#measure(trial, rung, name);
      if (measured === undefined) break;
      done.push(measured);
    }
    return done;
  }

  /** Whether there is time for one more trial of a rung and, after it, for the best ones on the rungs that follow. */
  #fits(trial: Trial, rung: number, done: readonly Measured[]): boolean {
    const { shares, budgetMs } = this.#options;
    const best = ranked(done).map(({ trial: number }) => number);
    let numLeft = done.length + 1;
    let later = 0;
    for (let r = rung + 1; r < shares.length; r++) {
      numLeft = Math.ceil(numLeft * KEPT);
      for (let i = 0; i < numLeft; i++) later += this.#expected(best[i] ?? trial.number, r);
    }
    return this.#spentMs + 1000 * (this.#expected(trial.number, rung) + later * MARGIN) <= budgetMs;
  }

  /** Seconds a trial will take: from what it took on a lower rung, if it was there, and how others grew from there. */
  #expected(trial: number, rung: number): number {
    const { shares } = this.#options;
    const own = this.#measured.findLast((one) => one.trial === trial && one.share < shares[rung]);
    const usual = this.#usual(shares[rung]);
    return own === undefined ? usual : (own.seconds * usual) / Math.max(1e-9, this.#usual(own.share));
  }

  /** Seconds that most take, or by the nearest guess would take. */
  #usual(share: number): number {
    const finished = this.#measured.filter(({ recall }) => recall !== undefined);
    const same = finished.filter((one) => one.share === share);
    return median((same.length > 0 ? same : finished).map((one) => (one.seconds * share) / one.share));
  }

  /** Undefined where the time was over before it was done. */
  async #measure({ number: trial, settings }: Trial, rung: number, name: string): Promise<Measured | undefined> {
    const { store, shares } = this.#options;
    const kept = store?.find(settings, shares[rung]);
    const measured = kept ? { ...kept, trial } : await this.#evaluate({ number: trial, settings }, rung, name);
    if (measured === undefined) return undefined;
    if (kept === undefined) await store?.add(measured);
    this.#measured.push(measured);
    this.#spentMs += measured.seconds * 1000;
    return measured;
  }

  async #evaluate({ number: trial, settings }: Trial, rung: number, name: string): Promise<Measured | undefined> {
    const { shares, budgetMs, evaluate } = this.#options;
    const { signal } = this.#listener;
    if (signal?.aborted) throw new CancelledError();
    const stop = new AbortController();
    const onStop = () => stop.abort();
    signal?.addEventListener('abort', onStop);
    const callOff = this.#clock.after(budgetMs - this.#spentMs, onStop);
    const started = this.#clock.now();
    const finish = (result: { recall: number } | { failure: string }): Measured => {
      const seconds = (this.#clock.now() - started) / 1000;
      return { trial, settings, share: shares[rung], ...result, seconds };
    };
    try {
      const recall = await evaluate(settings, rung, this.#named(name, stop.signal));
      return finish(Number.isFinite(recall) ? { recall } : { failure: `Got ${recall} when expected a number.` });
    } catch (error) {
      if (error instanceof CancelledError && !signal?.aborted) {
        this.#spentMs = budgetMs;
        return undefined;
      }
      if (!isOfTrial(error)) throw error;
      return finish({ failure: error.message });
    } finally {
      callOff();
      signal?.removeEventListener('abort', onStop);
    }
  }

  #named(name: string, signal: AbortSignal): Listener {
    const best = ranked(this.#measured.filter(({ share }) => share === 1))[0];
    const soFar = best === undefined ? [] : [`best so far ${best.recall?.toFixed(4)}`];
    this.#listener.progress?.(name, 0, 1, soFar[0]);
    return {
      ...this.#listener,
      signal,
      progress: (step, done, total, detail) => {
        const details = [...(detail === undefined ? [] : [detail]), ...soFar];
        this.#listener.progress?.(`${name}: ${step}`, done, total, details.join(', ') || undefined);
      },
    };
  }

  #tooShort(): InputError {
    const got = `a budget of ${this.#options.budgetMs / 1000} s`;
    const cure = 'Give it more time, such as --budget 30m.';
    return new InputError({ got, expected: 'enough to measure one configuration in full', cure });
  }

  #allFailed(): InputError {
    const got = `no configuration that can be measured: ${this.#measured[0]?.failure}`;
    return new InputError({ got, expected: 'at least one', cure: 'Give other settings, or take another model.' });
  }
}

/** Those that were measured, best first; of equals the earlier. */
function ranked(measured: readonly Measured[]): Measured[] {
  return measured
    .filter(({ recall }) => recall !== undefined)
    .sort((a, b) => (b.recall ?? 0) - (a.recall ?? 0) || a.trial - b.trial);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** Whether it may be the trial's own fault, so that others may do better: all but bad input and a stop. */
function isOfTrial(error: unknown): error is Error {
  if (error instanceof InputError) return error.cause instanceof NonFiniteError; // of too large a learning rate
  return error instanceof Error && !(error instanceof CancelledError);
}
