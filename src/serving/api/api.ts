// What all routes share: what they work on, and how they describe themselves.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, RawServerDefault } from 'fastify';
import type { ReviewStore } from '../reviews/review-store.ts';
import type { Metrics } from './metrics.ts';
import type { ModelHolder } from './model-holder.ts';
import { PROBLEM_TYPE } from './problem.ts';
import { Problem, the } from './schemas.ts';

export type Api = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** What routes work on. */
export interface ApiContext {
  readonly models: Pick<ModelHolder, 'use' | 'decide' | 'reload'>;
  readonly store: Pick<ReviewStore, 'list' | 'all' | 'isThere'>;
  readonly metrics: Metrics;
  /** Whether POST and DELETE need a token. */
  readonly isGuarded: boolean;
  /** The cells of a comparison, where one was given. */
  readonly results: () => readonly unknown[] | undefined;
}

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The request is not what it must be.',
  401: 'The token is missing or wrong.',
  403: 'A page of another origin may not ask this.',
  404: 'There is no such thing.',
  409: 'Someone else decided first.',
  413: 'The request is too large.',
  415: 'The body is not JSON.',
  421: 'The service is not called by this name.',
  422: 'The file of the model is damaged; the model before it goes on.',
  429: 'Too many requests in a second.',
  500: 'A bug.',
  503: 'The store of reviews does not answer.',
};
const ALWAYS = [400, 421, 429, 500];
const OF_WRITES = [401, 403, 413, 415];

/** The problems a route may answer with, for the document; handlers throw them, so their types know nothing of these. */
export function problems(...statuses: readonly number[]): Record<never, never> {
  const all = [...new Set([...ALWAYS, ...statuses])].sort();
  return Object.fromEntries(
    all.map((status) => [
      status,
      { description: MEANINGS[status], content: { [PROBLEM_TYPE]: { schema: the(Problem) } } },
    ]),
  );
}

/** Those of routes that need a token where there is one. */
export function problemsOfWrites(...statuses: readonly number[]): Record<never, never> {
  return problems(...OF_WRITES, ...statuses);
}

/** Seven digits are all a float32 has. */
export function rounded(value: number): number {
  return Number(value.toPrecision(7));
}

/** An answer that is text already. */
export function sendJson(reply: FastifyReply, body: string): void {
  reply.type('application/json; charset=utf-8').send(body);
}
