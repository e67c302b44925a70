// Whether an answer is still the one a client has. An ETag is made from all that the answer depends on, where that is known
// beforehand (the model, the revision of an object's reviews), or else from the answer itself.

import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Strong: the same bytes. The parts hold no quotes. */
export function etagOf(...parts: readonly (string | number)[]): string {
  return `"${parts.join('-')}"`;
}

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
    const etag = etagOf(createHash('sha1').update(payload).digest('base64url'));
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
