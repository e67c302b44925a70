// How often, and how long apart, a call to a server that does not answer is made again.

import { setTimeout as sleep } from 'node:timers/promises';
import { CallError, CODE } from './channel.ts';

/** Before each attempt after the first: more than a minute in all, which a network or a load balancer takes to come back. */
export const RETRY_DELAYS_MS: readonly number[] = [50, 200, 800, 3_200, 10_000, 20_000, 30_000];
/** For the first call of all: a wrong address should not take a minute to be noticed. */
export const OPENING_DELAYS_MS: readonly number[] = [50, 200, 800, 2_000];

/** Counts attempts that failed one after the other. */
export class Patience {
  readonly #delaysMs: readonly number[];
  #numFailures = 0;

  constructor(delaysMs: readonly number[]) {
    this.#delaysMs = delaysMs;
  }

  /** An attempt went well. */
  renew(): void {
    this.#numFailures = 0;
  }

  /** Waits until the next attempt; false if there should be none. An abort ends the wait. */
  async wait(signal?: AbortSignal): Promise<boolean> {
    const delayMs = this.#delaysMs[this.#numFailures++];
    if (delayMs === undefined) return false;
    await sleep(delayMs, undefined, { ...(signal && { signal }) }).catch(() => {});
    return true;
  }
}

/** For calls that may reach the server twice without harm. */
export async function withRetries<Answer>(
  call: () => Promise<Answer>,
  delaysMs: readonly number[] = RETRY_DELAYS_MS,
): Promise<Answer> {
  const patience = new Patience(delaysMs);
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isTransient(error) || !(await patience.wait())) throw error;
    }
  }
}

/** Whether the connection failed, and not what was asked. An error of Spark's own has a trailer; one of the connection has none. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof CallError)) return false;
  if (error.code === CODE.unavailable || error.message.includes('INVALID_CURSOR.DISCONNECTED')) return true;
  return (error.code === CODE.internal || error.code === CODE.cancelled) && !error.statusDetails;
}
