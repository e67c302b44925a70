// Bytes that Spark's own Python client and pyarrow wrote.

import { readFileSync } from 'node:fs';

const path = new URL('../../fixtures/spark/bytes.json', import.meta.url);

export const fixture: {
  /** In hexadecimal digits. */
  readonly messages: Readonly<Record<string, string>>;
  /** In base64. */
  readonly arrow: Readonly<Record<string, string>>;
} = JSON.parse(readFileSync(path, 'utf8'));

export function arrowBytes(name: string): Uint8Array {
  return Buffer.from(fixture.arrow[name], 'base64');
}
