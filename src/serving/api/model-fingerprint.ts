// A short text that two models share only if they say the same: of all that was learnt and of the data behind it.

import { createHash, type Hash } from 'node:crypto';
import { fingerprint } from '../../data/knowledge-graph.ts';
import type { Model } from '../../models/model.ts';

export function modelFingerprint({ graph, ...rest }: Model): string {
  const hash = createHash('sha256').update(fingerprint(graph));
  add(hash, rest);
  return hash.digest('hex').slice(0, 32);
}

/** Arrays by their bytes, objects by their parts in the order of their names. */
function add(hash: Hash, value: unknown): void {
  if (ArrayBuffer.isView(value)) hash.update(`${value.byteLength}:`).update(value as Uint8Array);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) {
      hash.update(`${key}=`);
      add(hash, part);
    }
  } else hash.update(`${value};`);
}
