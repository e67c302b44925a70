// A message as the Standard Webhooks convention signs it: an id that is the same for every try, a time, and
// HMAC-SHA256 over "id.time.body".

import { createHmac } from 'node:crypto';
import { InputError } from '../../errors.ts';

const PREFIX = 'whsec_'; // then the key in base64
const LEAST_BYTES = 16;

/** The key of a secret: base64 behind "whsec_", otherwise the text itself. */
export function keyOfSecret(secret: string): Buffer {
  const key = secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret);
  if (key.length >= LEAST_BYTES) return key;
  throw new InputError({
    got: `a webhook secret of ${key.length} bytes`,
    expected: `${LEAST_BYTES} or more`,
    cure: `Make one: echo "${PREFIX}$(openssl rand -base64 32)".`,
  });
}

/** What goes with a body. `seconds`: since 1970. */
export function signatureHeaders(
  id: string,
  seconds: number,
  body: string,
  key: Buffer,
): Readonly<Record<string, string>> {
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
}
