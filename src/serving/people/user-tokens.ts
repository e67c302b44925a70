// Tokens of users: 256 random bits. Only their hash is kept; it needs no salt and no slow function, since nobody can guess so many.

import { createHash, randomBytes } from 'node:crypto';

const BYTES = 32;

/** To be shown once. The beginning tells programs that look for leaked secrets what it is. */
export function newToken(): string {
  return `tagloom_${randomBytes(BYTES).toString('base64url')}`;
}

/** SHA-256: of equal length whatever the text, so that comparing tells nothing, not even that. */
export function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
