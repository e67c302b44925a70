// What is written about objects (texts, links, pictures), in a file beside the model where it is large: a model is then opened
// without reading it. Titles stay in the model, since finding objects needs all of them. The name of the file and its header
// have the fingerprint of the data, so that a model takes no other file for its own, and a run that is stopped between the two
// files leaves the old model with its old file.

import { absolutePath, basename, listFolder, readFailure, removeFile } from '#platform';
import { fingerprint, type KnowledgeGraph } from '../data/knowledge-graph.ts';
import { joined } from '../data/table/source.ts';
import { type NamedTensor, readTensorPlaces, type TensorPlace, writeTensorFile } from '../data/tensor-file.ts';
import { NameTable, type TextTable } from '../data/vocabulary.ts';
import { InputError } from '../errors.ts';
import type { Listener } from '../listener.ts';
import { vector } from './tensors.ts';

/** Bytes: up to here one file is simpler, and takes a second to read and check. */
export const OBJECTS_FILE_FROM = 2 ** 28;
const FORMAT = 'tagloom objects';
const VERSION = '1';

/** What may lie beside a model, by the names of its tensors. */
export function writtenColumns({ texts, links, images }: KnowledgeGraph): [name: string, table: TextTable][] {
  return [
    ...texts.map(({ texts: table }, column): [string, TextTable] => [`text.${column}`, table]),
    ...(links === undefined ? [] : [['links', links] as [string, TextTable]]),
    ...(images === undefined ? [] : [['images', images] as [string, TextTable]]),
  ];
}

/** How much room they take. */
export function writtenBytes(graph: KnowledgeGraph): number {
  return writtenColumns(graph).reduce((sum, [, { size, offsets }]) => sum + offsets[size], 0);
}

/** `data`: the fingerprint of the graph. */
export function objectsPath(path: string, data: string): string {
  return `${path}.objects-${data.slice(0, 8)}`;
}

export async function writeObjects(path: string, graph: KnowledgeGraph, listener: Listener): Promise<void> {
  const data = fingerprint(graph);
  const tensors = writtenColumns(graph).map(([name, table]): [string, NamedTensor] => [
    `${name}.bytes`,
    vector(bytesOf(table)),
  ]);
  const metadata = { format: FORMAT, version: VERSION, data };
  await writeTensorFile(objectsPath(path, data), { metadata, tensors: new Map(tensors) }, listener);
}

export function bytesOf(table: TextTable): Uint8Array {
  return table instanceof NameTable ? table.bytes : joined([...table.pieces()]);
}

/** Where the bytes of each column are, if the file is there, whole and of this data. */
export async function findObjects(path: string, data: string): Promise<ReadonlyMap<string, TensorPlace>> {
  if (!/^[0-9a-f]{32}$/.test(data)) {
    const problem = { got: 'no fingerprint of its data', expected: 'one', cure: 'Train it again, or put back a copy.' };
    throw new InputError({ file: path, ...problem });
  }
  const file = objectsPath(path, data);
  const expected = `what is written about the objects of ${basename(path)}`;
  const cure = `Copy ${basename(file)} from where the model comes from, or train it again.`;
  const { metadata, places } = await readTensorPlaces(file).catch((error) => {
    if (error.code === 'ENOENT') throw new InputError({ file, got: 'no such file', expected, cure }, { cause: error });
    throw readFailure(error, file, expected);
  });
  if (metadata.format === FORMAT && metadata.version === VERSION && metadata.data === data) return places;
  const got = metadata.format === FORMAT ? 'the objects of another model' : 'a file of another kind';
  throw new InputError({ file, got, expected, cure });
}

/** After a model is written: the files of models that were there before it. `data`: whose file stays. */
export async function removeOldObjects(path: string, data: string | undefined): Promise<void> {
  const folder = absolutePath(path, '..');
  const kept = data === undefined ? undefined : basename(objectsPath(path, data));
  const prefix = `${basename(path)}.objects-`;
  for (const name of await listFolder(folder).catch(() => [])) {
    const isOld = name.startsWith(prefix) && /^[0-9a-f]{8}$/.test(name.slice(prefix.length)) && name !== kept;
    if (isOld) await removeFile(absolutePath(folder, name)).catch(() => {}); // another program may hold it
  }
}
