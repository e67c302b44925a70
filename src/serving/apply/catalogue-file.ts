// A catalogue file on disk with tags added, compressed as it was.

import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { RowPlan, TagAdder } from '../../data/catalogue/rewrite.ts';
import type { Listener } from '../../listener.ts';
import { rewritten } from './catalogue-plan.ts';

/** The bytes of the file with tags added. */
export async function* rewriteFile(plan: RowPlan, adder: TagAdder, listener: Listener): AsyncGenerator<Uint8Array> {
  const bytes = rewritten(plan.path, plan, adder, listener);
  if (!plan.dialect.gzipped) return yield* bytes;
  const gzip = createGzip();
  pipeline(Readable.from(bytes), gzip, () => {});
  for await (const chunk of gzip) yield chunk as Uint8Array;
}
