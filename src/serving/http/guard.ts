// Who may ask what, before anything is answered: headers that keep browsers strict, URLs that mean something, names the
// service goes by, pages of other origins, who may ask (access.ts), and how often.

import type {} from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Access, addAccess } from './access.ts';
import type { Api } from './api.ts';
import { hostNames, type Listening, refuseOtherHosts } from './hosts.ts';
import { ProblemError, problemOf, refuse } from './problem.ts';

export interface GuardOptions {
  /** The one origin whose pages may ask. */
  readonly cors?: string | undefined;
  /** Names the service goes by, beside its own. */
  readonly allowedHosts?: readonly string[] | undefined;
}

/** What is known only once it listens. */
export interface Exposure extends Listening {
  /** Requests of one client in a second; undefined: any number. */
  perSecond: number | undefined;
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob: http: https:", // pictures of objects lie elsewhere
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "worker-src 'self' blob:",
].join('; ');

export const STRICT_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** For documents that show pictures of other hosts: they are asked for without cookies. */
export const WITH_PICTURES = { 'cross-origin-embedder-policy': 'credentialless' } as const;

/** For pages that compute, in WebAssembly: nothing else is let in. */
export const COMPUTING_POLICY = POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'");

/**
 * For pages that compute and show pictures. Threads need a policy that the browser knows: those that do not know
 * "credentialless" stay without the pictures of most hosts.
 */
export function withPicturesAndThreads(userAgent = ''): Readonly<Record<string, string>> {
  const isKnown = /Chrome\//.test(userAgent) || /^(?!.*Android).*\bFirefox\//.test(userAgent);
  return { ...(isKnown && WITH_PICTURES), vary: 'user-agent' };
}

/**
 * What every answer begins with. A connection ends with an upgrade that nobody takes up: after it, Node's parser reports no more
 * errors, and the next bad request would wait for its 408.
 */
export function beginAnswer({ headers }: FastifyRequest, reply: FastifyReply): void {
  reply.headers(STRICT_HEADERS);
  if (headers.upgrade !== undefined) reply.header('connection', 'close');
}

export function addGuard(app: Api, options: GuardOptions, exposure: Exposure, access: Access): void {
  const allowed = hostNames(options.allowedHosts);
  const countOf = app.createRateLimit({ max: () => exposure.perSecond ?? 0, timeWindow: 1000 });

  // counted before anything is looked at, the token above all
  app.addHook('onRequest', (request, reply, done) => {
    beginAnswer(request, reply);
    if (exposure.perSecond === undefined) done();
    else
      countOf(request).then((count) => done('isExceeded' in count && count.isExceeded ? tooMany() : undefined), done);
  });

  app.addHook('onRequest', (request, reply, done) => {
    try {
      refuseExpectation(request);
      refuseOtherHosts(hostOf(request), allowed, exposure);
      refuseBadUrl(request.url);
      if (allowOrigin(request, reply, options.cors)) return; // a preflight, answered
      if (isWrite(request)) refuseOtherOrigins(request, options.cors);
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  });
  addAccess(app, access);
}

function isWrite({ method }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
}

function refuseExpectation({ headers: { expect } }: FastifyRequest): void {
  if (expect === undefined || expect.toLowerCase() === '100-continue') return;
  refuse(417, 'The only expectation that can be met is 100-continue.', 'Leave out the header Expect.');
}

/** The name the service is called by; RFC 9112, section 3.2: HTTP/1.1 needs it, and the URL goes first where it has one. */
function hostOf({ headers: { host }, raw: { httpVersion }, url }: FastifyRequest): string | undefined {
  if (host === undefined && httpVersion !== '1.0')
    refuse(400, 'The header Host is missing.', 'Send HTTP/1.1 with Host.');
  return url.startsWith('/') ? host : (/^\w+:\/\/([^/?#]*)/.exec(url)?.[1] ?? host);
}

/** Paths are looked at by the router; a query is not. */
function refuseBadUrl(url: string): void {
  if (!url.includes('%')) return;
  try {
    decodeURIComponent(url);
  } catch {
    refuse(400, 'A % in the URL does not begin an escaped character.', 'Write names as encodeURIComponent does.');
  }
}

/** True where nothing is left to do. */
function allowOrigin(request: FastifyRequest, reply: FastifyReply, cors: string | undefined): boolean {
  if (cors === undefined) return false;
  reply.header('vary', 'origin');
  if (request.headers.origin !== cors) return false;
  reply.headers({
    'access-control-allow-origin': cors,
    'access-control-expose-headers': 'etag, location, retry-after',
  });
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false;
  reply.headers({
    'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
    'access-control-allow-headers': 'authorization, content-type, if-none-match',
    'access-control-max-age': '600',
  });
  reply.code(204).send();
  return true;
}

/** Browsers send some requests of any page without asking first. */
function refuseOtherOrigins({ headers: { origin, host } }: FastifyRequest, cors: string | undefined): void {
  if (origin === undefined || origin === cors || origin.replace(/^https?:\/\//, '') === host) return;
  refuse(403, 'Pages of other origins may not change anything here.', 'Start it with --cors and that origin.');
}

function tooMany(): Error {
  const problem = problemOf(429, 'Too many requests in a second.', 'Ask more slowly, or for many at once by a batch.');
  return new ProblemError(problem, { 'retry-after': '1' });
}
