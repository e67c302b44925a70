// What all routes share: what they work on, the problems they may answer with, ETags and pages of long lists.

import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReviewStore } from '../reviews/review-store.ts';
import type { BackgroundTraining } from '../training/background-training.ts';
import type { Access } from './access.ts';
import type { Metrics } from './metrics.ts';
import type { ModelHolder } from './model-holder.ts';
import { PROBLEM_TYPE, refuse } from './problem.ts';
import { Problem, the } from './schemas.ts';
import { Check, type Static, type TSchema, Type } from './typebox.ts';

export type { Api } from './typed-fastify.ts';

/** What routes work on. */
export interface ApiContext {
  readonly models: Pick<ModelHolder, 'use' | 'decide' | 'reload'>;
  readonly training: Pick<BackgroundTraining, 'facts' | 'start' | 'stopOrForget' | 'use' | 'restore'>;
  readonly store: Pick<
    ReviewStore,
    'list' | 'counts' | 'curators' | 'all' | 'isThere' | 'changedSince' | 'lastRevision' | 'log' | 'claims'
  >;
  readonly metrics: Metrics;
  /** Who may ask what. */
  readonly access: Pick<Access, 'isOpen' | 'hasOtherAdministrators' | 'users' | 'actorOf'>;
  /** The cells of a comparison, where one was given. */
  readonly results: () => readonly unknown[] | undefined;
}

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The request is not valid.',
  401: 'The token is missing or wrong.',
  403: 'Your role does not allow it, or a page of another origin asks.',
  404: 'There is no such thing.',
  405: 'The path does not take this method; Allow says which it takes.',
  408: 'The request did not come in time.',
  409: 'Something is in the way: someone else decided first, a training runs, a name is taken, or nobody could administrate.',
  413: 'The request is too large.',
  415: 'The body is not JSON.',
  417: 'The only expectation that can be met is 100-continue.',
  421: 'The service does not answer to this Host; see --allow-host.',
  422: 'The file of the model is damaged; the model before it goes on.',
  429: 'Too many requests in a second, or too many wrong tokens in a minute; Retry-After says how long to wait.',
  431: 'The URL and the headers are too long.',
  500: 'A bug.',
  501: 'A package is not installed.',
  503: 'The store of reviews does not answer.',
};
const ALWAYS = [400, 408, 417, 421, 429, 431, 500];
const OF_READS = [401, 403];
const OF_WRITES = [...OF_READS, 413, 415];

/** What a status means here. */
export function meaningOf(status: number): string {
  return MEANINGS[status] ?? '';
}

/**
 * What a read may answer beside what was asked for, for the document: problems, and that nothing changed. Handlers throw
 * problems, so their types know nothing of these.
 */
export function problems(...statuses: readonly number[]): Record<never, never> {
  return {
    304: Type.Null({ description: 'The answer is the one that If-None-Match names.' }),
    ...only([...OF_READS, ...statuses]),
  };
}

function only(statuses: readonly number[]): Record<never, never> {
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
  return only([...OF_WRITES, ...statuses]);
}

/** Seven digits are all a float32 has. */
export function rounded(value: number): number {
  return Number(value.toPrecision(7));
}

/** An answer that is text already. */
export function sendJson(reply: FastifyReply, body: string): void {
  reply.type('application/json; charset=utf-8').send(body);
}

// ETags: made from all that an answer depends on, where that is known beforehand (the model, the revision of an object's
// reviews), otherwise from the answer itself

/** Sets the ETag. True where the client has this very answer and was told so: nothing is left to do. */
export function isAnswered(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  setEtag(reply, etag);
  if (!isKnown(request, etag)) return false;
  reply.code(304).send();
  return true;
}

/** An onSend hook: answers of texts that have no ETag yet get one made from themselves. */
export function tagAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const isOpen = isRead && reply.statusCode === 200 && !reply.hasHeader('cache-control');
  if (isOpen && typeof payload === 'string') {
    const etag = `"${createHash('sha1').update(payload).digest('base64url')}"`;
    setEtag(reply, etag);
    if (isKnown(request, etag)) {
      reply.code(304);
      done(null, '');
      return;
    }
  }
  done(null, payload);
}

function setEtag(reply: FastifyReply, etag: string): void {
  reply.header('etag', etag).header('cache-control', 'no-cache'); // may be kept, must be asked about
}

/** Weak ones count as well: RFC 9110, section 13.1.2. */
function isKnown(request: FastifyRequest, etag: string): boolean {
  const header = request.headers['if-none-match'];
  if (header === undefined) return false;
  if (header === etag || header === '*') return true;
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}

// Pages. A cursor says where the next page begins. It is opaque to clients: base64url of JSON [kind, place]. One that was
// changed, or belongs to another list, is a bad request.

export interface Cursor<Place extends TSchema> {
  encode(place: Static<Place>): string;
  /** Undefined for the first page. */
  decode(text: string | undefined): Static<Place> | undefined;
}

export function cursorOf<Place extends TSchema>(kind: string, place: Place): Cursor<Place> {
  const shape = Type.Tuple([Type.Literal(kind), place]);
  return {
    encode: (value) => Buffer.from(JSON.stringify([kind, value])).toString('base64url'),
    decode(text) {
      if (text === undefined) return undefined;
      const value = parsed(text);
      if (!Check(shape, value)) {
        refuse(
          400,
          'The cursor is not one that this list gave.',
          'Use the `next` of the page before, or leave it out.',
        );
      }
      return (value as unknown[])[1] as Static<Place>;
    },
  };
}

function parsed(text: string): unknown {
  if (!/^[\w-]+$/.test(text)) return undefined;
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Places in a list that is known as a whole: how many came before. */
export const offsetCursor = (kind: string) => cursorOf(kind, Type.Integer({ minimum: 1, maximum: 2 ** 31 }));

/** So many from `start` on, and the cursor of what follows, if anything does. */
export function pageOf<Item>(
  list: ArrayLike<Item>,
  { start, limit }: { start: number; limit: number },
  cursor: Cursor<TSchema>,
): { page: Item[]; next?: string } {
  const end = Math.min(list.length, start + limit);
  const page: Item[] = [];
  for (let i = start; i < end; i++) page.push(list[i]);
  return end < list.length ? { page, next: cursor.encode(end) } : { page };
}
