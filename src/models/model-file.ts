// A model in one file (model-tensors.ts says what is in it), or as the bytes of one.

import { fingerprint, withFingerprint } from '../data/knowledge-graph.ts';
import { joined } from '../data/table/source.ts';
import { decodeTensors, readTensorFile, writeTensorFile } from '../data/tensor-file.ts';
import type { Listener } from '../listener.ts';
import { checkedSize } from '../size-limits.ts';
import type { Model } from './model.ts';
import { dataBeside, encodeModel, modelFromTensors, modelToTensors } from './model-tensors.ts';
import { findObjects, OBJECTS_FILE_FROM, removeOldObjects, writeObjects, writtenBytes } from './objects-file.ts';

/**
 * Writes a model as one file. The file is complete or not there: a stopped run leaves the old one. Where texts, links and
 * pictures of objects take more than 256 MB together (or `objectsFileFrom` bytes), they go to a file beside it, FILE.objects-…,
 * which has to stay with the model.
 *
 * @example
 * import { mkdtemp } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { graphFrom, loadModel, saveModel, train } from 'tagloom';
 *
 * const graph = graphFrom({ interact: [['ann', 'alien']], tagged: [['alien', 'space'], ['heat', 'crime']] });
 * const file = join(await mkdtemp(join(tmpdir(), 'tagloom-')), 'films.tagloom');
 * await saveModel(file, await train(graph, { model: 'popularity' }));
 * console.log((await loadModel(file)).name); // popularity
 */
export async function saveModel(
  path: string,
  model: Model,
  listener: Listener = {},
  { objectsFileFrom = OBJECTS_FILE_FROM }: { readonly objectsFileFrom?: number } = {},
): Promise<void> {
  const { graph } = model;
  const isBeside = writtenBytes(graph) > objectsFileFrom;
  if (isBeside) await writeObjects(path, withFingerprint(graph, fingerprint(graph)), listener);
  await writeTensorFile(path, modelToTensors(model, isBeside), listener);
  await removeOldObjects(path, isBeside ? fingerprint(graph) : undefined);
}

/**
 * Reads a model that `saveModel` or "tagloom train" wrote.
 *
 * @example
 * import { mkdtemp } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { graphFrom, loadModel, saveModel, train } from 'tagloom';
 *
 * const graph = graphFrom({ interact: [['ann', 'alien']], tagged: [['alien', 'space'], ['heat', 'crime']] });
 * const file = join(await mkdtemp(join(tmpdir(), 'tagloom-')), 'films.tagloom');
 * await saveModel(file, await train(graph, { model: 'popularity' }));
 * const { graph: known } = await loadModel(file);
 * console.log(known.tags.size); // 2
 */
export async function loadModel(path: string, listener: Listener = {}): Promise<Model> {
  const file = await readTensorFile(path, listener);
  const data = dataBeside(file);
  return modelFromTensors(file, path, data === undefined ? undefined : await findObjects(path, data));
}

/**
 * The bytes of a model's file, to send or store them where there are no files.
 *
 * @example
 * import { decodeModel, graphFrom, modelBytes, train } from 'tagloom';
 *
 * const graph = graphFrom({ interact: [['ann', 'alien']], tagged: [['alien', 'space'], ['heat', 'crime']] });
 * const bytes = modelBytes(await train(graph, { model: 'popularity' }));
 * console.log((await decodeModel(bytes)).name); // popularity
 */
export function modelBytes(model: Model): Uint8Array {
  const parts = encodeModel(model);
  const numBytes = parts.reduce((sum, { length }) => sum + length, 0);
  checkedSize('modelBytes', numBytes, 'bytes of a model in one array');
  return joined(parts);
}

/**
 * A model from the bytes of its file.
 *
 * @example
 * import { decodeModel, graphFrom, modelBytes, Recommender, train } from 'tagloom';
 *
 * const graph = graphFrom({ interact: [['ann', 'alien']], tagged: [['alien', 'space'], ['heat', 'crime']] });
 * const model = await decodeModel(modelBytes(await train(graph, { model: 'popularity' })));
 * const recommender = await Recommender.open(model);
 * console.log(await recommender.suggest('alien', { limit: 1 })); // [ { tag: 'crime', score: 1 } ]
 * recommender.close();
 */
export async function decodeModel(bytes: Uint8Array): Promise<Model> {
  return modelFromTensors(await decodeTensors(bytes, 'the model'), 'the model');
}
