// A model as named arrays: what was learnt, the graph it was learnt from (names, titles, both relations), the settings and what
// was measured. Nothing else is needed to use it.

import { fingerprint, type KnowledgeGraph, withFingerprint } from '../data/knowledge-graph.ts';
import { encodeTensors, type TensorFile } from '../data/tensor-bytes.ts';
import type { TensorPlace } from '../data/tensor-file.ts';
import type { TextTable } from '../data/vocabulary.ts';
import { InputError } from '../errors.ts';
import type { Settings } from '../settings.ts';
import { confidenceFromTensors, confidenceToTensors } from './confidence.ts';
import { fittedFromTensors, fittedToTensors } from './fitted.ts';
import type { Model } from './model.ts';
import { bytesOf, writtenColumns } from './objects-file.ts';
import { FormatError } from './tensor-checks.ts';
import {
  namesToTensors,
  offsetsToTensor,
  relationToTensors,
  type TensorEntry,
  TensorReader,
  vector,
} from './tensors.ts';

const FORMAT = 'tagloom model';
const VERSION = '1';
const VERSION_BESIDE = '2'; // what is written about objects is in a file of its own (objects-file.ts)

/** The bytes of a model's file, in parts. */
export function encodeModel(model: Model): Uint8Array[] {
  return encodeTensors(modelToTensors(model));
}

/** `isBeside`: what is written about objects is in a file of its own. */
export function modelToTensors(model: Model, isBeside = false): TensorFile {
  const { graph } = model;
  const tensors = new Map([
    ...namesToTensors('users', graph.users.names),
    ...namesToTensors('objects', graph.objects.names),
    ...namesToTensors('tags', graph.tags.names),
    ...namesToTensors('titles', graph.titles),
    ...writtenColumns(graph).flatMap(([name, table]) => [
      offsetsToTensor(name, table),
      ...(isBeside ? [] : [[`${name}.bytes`, vector(bytesOf(table))] as TensorEntry]),
    ]),
    ...relationToTensors('interact', graph.interact),
    ...relationToTensors('tagged', graph.tagged),
    ...(model.rejected === undefined ? [] : relationToTensors('rejected', model.rejected)),
    ...fittedToTensors(model.fitted),
    ...(model.confidence === undefined ? [] : confidenceToTensors(model.confidence)),
  ]);
  const metadata = {
    format: FORMAT,
    version: isBeside ? VERSION_BESIDE : VERSION,
    model: model.name,
    form: model.fitted.form,
    settings: JSON.stringify(model.settings),
    metrics: JSON.stringify(model.metrics),
    data: fingerprint(graph),
    ...(graph.texts.length > 0 && { texts: JSON.stringify(graph.texts.map(({ name }) => name)) }),
  };
  return { metadata, tensors };
}

/** The data whose objects lie beside the model, if they do. */
export function dataBeside({ metadata }: TensorFile): string | undefined {
  return metadata.format === FORMAT && metadata.version === VERSION_BESIDE ? metadata.data : undefined;
}

/** `path`: what errors call the file. `beside`: where its objects are, if they are beside it. */
export function modelFromTensors(file: TensorFile, path: string, beside?: Beside): Model {
  const { metadata } = file;
  if (metadata.format !== FORMAT) {
    const got = metadata.format === undefined ? 'tensors of another program' : `a ${metadata.format}`;
    throw new InputError({
      file: path,
      got,
      expected: 'a tagloom model',
      cure: 'Name a file that "tagloom train" wrote.',
    });
  }
  if (metadata.version === VERSION_BESIDE && beside === undefined) {
    const got = 'a model whose objects are in a file beside it';
    const cure = 'Load it by its path with loadModel.';
    throw new InputError({ file: path, got, expected: 'one that is whole', cure });
  }
  if (metadata.version !== VERSION && metadata.version !== VERSION_BESIDE) {
    const cure = 'Use the tagloom that wrote it, or train it again.';
    throw new InputError({ file: path, got: `a model of version ${metadata.version}`, expected: VERSION, cure });
  }
  try {
    return readModel(file, beside);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const cure = 'The file is damaged: train it again, or put back a copy.';
    throw new InputError({ file: path, got: error.message, expected: error.expected, cure }, { cause: error });
  }
}

function readModel(file: TensorFile, beside: Beside | undefined): Model {
  const { metadata } = file;
  const tensors = new TensorReader(file);
  const graph = readGraph(tensors, metadata, beside);
  const { objects, tags } = graph;
  const model: Model = {
    name: textIn(metadata, 'model'),
    settings: jsonIn(metadata, 'settings', 'an object of numbers and texts', isSettings),
    metrics: jsonIn(metadata, 'metrics', 'an object of numbers', isMetrics),
    graph,
    fitted: fittedFromTensors(tensors, metadata.form, graph),
    ...(tensors.has('rejected.rowStart') && { rejected: tensors.relation('rejected', objects.size, tags.size) }),
    ...(tensors.has('confidence.tagged.scores') && { confidence: confidenceFromTensors(tensors) }),
  };
  tensors.refuseUnread();
  return model;
}

function readGraph(tensors: TensorReader, metadata: Metadata, beside: Beside | undefined): KnowledgeGraph {
  const objects = tensors.cleanVocabulary('objects');
  const tags = tensors.cleanVocabulary('tags');
  const users = tensors.cleanVocabulary('users');
  const columns = metadata.texts === undefined ? [] : jsonIn(metadata, 'texts', 'a list of names', isNames);
  const written = (name: string): TextTable =>
    beside ? tensors.storedTexts(name, objects.size, beside.get(`${name}.bytes`)) : tensors.names(name, objects.size);
  const graph: KnowledgeGraph = {
    users,
    objects,
    tags,
    titles: tensors.names('titles', objects.size),
    texts: columns.map((name, column) => ({ name, texts: written(`text.${column}`) })),
    ...(tensors.has('links.offsets') && { links: written('links') }),
    ...(tensors.has('images.offsets') && { images: written('images') }),
    interact: tensors.relation('interact', users.size, objects.size),
    tagged: tensors.relation('tagged', objects.size, tags.size),
  };
  return beside ? withFingerprint(graph, textIn(metadata, 'data')) : graph;
}

type Metadata = TensorFile['metadata'];
type Beside = ReadonlyMap<string, TensorPlace>;

function textIn(metadata: Metadata, name: string): string {
  const text = metadata[name];
  if (text === undefined || text === '') throw new FormatError(`no "${name}" in the header`);
  return text;
}

/** What a text of the header holds as JSON, where it is what belongs there. */
function jsonIn<Value>(
  metadata: Metadata,
  name: string,
  expected: string,
  isRight: (value: unknown) => value is Value,
): Value {
  let value: unknown;
  try {
    value = JSON.parse(textIn(metadata, name));
  } catch (error) {
    if (error instanceof FormatError) throw error;
    throw new FormatError(`"${name}" in the header that is not JSON`, expected);
  }
  if (!isRight(value)) throw new FormatError(`"${name}" in the header of another kind`, expected);
  return value;
}

function isSettings(value: unknown): value is Settings {
  return isPlain(value) && Object.values(value).every((one) => typeof one === 'string' || Number.isFinite(one));
}

function isMetrics(value: unknown): value is Model['metrics'] {
  return isPlain(value) && Object.values(value).every((one) => Number.isFinite(one));
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string') && new Set(value).size === value.length;
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
