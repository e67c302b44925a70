// A file that a person gave to a page as a stream of byte chunks, plain or gzipped, with the errors of a file on disk. It needs
// nothing that only Node has, or only a browser.

import { CancelledError, InputError } from '../errors.ts';
import type { Listener } from '../listener.ts';
import { brokenGzip, isGzip, notGzip } from './gzip-check.ts';

export async function* readBlobChunks(file: File, options: Listener): AsyncGenerator<Uint8Array> {
  const magic = new Uint8Array(await readable(file, file.slice(0, 2).arrayBuffer()));
  const gzipped = isGzip(magic);
  if (file.name.endsWith('.gz') && !gzipped) throw notGzip(file.name, file.size);
  let numRead = 0;
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      numRead += chunk.length;
      controller.enqueue(chunk);
    },
  });
  const counted = file.stream().pipeThrough(counting);
  const reader = (gzipped ? counted.pipeThrough(new DecompressionStream('gzip')) : counted).getReader();
  try {
    for (;;) {
      const next = reader.read();
      const { done, value } = await (gzipped ? whole(file, next) : readable(file, next));
      if (done) return;
      if (options.signal?.aborted) throw new CancelledError();
      options.progress?.(`reading ${file.name}`, numRead, file.size);
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {}); // it may have failed, which was told
  }
}

/** A file may be changed or taken away between the choice and the reading. */
async function readable<Value>({ name }: File, reading: Promise<Value>): Promise<Value> {
  return reading.catch((error) => {
    const cure = 'Choose it again: it was moved or changed, or is a folder.';
    throw new InputError({ file: name, got: 'no such file', expected: 'a readable file', cure }, { cause: error });
  });
}

/** Browsers say what is wrong with gzip each in its own words; here they are zlib's. */
async function whole<Value>(file: File, reading: Promise<Value>): Promise<Value> {
  return reading.catch((error) => {
    if ((error as Error).name === 'NotReadableError') return readable(file, Promise.reject(error));
    const said = String((error as Error).message);
    if (/junk|trailing/i.test(said)) {
      const cure = 'It may be several put together: unpack it, and compress it again.';
      const got = 'a gzip file with something behind its end';
      throw new InputError({ file: file.name, got, expected: 'one whole gzip file', cure }, { cause: error });
    }
    const why = /incorrect \w+ check|invalid [a-z/ ]+/.exec(said)?.[0].trim();
    throw brokenGzip(file.name, why ?? (/truncat|end of/i.test(said) ? 'unexpected end of file' : said), error);
  });
}
