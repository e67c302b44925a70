// A session on a Spark Connect server: who asks, and the calls that answer at once. Statements run in operation.ts.

import { randomUUID } from 'node:crypto';
import type { Channel } from './channel.ts';
import {
  AnalyzePlanRequest,
  AnalyzePlanResponse,
  AnyAnswer,
  ConfigRequest,
  type ErrorDetails,
  ExecutePlanRequest,
  ExecutePlanResponse,
  type ExecuteResponse,
  FetchErrorDetailsRequest,
  FetchErrorDetailsResponse,
  INTERRUPT_OPERATION,
  InterruptRequest,
  type Plan,
  ReattachExecuteRequest,
  ReleaseExecuteRequest,
  ReleaseSessionRequest,
} from './messages.ts';
import { withRetries } from './retries.ts';

export type SqlPlan = Parameters<typeof Plan.encode>[0];

const FAREWELL_MS = 5_000; // for calls that only help the server to clean up

export class Session {
  readonly #channel: Channel;
  readonly #who: { readonly sessionId: string; readonly userContext: { userId: string }; readonly clientType: string };
  /** The server's own name for the session: with it, a server that was restarted refuses instead of starting with an empty session. */
  #observedSessionId: string | undefined;
  #isOpen = false;

  constructor(
    channel: Channel,
    { sessionId = randomUUID(), userId = 'tagloom' }: { sessionId?: string; userId?: string },
  ) {
    this.#channel = channel;
    this.#who = { sessionId, userContext: { userId }, clientType: 'tagloom' };
  }

  /** Whether the server has answered. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  get #asker() {
    return { ...this.#who, observedSessionId: this.#observedSessionId };
  }

  /** The version of Spark. The first call: it makes the session. */
  async version(delaysMs: readonly number[]): Promise<string> {
    const request = AnalyzePlanRequest.encode({ ...this.#asker, sparkVersion: {} });
    const answer = await withRetries(() => this.#channel.call('AnalyzePlan', request, AnalyzePlanResponse), delaysMs);
    this.#isOpen = true;
    this.#observedSessionId = answer.serverSideSessionId || undefined;
    return answer.sparkVersion?.version ?? '';
  }

  async configure(options: Readonly<Record<string, string>>, delaysMs: readonly number[]): Promise<void> {
    const pairs = Object.entries(options).map(([key, value]) => ({ key, value }));
    const request = ConfigRequest.encode({ ...this.#asker, operation: { set: { pairs } } });
    await withRetries(() => this.#channel.call('Config', request, AnyAnswer), delaysMs);
  }

  execute(operationId: string, plan: SqlPlan, signal: AbortSignal): AsyncIterable<ExecuteResponse> {
    const requestOptions = [{ reattachOptions: { reattachable: true } }];
    const request = ExecutePlanRequest.encode({ ...this.#asker, operationId, plan, requestOptions });
    return this.#channel.stream('ExecutePlan', request, ExecutePlanResponse, signal);
  }

  reattach(
    operationId: string,
    lastResponseId: string | undefined,
    signal: AbortSignal,
  ): AsyncIterable<ExecuteResponse> {
    const request = ReattachExecuteRequest.encode({ ...this.#asker, operationId, lastResponseId });
    return this.#channel.stream('ReattachExecute', request, ExecutePlanResponse, signal);
  }

  /** The server may forget answers up to this one. */
  async releaseUntil(operationId: string, responseId: string): Promise<void> {
    const request = ReleaseExecuteRequest.encode({ ...this.#asker, operationId, releaseUntil: { responseId } });
    await this.#channel.call('ReleaseExecute', request, AnyAnswer, FAREWELL_MS);
  }

  /** The server may forget the operation; it stops where it still runs. */
  async releaseAll(operationId: string): Promise<void> {
    const request = ReleaseExecuteRequest.encode({ ...this.#asker, operationId, releaseAll: {} });
    await this.#channel.call('ReleaseExecute', request, AnyAnswer, FAREWELL_MS);
  }

  async interrupt(operationId: string): Promise<void> {
    const request = InterruptRequest.encode({ ...this.#asker, interruptType: INTERRUPT_OPERATION, operationId });
    await this.#channel.call('Interrupt', request, AnyAnswer, FAREWELL_MS);
  }

  errorDetails(errorId: string): Promise<ErrorDetails> {
    const request = FetchErrorDetailsRequest.encode({ ...this.#asker, errorId });
    return this.#channel.call('FetchErrorDetails', request, FetchErrorDetailsResponse);
  }

  async release(): Promise<void> {
    await this.#channel.call('ReleaseSession', ReleaseSessionRequest.encode(this.#who), AnyAnswer, FAREWELL_MS);
  }
}
