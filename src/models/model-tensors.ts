// A model as named arrays: what was learnt, the graph it was learnt from (names, titles, both relations), the settings and what
// was measured. Nothing else is needed to use it. Texts are UTF-8 bytes with offsets, relations are rows of tails.

import { fromHalves, toHalves } from '../data/half.ts';
import { fingerprint, type KnowledgeGraph } from '../data/knowledge-graph.ts';
import { Relation } from '../data/relation.ts';
import { encodeTensors, type NamedTensor, type TensorData, type TensorFile } from '../data/tensor-bytes.ts';
import { NameTable, Vocabulary } from '../data/vocabulary.ts';
import { InputError } from '../errors.ts';
import type { WeightedGraph } from '../graph/weighted-graph.ts';
import type { Confidence } from './confidence.ts';
import type { Content, Loom } from './loom.ts';
import type { Fitted, Model } from './model.ts';

const FORMAT = 'tagloom model';
const VERSION = '1';

/** The bytes of a model's file, in parts. */
export function encodeModel(model: Model): Uint8Array<ArrayBuffer>[] {
  return encodeTensors(modelToTensors(model));
}

export function modelToTensors(model: Model): TensorFile {
  const { graph } = model;
  const tensors = new Map<string, NamedTensor>([
    ...namesToTensors('users', graph.users.names),
    ...namesToTensors('objects', graph.objects.names),
    ...namesToTensors('tags', graph.tags.names),
    ...namesToTensors('titles', graph.titles),
    ...relationToTensors('interact', graph.interact),
    ...relationToTensors('tagged', graph.tagged),
    ...(model.rejected === undefined ? [] : relationToTensors('rejected', model.rejected)),
    ...fittedToTensors(model.fitted),
    ...(model.confidence === undefined ? [] : confidenceToTensors(model.confidence)),
  ]);
  const metadata = {
    format: FORMAT,
    version: VERSION,
    model: model.name,
    form: model.fitted.form,
    settings: JSON.stringify(model.settings),
    metrics: JSON.stringify(model.metrics),
    data: fingerprint(graph),
  };
  return { metadata, tensors };
}

/** `path`: what errors call the file. */
export function modelFromTensors(file: TensorFile, path: string): Model {
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
  if (metadata.version !== VERSION) {
    const cure = 'Use the tagloom that wrote it, or train anew.';
    throw new InputError({ file: path, got: `a model of version ${metadata.version}`, expected: VERSION, cure });
  }
  try {
    const tensors = new Reader(file);
    const objects = tensors.vocabulary('objects');
    const tags = tensors.vocabulary('tags');
    const users = tensors.vocabulary('users');
    const graph: KnowledgeGraph = {
      users,
      objects,
      tags,
      titles: tensors.names('titles'),
      interact: tensors.relation('interact', users.size, objects.size),
      tagged: tensors.relation('tagged', objects.size, tags.size),
    };
    const fitted = fittedFromTensors(tensors, metadata.form, graph);
    return {
      name: metadata.model,
      settings: JSON.parse(metadata.settings),
      metrics: JSON.parse(metadata.metrics),
      graph,
      fitted,
      ...(tensors.has('rejected.rowStart') && { rejected: tensors.relation('rejected', objects.size, tags.size) }),
      ...(tensors.has('confidence.tagged.scores') && { confidence: confidenceFromTensors(tensors) }),
    };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const cure = 'Use the tagloom that wrote it, or train anew.';
    throw new InputError(
      { file: path, got: error.message, expected: 'the tensors of a model', cure },
      { cause: error },
    );
  }
}

/** The tensors are whole (the checksum holds) but are not those of a model. */
class FormatError extends Error {}

class Reader {
  readonly #file: TensorFile;

  constructor(file: TensorFile) {
    this.#file = file;
  }

  /** The numbers of a tensor, checked for type and, where given, length. */
  array<Type extends TensorData>(name: string, type: abstract new (...args: never[]) => Type, length?: number): Type {
    const data = this.#file.tensors.get(name)?.data;
    if (!(data instanceof type)) throw new FormatError(`no ${name} of the right type`);
    if (length !== undefined && data.length !== length) {
      throw new FormatError(`${data.length} numbers in ${name} where ${length} belong`);
    }
    return data;
  }

  /** Numbers that may have been written as halves. */
  floats(name: string, length: number): Float32Array {
    if (!this.#file.tensors.get(name)?.isHalf) return this.array(name, Float32Array, length);
    return fromHalves(this.array(name, Uint16Array, length));
  }

  /** Ids that may have been written as 16 bits. */
  ids(name: string, length: number): Int32Array {
    const { data } = this.#file.tensors.get(name) ?? {};
    return data instanceof Uint16Array
      ? Int32Array.from(this.array(name, Uint16Array, length))
      : this.array(name, Int32Array, length);
  }

  has(name: string): boolean {
    return this.#file.tensors.has(name);
  }

  names(name: string): NameTable {
    return new NameTable(this.array(`${name}.bytes`, Uint8Array), this.array(`${name}.offsets`, Uint32Array));
  }

  graph(name: string, numNodes: number): WeightedGraph {
    const rowStart = this.array(`${name}.rowStart`, Int32Array, numNodes + 1);
    const columns = this.ids(`${name}.columns`, rowStart[numNodes]);
    return { numNodes, rowStart, columns, weights: this.floats(`${name}.weights`, columns.length) };
  }

  vocabulary(name: string): Vocabulary {
    return Vocabulary.fromSorted(this.names(name));
  }

  relation(name: string, numHeads: number, numTails: number): Relation {
    const rowStart = this.array(`${name}.rowStart`, Int32Array, numHeads + 1);
    const tails = this.array(`${name}.tails`, Int32Array, rowStart[numHeads]);
    const heads = new Int32Array(tails.length);
    for (let head = 0; head < numHeads; head++) heads.fill(head, rowStart[head], rowStart[head + 1]);
    return new Relation(numHeads, numTails, heads, tails);
  }
}

function graphToTensors(name: string, graph: Omit<WeightedGraph, 'numNodes'>): [string, NamedTensor][] {
  return [
    [`${name}.rowStart`, vector(graph.rowStart)],
    [`${name}.columns`, vector(graph.columns)],
    [`${name}.weights`, vector(graph.weights)],
  ];
}

function fittedToTensors(fitted: Fitted): [string, NamedTensor][] {
  switch (fitted.form) {
    case 'embeddings': {
      const { width, objects, tags, base } = fitted;
      const rows = (data: Float32Array) => (width === 0 ? 0 : data.length / width);
      return [
        ['embeddings.objects', { shape: [rows(objects), width], data: objects }],
        ['embeddings.tags', { shape: [rows(tags), width], data: tags }],
        ['embeddings.base', vector(base)],
      ];
    }
    case 'neighbours':
      return graphToTensors('neighbours', fitted.graph);
    case 'linear':
      return [...graphToTensors('linear', fitted.weights), ['linear.base', vector(fitted.base)]];
    case 'scores': {
      const { rowStart, columns, values } = fitted;
      return graphToTensors('scores', { rowStart, columns, weights: values });
    }
    case 'loom':
      return loomToTensors(fitted);
    default:
      return fitted satisfies never;
  }
}

function confidenceToTensors({ tagged, untagged }: Confidence): [string, NamedTensor][] {
  return Object.entries({ tagged, untagged }).flatMap(([name, { scores, probabilities }]) => [
    [`confidence.${name}.scores`, vector(scores)],
    [`confidence.${name}.probabilities`, vector(probabilities)],
  ]);
}

function confidenceFromTensors(tensors: Reader): Confidence {
  const curve = (name: string) => {
    const scores = tensors.array(`confidence.${name}.scores`, Float32Array);
    const probabilities = tensors.array(`confidence.${name}.probabilities`, Float32Array, scores.length);
    return { scores, probabilities };
  };
  return { tagged: curve('tagged'), untagged: curve('untagged') };
}

function loomToTensors(loom: Loom): [string, NamedTensor][] {
  const { damping, numNeighbours, neighbours, words, weights, profile, content, base } = loom;
  const { rowStart, columns, weights: values } = weights;
  return [
    ['loom.numbers', vector(Float64Array.of(damping, numNeighbours, profile.width))],
    ...graphToTensors('loom.neighbours', neighbours),
    ...namesToTensors('loom.words', words.names),
    ['loom.weights.rowStart', vector(rowStart)],
    ['loom.weights.columns', vector(base.length <= 1 << 16 ? Uint16Array.from(columns) : columns)],
    ['loom.weights.weights', halves(values, values.length)],
    [`loom.profile.${profile.side}`, matrix(profile.vectors, profile.width)],
    ['loom.profile.weights', halves(profile.weights, base.length)],
    ['loom.base', vector(base)],
    ...(content === undefined ? [] : contentToTensors(content, base.length)),
  ];
}

function contentToTensors(content: Content, numTags: number): [string, NamedTensor][] {
  const { names, scales, width, vectors, rows, weights } = content;
  return [
    ...namesToTensors('loom.content.names', names),
    ['loom.content.scales', vector(scales)],
    ['loom.content.vectors', matrix(vectors, width)],
    ['loom.content.rows', matrix(rows, width)],
    ['loom.content.weights', halves(weights, numTags)],
  ];
}

function loomFromTensors(tensors: Reader, { users, objects, tags }: KnowledgeGraph): Loom {
  const [damping, numNeighbours, width] = tensors.array('loom.numbers', Float64Array, 3);
  const profileWeights = tensors.floats('loom.profile.weights', width * tags.size);
  const side = tensors.has('loom.profile.users') ? 'users' : 'objects';
  const numVectors = side === 'users' ? users.size : objects.size;
  const vectors = tensors.array(`loom.profile.${side}`, Float32Array, numVectors * width);
  const words = tensors.vocabulary('loom.words');
  return {
    form: 'loom',
    damping,
    numNeighbours,
    neighbours: tensors.graph('loom.neighbours', objects.size),
    words,
    weights: tensors.graph('loom.weights', 2 * tags.size + words.size),
    profile: { side, width, vectors, weights: profileWeights },
    base: tensors.array('loom.base', Float32Array, tags.size),
    ...(tensors.has('loom.content.scales') && { content: contentFromTensors(tensors, objects.size, tags.size) }),
  };
}

function contentFromTensors(tensors: Reader, numObjects: number, numTags: number): Content {
  const names = tensors.names('loom.content.names');
  const vectors = tensors.array('loom.content.vectors', Float32Array);
  const width = names.size === 0 ? 0 : vectors.length / names.size;
  return {
    names,
    scales: tensors.array('loom.content.scales', Float32Array, names.size),
    width,
    vectors,
    rows: tensors.array('loom.content.rows', Float32Array, numObjects * width),
    weights: tensors.floats('loom.content.weights', width * numTags),
  };
}

function matrix(data: Float32Array, width: number): NamedTensor {
  return { shape: [width === 0 ? 0 : data.length / width, width], data };
}

/** In half the room; they lose nothing where they were rounded to halves before. */
function halves(data: Float32Array, width: number): NamedTensor {
  return { shape: [width === 0 ? 0 : data.length / width, width], data: toHalves(data), isHalf: true };
}

function fittedFromTensors(tensors: Reader, form: string, graph: KnowledgeGraph): Fitted {
  const { objects, tags } = graph;
  switch (form as Fitted['form']) {
    case 'embeddings': {
      const base = tensors.array('embeddings.base', Float32Array, tags.size);
      const rows = tensors.array('embeddings.tags', Float32Array);
      const width = tags.size === 0 ? 0 : rows.length / tags.size;
      const vectors = tensors.array('embeddings.objects', Float32Array, objects.size * width);
      return { form: 'embeddings', width, objects: vectors, tags: rows, base };
    }
    case 'neighbours':
      return { form: 'neighbours', graph: tensors.graph('neighbours', objects.size) };
    case 'linear': {
      const base = tensors.array('linear.base', Float32Array, tags.size);
      return { form: 'linear', weights: tensors.graph('linear', tags.size), base };
    }
    case 'scores': {
      const { rowStart, columns, weights: values } = tensors.graph('scores', objects.size);
      return { form: 'scores', rowStart, columns, values };
    }
    case 'loom':
      return loomFromTensors(tensors, graph);
    default:
      throw new FormatError(`a model of the form "${form}"`);
  }
}

function namesToTensors(name: string, { bytes, offsets }: NameTable): [string, NamedTensor][] {
  return [
    [`${name}.bytes`, vector(bytes)],
    [`${name}.offsets`, vector(offsets)],
  ];
}

function relationToTensors(name: string, { rowStart, tails }: Relation): [string, NamedTensor][] {
  return [
    [`${name}.rowStart`, vector(rowStart)],
    [`${name}.tails`, vector(tails)],
  ];
}

function vector(data: TensorData): NamedTensor {
  return { shape: [data.length], data };
}
