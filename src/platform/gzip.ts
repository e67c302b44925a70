// What can be wrong with a gzip file, in the same words wherever it comes from.

import { InputError } from '../errors.ts';

/** By its first two bytes. */
export function isGzip(magic: Uint8Array): boolean {
  return magic[0] === 0x1f && magic[1] === 0x8b;
}

/** It is called .gz and is none. */
export function notGzip(file: string, sizeBytes: number): InputError {
  return new InputError({
    file,
    got: sizeBytes === 0 ? 'an empty file' : 'a file that does not begin like gzip',
    expected: 'a gzip file, as its name says',
    cure: 'Compress it again, or drop .gz from its name if it is plain text.',
  });
}

export function brokenGzip(file: string, why: string, cause: unknown): InputError {
  const cure = 'It was cut short or damaged: fetch or compress it again.';
  return new InputError({ file, got: `a broken gzip file (${why})`, expected: 'a whole one', cure }, { cause });
}
