// A short text that two models share only if they hold the same.

import { type Hash, sha256 } from '#platform';
import { fingerprint } from '../data/knowledge-graph.ts';
import type { Model } from './model.ts';

/** Of all that was learnt and the data behind it. */
export function modelFingerprint({ graph, ...rest }: Model): string {
  const hash = sha256().update(fingerprint(graph));
  addTo(hash, rest);
  return hash.hex().slice(0, 32);
}

/** Arrays by their bytes, objects by their parts in the order of their names. */
function addTo(hash: Hash, value: unknown): void {
  if (ArrayBuffer.isView(value)) hash.update(`${value.byteLength}:`).update(value as Uint8Array);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) {
      hash.update(`${key}=`);
      addTo(hash, part);
    }
  } else hash.update(`${value};`);
}
