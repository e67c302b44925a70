// Tells one address what was decided and undone, in the order of the log, up to 100 at a time. At least once: how far it is stands in
// the database, so that a restart, or another instance, goes on there. It runs beside the service and never holds up a decision.
// Failures are tried again after growing pauses; 410 switches it off.

import { setTimeout as sleep } from 'node:timers/promises';
import type { LogEntry, LogStore } from '../people/log-store.ts';
import { signatureHeaders } from './signed-message.ts';
import type { WebhookStore } from './webhook-store.ts';

/** What is told. */
export const TOLD_ACTIONS = ['accept', 'reject', 'unsure', 'undo'] as const;

export interface WebhookTimes {
  /** Between two looks for something new. */
  readonly pollMs: number;
  /** For an answer. */
  readonly answerMs: number;
  /** After the first failure; twice as long after each, up to the longest. */
  readonly retryMs: number;
  readonly longestRetryMs: number;
  /** For which no other instance takes over: longer than an answer may take. */
  readonly leaseMs: number;
  /** Of failing, until someone is warned. */
  readonly warnAfterMs: number;
}

export const WEBHOOK_TIMES: WebhookTimes = {
  pollMs: 1000,
  answerMs: 10_000,
  retryMs: 1000,
  longestRetryMs: 300_000,
  leaseMs: 30_000,
  warnAfterMs: 60_000,
};

export interface WebhookMetrics {
  /** `outcome`: what became of a request. */
  sent(outcome: 'delivered' | 'failed', numEvents: number): void;
  waiting(webhook: string, numEvents: number): void;
}

export interface SenderOptions {
  readonly url: string;
  /** What is shown of it. */
  readonly name: string;
  readonly key: Buffer;
  /** Names this instance. */
  readonly holder: string;
  readonly log: LogStore;
  readonly positions: WebhookStore;
  readonly metrics: WebhookMetrics;
  readonly warn: (message: string) => void;
  readonly times?: Partial<WebhookTimes> | undefined;
}

const MOST = 100; // events in a message
type Outcome = 'idle' | 'delivered' | 'gone' | { readonly failure: string; readonly retryAfterMs: number };

export class WebhookSender {
  readonly #options: SenderOptions;
  readonly #times: WebhookTimes;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #failingSince: number | undefined;
  #hasWarned = false;
  #isBegun = false;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#times = { ...WEBHOOK_TIMES, ...options.times };
    this.#running = this.#run();
  }

  /** Done when nothing more is sent; another instance may take over at once. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    const { positions, url, holder } = this.#options;
    await positions.leave(url, holder).catch(() => {}); // else its lease runs out
  }

  async #run(): Promise<void> {
    const { pollMs, retryMs, longestRetryMs } = this.#times;
    let pause = retryMs;
    while (!this.#closing.signal.aborted) {
      const outcome = await this.#step();
      if (outcome === 'gone') return;
      if (outcome === 'delivered') this.#recovered();
      if (typeof outcome === 'string') {
        pause = retryMs;
        if (outcome === 'idle') await this.#sleep(pollMs);
      } else {
        this.#failed(outcome.failure);
        await this.#pause(Math.max(pause, Math.min(outcome.retryAfterMs, longestRetryMs)));
        pause = Math.min(2 * pause, longestRetryMs);
      }
    }
  }

  /** One message, if there is something to tell and it is ours to tell. The store may be away: then later. */
  async #step(): Promise<Outcome> {
    const { url, holder, log, positions } = this.#options;
    try {
      if (!this.#isBegun) await positions.begin(url);
      this.#isBegun = true;
      const position = await positions.lease(url, holder, this.#times.leaseMs);
      if (position === undefined) return 'idle';
      const entries = await log.after(position, MOST, { actions: TOLD_ACTIONS });
      if (entries.length === 0) return 'idle';
      const outcome = await this.#send(entries);
      if (outcome === 'delivered') await positions.advance(url, holder, entries[entries.length - 1].id);
      if (outcome === 'gone') await this.#switchOff();
      await this.#measure();
      return outcome;
    } catch {
      return 'idle';
    }
  }

  async #send(entries: readonly LogEntry[]): Promise<Outcome> {
    const { url, key, metrics } = this.#options;
    const id = `log_${entries[0].id}_${entries[entries.length - 1].id}`; // of these events and no others
    const body = JSON.stringify(messageOf(entries));
    const headers = signatureHeaders(id, Math.floor(Date.now() / 1000), body, key);
    const signal = AbortSignal.any([AbortSignal.timeout(this.#times.answerMs), this.#closing.signal]);
    try {
      const response = await fetch(url, {
        ...{ method: 'POST', body, signal, redirect: 'manual' },
        headers: { 'content-type': 'application/json', 'user-agent': 'tagloom', ...headers },
      });
      await response.body?.cancel();
      metrics.sent(response.ok ? 'delivered' : 'failed', entries.length);
      if (response.ok) return 'delivered';
      if (response.status === 410) return 'gone';
      return { failure: `it answered ${response.status}`, retryAfterMs: retryAfter(response) };
    } catch (error) {
      if (this.#closing.signal.aborted) return 'idle';
      metrics.sent('failed', entries.length);
      return { failure: reasonOf(error, this.#times.answerMs), retryAfterMs: 0 };
    }
  }

  async #switchOff(): Promise<void> {
    const { positions, url, name, warn } = this.#options;
    await positions.switchOff(url);
    warn(`The webhook ${name} answered 410 and is switched off until the service starts again.`);
  }

  async #measure(): Promise<void> {
    const { positions, url, name, metrics } = this.#options;
    metrics.waiting(name, await positions.numWaiting(url, TOLD_ACTIONS));
  }

  #failed(failure: string): void {
    const now = performance.now();
    this.#failingSince ??= now;
    if (this.#hasWarned || now - this.#failingSince < this.#times.warnAfterMs) return;
    this.#hasWarned = true;
    const { name, warn } = this.#options;
    warn(`The webhook ${name} is behind: ${failure}. It is tried again until it works; nothing is lost.`);
  }

  #recovered(): void {
    if (this.#hasWarned) this.#options.warn(`The webhook ${this.#options.name} works again.`);
    this.#failingSince = undefined;
    this.#hasWarned = false;
  }

  /** Keeps the lease meanwhile. */
  async #pause(ms: number): Promise<void> {
    const { positions, url, holder } = this.#options;
    const portion = this.#times.leaseMs / 3;
    for (let left = ms; left > 0 && !this.#closing.signal.aborted; left -= portion) {
      await this.#sleep(Math.min(left, portion));
      await positions.lease(url, holder, this.#times.leaseMs).catch(() => {});
    }
  }

  async #sleep(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#closing.signal, ref: false }).catch(() => {});
  }
}

/** By the convention: a type, a time, and the data. */
function messageOf(entries: readonly LogEntry[]) {
  const events = entries.map(({ id, at, who, action, object, tag, detail }) => ({
    ...{ id, at, who },
    type: action === 'undo' ? 'undone' : 'decided',
    ...{ object, tag, decision: action === 'undo' ? detail.decision : action },
    ...{ review: detail.review, revision: detail.revision },
    ...(detail.note !== undefined && { note: detail.note }),
  }));
  return { type: 'reviews.changed', timestamp: entries[entries.length - 1].at, data: { events } };
}

function retryAfter(response: Response): number {
  const seconds = Number(response.headers.get('retry-after'));
  return seconds > 0 ? 1000 * seconds : 0;
}

function reasonOf(error: unknown, answerMs: number): string {
  const { name, cause, message } = error as Error;
  if (name === 'TimeoutError') return `it did not answer within ${answerMs / 1000} s`;
  const { code } = (cause ?? {}) as { code?: string };
  return `it could not be reached (${code ?? message})`;
}
