// A text file with tags added, in its own encoding: its byte order mark and Excel's "sep=" line are copied, and UTF-16 goes through
// UTF-8 and back. UTF-8 and Windows-1252 are rewritten as they are, since everything that has a meaning there is ASCII.

import { utf8Text } from '#platform';
import { InputError } from '../../errors.ts';
import type { Dialect } from './dialect.ts';
import { encodeText } from './encoding.ts';
import type { RowPlan, TagAdder } from './rewrite.ts';
import { rewriteDelimited } from './rewrite-delimited.ts';
import { rewriteJsonArray, rewriteJsonLines } from './rewrite-json.ts';

/** From the file's bytes (decompressed) to those of the file with tags added. */
export async function* rewriteText(
  chunks: AsyncIterable<Uint8Array>,
  plan: RowPlan,
  adder: TagAdder,
): AsyncGenerator<Uint8Array> {
  const { kind, encoding, hasBom, preamble } = plan.dialect;
  const isWide = encoding.startsWith('utf-16');
  const head = `${hasBom ? '\ufeff' : ''}${preamble}`;
  const headBytes = new TextEncoder().encode(head); // all of it ASCII but for the mark, which only Unicode has
  const body = behind(isWide ? toUtf8(chunks, plan.dialect, plan.path) : chunks, headBytes.length);
  const rewrite = kind === 'delimited' ? rewriteDelimited : kind === 'json' ? rewriteJsonArray : rewriteJsonLines;
  if (head !== '') yield encodeText(head, encoding);
  for await (const bytes of rewrite(body, plan, adder)) {
    if (bytes.length > 0) yield isWide ? encodeText(utf8Text(bytes, 0, bytes.length), encoding) : bytes;
  }
}

/** Without the first bytes. */
async function* behind(chunks: AsyncIterable<Uint8Array>, numBytes: number): AsyncGenerator<Uint8Array> {
  let left = numBytes;
  for await (const chunk of chunks) {
    const cut = Math.min(left, chunk.length);
    left -= cut;
    if (cut < chunk.length) yield chunk.subarray(cut);
  }
}

/** UTF-16 that could not be written back as it was is refused. */
async function* toUtf8(
  chunks: AsyncIterable<Uint8Array>,
  { encoding }: Dialect,
  file: string,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  const encoder = new TextEncoder();
  const decoded = (read: () => string) => {
    try {
      return encoder.encode(read());
    } catch (error) {
      const cure = 'Save the file as UTF-8.';
      throw new InputError({ file, got: 'bytes that are not UTF-16', expected: 'UTF-16 text', cure }, { cause: error });
    }
  };
  for await (const chunk of chunks) yield decoded(() => decoder.decode(chunk, { stream: true }));
  yield decoded(() => decoder.decode());
}
