// Who may ask what, before anything is answered: headers that keep browsers strict, URLs that mean something, names the
// service goes by, pages of other origins, the token, and how often.

import { createHash, timingSafeEqual } from 'node:crypto';
import type {} from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Api } from './api.ts';
import { ProblemError, problemOf, refuse } from './problem.ts';

export interface GuardOptions {
  readonly token?: string | undefined;
  /** The one origin whose pages may ask. */
  readonly cors?: string | undefined;
}

/** What is known only once it listens. */
export interface Exposure {
  /** Only this machine may connect: then only its own names are taken, so that no page out there can pose as one here. */
  isLocal: boolean;
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

const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

export function addGuard(app: Api, options: GuardOptions, exposure: Exposure): void {
  const wanted = options.token === undefined ? undefined : digest(options.token);
  const countOf = app.createRateLimit({ max: () => exposure.perSecond ?? 0, timeWindow: 1000 });

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(STRICT_HEADERS);
    try {
      refuseBadUrl(request.url);
      if (exposure.isLocal && wanted === undefined) refuseOtherNames(request);
      if (allowOrigin(request, reply, options.cors)) return; // a preflight, answered
      if (isWrite(request)) {
        refuseOtherOrigins(request, options.cors);
        if (wanted !== undefined) refuseWithoutToken(request, wanted);
      }
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  });

  app.addHook('onRequest', (request, _reply, done) => {
    if (exposure.perSecond === undefined) done();
    else
      countOf(request).then((count) => done('isExceeded' in count && count.isExceeded ? tooMany() : undefined), done);
  });
}

function isWrite({ method }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
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

/** A page out there may have a name that leads here (DNS rebinding); its browser then sends that name. */
function refuseOtherNames({ headers: { host = '' } }: FastifyRequest): void {
  if (LOCAL_NAMES.has(host.toLowerCase().replace(/:\d+$/, ''))) return;
  const cure = 'Call it by localhost, or start it with a token.';
  refuse(421, 'This service answers to localhost only.', cure);
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
    'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
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

function refuseWithoutToken({ headers: { authorization = '' } }: FastifyRequest, wanted: Buffer): void {
  const [, given] = /^Bearer (.+)$/i.exec(authorization) ?? [];
  if (given !== undefined && timingSafeEqual(digest(given), wanted)) return;
  const detail = given === undefined ? 'This needs a token.' : 'The token is wrong.';
  refuse(401, detail, 'Send the header "Authorization: Bearer TOKEN".', { 'www-authenticate': 'Bearer' });
}

/** Of equal length whatever the text: so comparing tells nothing, not even that. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function tooMany(): Error {
  const problem = problemOf(429, 'Too many requests in a second.', 'Ask more slowly, or for many at once by a batch.');
  return new ProblemError(problem, { 'retry-after': '1' });
}
