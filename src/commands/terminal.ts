// What a command may do to the terminal: answer on standard output, report on standard error, hear Ctrl-C; and how tables
// look there. Commands get a Terminal and never touch the process, so tests run them with two strings in place of streams.

import cliProgress from 'cli-progress';
import type { Listener } from '../listener.ts';

/** The part of a stream that is used here. */
export interface Output {
  /** False where the reader is slow: "drain" follows. */
  write(text: string): unknown;
  once?(event: 'drain', listener: () => void): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface TerminalOptions {
  readonly out: Output;
  readonly err: Output;
  /** Standard input; without it, there is none. */
  readonly input?: AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
  /** Milliseconds; injected so that tests need no clock. */
  readonly now: () => number;
  /** Calls back whenever the process is told to reload its files (SIGHUP); without it, nothing does. */
  readonly onHangup?: (listener: () => void) => void;
  /** How a person runs a command here; "tagloom" by default. */
  readonly program?: string;
}

const QUIET_MS = 1000; // what is over sooner needs no progress
const LINE_MS = 5000; // between two lines of progress where no bar can be drawn

const NO_INPUT: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: async function* () {} };

export class Terminal {
  readonly signal: AbortSignal;
  /** Standard input, as chunks of bytes. */
  readonly input: AsyncIterable<Uint8Array>;
  readonly #out: Output;
  readonly #err: Output;
  readonly #now: () => number;
  readonly #onHangup: TerminalOptions['onHangup'];
  readonly #program: string;

  constructor(options: TerminalOptions) {
    this.#out = options.out;
    this.#err = options.err;
    this.signal = options.signal;
    this.input = options.input ?? NO_INPUT;
    this.#now = options.now;
    this.#onHangup = options.onHangup;
    this.#program = options.program ?? 'tagloom';
  }

  /** What to type for a command. */
  commandLine(parameters: string): string {
    return `${this.#program} ${parameters}`;
  }

  /** Hears that files should be reloaded. */
  onHangup(listener: () => void): void {
    this.#onHangup?.(listener);
  }

  /** Waits until the process is told to stop. */
  async untilStopped(): Promise<void> {
    if (this.signal.aborted) return;
    await new Promise((resolve) => this.signal.addEventListener('abort', resolve, { once: true }));
  }

  /** The answer: text on standard output. */
  print(text: string): void {
    this.#out.write(text.endsWith('\n') ? text : `${text}\n`);
  }

  /** A piece of a long answer; waits where the reader is slower than the writer. */
  async write(text: string): Promise<void> {
    const out = this.#out;
    if (out.write(text) === false && out.once !== undefined) {
      await new Promise<void>((resolve) => out.once?.('drain', resolve));
    }
  }

  /** A long answer, piece by piece. */
  async printChunks(chunks: AsyncIterable<string>): Promise<void> {
    for await (const chunk of chunks) await this.write(chunk);
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
        progress: (step, done, total, detail) => progress.update(step, done, total, detail),
        warn: (message) => warnings.push(message),
      });
    } finally {
      progress.stop();
      for (const warning of warnings) this.note(`warning: ${warning}`);
    }
  }
}

/** Guesses how long a step will take from how long its done part took. */
class Pace {
  #step = '';
  #began = 0;
  #doneBefore = 0;

  left(step: string, done: number, total: number, now: number): string {
    if (step !== this.#step) {
      this.#step = step;
      this.#began = now;
      this.#doneBefore = done;
    }
    const share = (done - this.#doneBefore) / Math.max(1, total - this.#doneBefore);
    if (share <= 0) return '?';
    const seconds = Math.round(((now - this.#began) / 1000) * (1 / share - 1));
    return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  }
}

class Bar {
  readonly #bar = new cliProgress.SingleBar(
    { format: '{step} {bar} {percentage} %{detail}, {left} left', hideCursor: true, clearOnComplete: true, fps: 10 },
    cliProgress.Presets.shades_classic,
  );
  readonly #now: () => number;
  readonly #began: number;
  readonly #pace = new Pace();
  #shown = false;

  constructor(now: () => number) {
    this.#now = now;
    this.#began = now();
  }

  update(step: string, done: number, total: number, detail?: string): void {
    const now = this.#now();
    const left = this.#pace.left(step, done, total, now);
    if (now - this.#began < QUIET_MS) return;
    const payload = { step, detail: detail === undefined ? '' : `, ${detail}`, left };
    if (!this.#shown) this.#bar.start(total, done, payload);
    this.#shown = true;
    this.#bar.setTotal(total);
    this.#bar.update(done, payload);
  }

  stop(): void {
    if (this.#shown) this.#bar.stop();
  }
}

class Lines {
  readonly #now: () => number;
  readonly #write: (text: string) => void;
  readonly #pace = new Pace();
  #last: number;
  #wait = QUIET_MS;

  constructor(now: () => number, write: (text: string) => void) {
    this.#now = now;
    this.#write = write;
    this.#last = now();
  }

  update(step: string, done: number, total: number, detail?: string): void {
    const now = this.#now();
    const left = this.#pace.left(step, done, total, now);
    if (now - this.#last < this.#wait) return;
    this.#last = now;
    this.#wait = LINE_MS;
    const share = total > 0 ? Math.floor((100 * done) / total) : 100;
    this.#write(`${step}: ${share} %${detail === undefined ? '' : `, ${detail}, ${left} left`}`);
  }

  stop(): void {}
}

export type Cell = string | number;

/**
 * A plain table: columns as wide as their widest cell, numbers to the right, no lines drawn. The first row is the header; pass
 * `undefined` for a table without one.
 */
export function textTable(header: readonly string[] | undefined, rows: readonly (readonly Cell[])[]): string {
  const all = header === undefined ? rows : [header, ...rows];
  const widths: number[] = [];
  for (const row of all) {
    for (let c = 0; c < row.length; c++) widths[c] = Math.max(widths[c] ?? 0, displayWidth(String(row[c])));
  }
  const toRight = widths.map(
    (_, c) => rows.length > 0 && rows.every((row) => row[c] === undefined || isNumeric(row[c])),
  );
  const line = (row: readonly Cell[]) =>
    row
      .map((cell, c) => {
        const gap = ' '.repeat(widths[c] - displayWidth(String(cell)));
        return toRight[c] ? gap + cell : cell + gap;
      })
      .join('  ')
      .trimEnd();
  return `${all.map(line).join('\n')}\n`;
}

export function withThousands(value: number): string {
  return value.toLocaleString('en');
}

/** A share in whole percent. */
export function percentOf(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function isNumeric(cell: Cell): boolean {
  return typeof cell === 'number' || /^[-–−+]?[\d.,]+\s?%?$/.test(cell) || cell === '';
}

/** Columns a text takes on a terminal: East Asian wide characters and emoji take two, combining marks none. */
function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{Mn}|\p{Me}|\p{Cf}/u.test(character)) continue;
    width +=
      /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u.test(
        character,
      )
        ? 2
        : 1;
  }
  return width;
}
