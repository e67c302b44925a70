// Embeddings as NumPy arrays: NAME.npy (rows, width) and NAME.txt with the name of each row; for tags also base.npy.
// The format is that of numpy/lib/format.py, version 1.0: magic, version, length of the header, a Python dictionary
// as text, padded so that the numbers begin at a multiple of 64, then the numbers, little-endian, row by row.

import type { Contents } from '../../files.ts';
import type { Listener } from '../../listener.ts';
import type { Side } from './side.ts';
import { allNames, lineChunks } from './text.ts';

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]; // \x93NUMPY
const VERSION = [1, 0];
const ALIGNMENT = 64;

export function npyFiles({ label, names, width, vectors, base }: Side, listener: Listener): [string, Contents][] {
  const files: [string, Contents][] = [
    [`${label}.npy`, arrayChunks(`${label}.npy`, vectors, [names.size, width], listener)],
    [`${label}.txt`, lineChunks(allNames(names), label, names.size, listener)],
  ];
  if (base !== undefined) files.push(['base.npy', arrayChunks('base.npy', base, [names.size], listener)]);
  return files;
}

function* arrayChunks(name: string, data: Float32Array, shape: readonly number[], { progress }: Listener) {
  progress?.(`writing ${name}`, 0, shape[0]);
  yield npyHeader(shape);
  yield new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** Everything before the numbers of a float32 array. */
function npyHeader(shape: readonly number[]): Uint8Array {
  const tuple = shape.length === 1 ? `${shape[0]},` : shape.join(', '); // Python writes a tuple of one as (n,)
  const text = `{'descr': '<f4', 'fortran_order': False, 'shape': (${tuple}), }`;
  const start = MAGIC.length + VERSION.length + 2;
  const size = Math.ceil((start + text.length + 1) / ALIGNMENT) * ALIGNMENT;
  const header = Buffer.alloc(size, ' ');
  header.set([...MAGIC, ...VERSION]);
  header.writeUInt16LE(size - start, start - 2);
  header.write(text, start, 'latin1');
  header.write('\n', size - 1);
  return header;
}
