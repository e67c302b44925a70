// One statement on a Spark Connect server, from start to end. The server ends streams after two minutes and connections break, while
// the work goes on: the stream is opened again where it stopped, and every answer is delivered once.
//
//   ExecutePlan ──► answers ──► ResultComplete
//        ▲             │ cut
//        │             ▼
//        └── never ── ReattachExecute (after the last answer) ──► answers ──► ResultComplete
//           arrived

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CancelledError } from '../../errors.ts';
import { CallError, CODE } from './channel.ts';
import type { ExecuteResponse } from './messages.ts';
import { isTransient, Patience, RETRY_DELAYS_MS } from './retries.ts';
import type { Session, SqlPlan } from './session.ts';

export interface OperationOptions {
  readonly signal: AbortSignal;
  readonly retryDelaysMs?: readonly number[];
}

const PAUSE_MS = 200; // of two minutes, when the server ends streams as it should

/** The answers of the server. Leaving the loop stops the work; an abort of `signal` does, too, and throws a CancelledError. */
export function execute(session: Session, plan: SqlPlan, options: OperationOptions): AsyncGenerator<ExecuteResponse> {
  return new Operation(session, plan, options).answers();
}

class Operation {
  readonly #session: Session;
  readonly #plan: SqlPlan;
  readonly #signal: AbortSignal;
  readonly #patience: Patience;
  readonly #id = randomUUID();
  /** Of the answers delivered; a few bytes for megabytes of rows. */
  readonly #seen = new Set<string>();
  #lastResponseId: string | undefined;
  #mustExecute = true;
  #releasing: Promise<void> | undefined;

  constructor(session: Session, plan: SqlPlan, { signal, retryDelaysMs = RETRY_DELAYS_MS }: OperationOptions) {
    this.#session = session;
    this.#plan = plan;
    this.#signal = signal;
    this.#patience = new Patience(retryDelaysMs);
  }

  async *answers(): AsyncGenerator<ExecuteResponse> {
    if (this.#signal.aborted) throw new CancelledError();
    let isComplete = false;
    try {
      while (!isComplete) isComplete = yield* this.#stretch();
    } finally {
      await this.#leave(isComplete);
    }
  }

  /** The answers of one stream, as far as it goes; true if the last of all was among them. */
  async *#stretch(): AsyncGenerator<ExecuteResponse, boolean> {
    const numSeen = this.#seen.size;
    try {
      for await (const answer of this.#stream()) {
        if (this.#signal.aborted) throw new CancelledError();
        if (!this.#isNew(answer)) continue;
        if (answer.resultComplete) return true;
        yield answer;
        this.#releaseUntil(answer.responseId);
      }
    } catch (error) {
      await this.#recover(error);
      return false;
    }
    if (this.#signal.aborted) throw new CancelledError();
    if (this.#seen.size === numSeen) await this.#pause();
    return false;
  }

  #stream(): AsyncIterable<ExecuteResponse> {
    if (!this.#mustExecute) return this.#session.reattach(this.#id, this.#lastResponseId, this.#signal);
    this.#mustExecute = false;
    return this.#session.execute(this.#id, this.#plan, this.#signal);
  }

  #isNew({ responseId }: ExecuteResponse): boolean {
    if (responseId !== undefined) {
      if (this.#seen.has(responseId)) return false;
      this.#seen.add(responseId);
      this.#lastResponseId = responseId;
    }
    this.#patience.renew();
    return true;
  }

  /** Returns if the stream should be opened again; throws otherwise. */
  async #recover(error: unknown): Promise<void> {
    if (this.#signal.aborted) throw new CancelledError();
    if (!(error instanceof CallError)) throw error;
    const isLost = error.message.includes('INVALID_HANDLE.OPERATION_NOT_FOUND') && this.#lastResponseId === undefined;
    const isThere = error.message.includes('INVALID_HANDLE.OPERATION_ALREADY_EXISTS');
    this.#mustExecute = isLost; // the request never arrived
    if (error.code === CODE.deadlineExceeded) return this.#pause();
    if (!isLost && !isThere && !isTransient(error)) throw error;
    if (!(await this.#patience.wait(this.#signal))) throw error;
    if (this.#signal.aborted) throw new CancelledError();
  }

  /** Work that takes long ends stream after stream without an answer, for hours; a server that ends each at once gets some peace. */
  async #pause(): Promise<void> {
    await sleep(PAUSE_MS, undefined, { signal: this.#signal }).catch(() => {});
    if (this.#signal.aborted) throw new CancelledError();
  }

  /** One call at a time: a later one covers what it skips. */
  #releaseUntil(responseId: string | undefined): void {
    if (this.#releasing || responseId === undefined) return;
    this.#releasing = this.#session
      .releaseUntil(this.#id, responseId)
      .catch(() => {}) // the server cleans up by itself later
      .finally(() => {
        this.#releasing = undefined;
      });
  }

  async #leave(isComplete: boolean): Promise<void> {
    await this.#releasing;
    if (!isComplete && this.#signal.aborted) await this.#session.interrupt(this.#id).catch(() => {});
    await this.#session.releaseAll(this.#id).catch(() => {});
  }
}
