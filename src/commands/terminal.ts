// What a command may do to the terminal: answer on standard output, report on standard error, hear Ctrl-C.
// Commands get a Terminal and never touch the process, so tests run them with two strings in place of the streams.

import cliProgress from 'cli-progress';
import type { Listener } from '../listener.ts';

/** The part of a stream that is used here. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface TerminalOptions {
  readonly out: Output;
  readonly err: Output;
  readonly signal: AbortSignal;
  /** Milliseconds; injected so that tests need no clock. */
  readonly now: () => number;
}

const QUIET_MS = 1000; // what is over sooner needs no progress
const LINE_MS = 5000; // between two lines of progress where no bar can be drawn

export class Terminal {
  readonly signal: AbortSignal;
  readonly #out: Output;
  readonly #err: Output;
  readonly #now: () => number;

  constructor(options: TerminalOptions) {
    this.#out = options.out;
    this.#err = options.err;
    this.signal = options.signal;
    this.#now = options.now;
  }

  /** The answer: text on standard output. */
  print(text: string): void {
    this.#out.write(text.endsWith('\n') ? text : `${text}\n`);
  }

  /** The answer as one JSON document. */
  printJson(value: unknown): void {
    this.print(JSON.stringify(value, null, 2));
  }

  /** A remark on standard error. */
  note(text: string): void {
    this.#err.write(`${text}\n`);
  }

  /** Runs a piece of work with progress on standard error, if it takes longer than a second, and its warnings. */
  async during<T>(work: (options: Listener) => Promise<T>): Promise<T> {
    const progress = this.#err.isTTY ? new Bar(this.#now) : new Lines(this.#now, (text) => this.note(text));
    const warnings: string[] = [];
    try {
      return await work({
        signal: this.signal,
        progress: (step, done, total) => progress.update(step, done, total),
        warn: (message) => warnings.push(message),
      });
    } finally {
      progress.stop();
      for (const warning of warnings) this.note(`warning: ${warning}`);
    }
  }
}

class Bar {
  readonly #bar = new cliProgress.SingleBar(
    { format: '{step} {bar} {percentage} %', hideCursor: true, clearOnComplete: true, fps: 10 },
    cliProgress.Presets.shades_classic,
  );
  readonly #now: () => number;
  readonly #began: number;
  #shown = false;

  constructor(now: () => number) {
    this.#now = now;
    this.#began = now();
  }

  update(step: string, done: number, total: number): void {
    if (this.#now() - this.#began < QUIET_MS) return;
    if (!this.#shown) this.#bar.start(total, done, { step });
    this.#shown = true;
    this.#bar.setTotal(total);
    this.#bar.update(done, { step });
  }

  stop(): void {
    if (this.#shown) this.#bar.stop();
  }
}

class Lines {
  readonly #now: () => number;
  readonly #write: (text: string) => void;
  #last: number;
  #wait = QUIET_MS;

  constructor(now: () => number, write: (text: string) => void) {
    this.#now = now;
    this.#write = write;
    this.#last = now();
  }

  update(step: string, done: number, total: number): void {
    if (this.#now() - this.#last < this.#wait) return;
    this.#last = this.#now();
    this.#wait = LINE_MS;
    this.#write(`${step}: ${total > 0 ? Math.floor((100 * done) / total) : 100} %`);
  }

  stop(): void {}
}
