// loom: a ridge regression of an object's tags on all that is known of it, where no tag may predict itself. What is known of an
// object are its views: its own tags, the tags of objects with similar users (weighted means), the words of its name, a profile
// of its users (the leading singular vectors of objects by users), its content features likewise, and a constant. So every
// score is an exact sum:
//
//   score(o, t) = base_t + Σ weights(s, t) over its tags s                                        own tags
//               + Σ mean_o(s) · weights(numTags + s, t) over the tags s of its neighbours          neighbours
//               + Σ weights(2 · numTags + w, t) over the words w of its name                       name
//               + profile_o · profile weights_t                                                    profile
//               + content_o · content weights_t                                                    content
//
// mean_o(s) = Σ cos(o, j) over the neighbours j that have s / Σ cos(o, j) over all of them. Nothing of this needs the object
// to have been there in training: tags, users, a name or any of them are enough.

import type { Csr } from '../../csr.ts';
import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { NameTable, Vocabulary } from '../../data/vocabulary.ts';
import {
  csrToTensors,
  halves,
  matrix,
  namesToTensors,
  type TensorEntry,
  type TensorReader,
  vector,
} from '../tensors.ts';

/** What fitting loom leaves. */
export interface Loom {
  readonly form: 'loom';
  /** Of users of many objects (graph/similarity.ts). */
  readonly damping: number;
  readonly numNeighbours: number;
  /** From each object to the most similar tagged objects; values are cosines. */
  readonly neighbours: Csr; // over objects
  /** The words that count. */
  readonly words: Vocabulary;
  /** From own tags (the first numTags rows), neighbours' tags (as many again) and words to tags; the largest. */
  readonly weights: Csr; // (2 · numTags + numWords) rows
  readonly profile: Profile;
  /** Where objects have features. */
  readonly content?: Content;
  readonly base: Float32Array; // (numTags)
}

/**
 * A profile is the sum of its users' vectors, each times its number in the object's row (Similarity.row). Where there are
 * fewer objects than users, objects have the vectors instead, times the cosine to each object: the sum is the same.
 */
export interface Profile {
  readonly side: 'users' | 'objects';
  readonly width: number;
  readonly vectors: Float32Array; // (numUsers or numObjects, width)
  readonly weights: Float32Array; // (width, numTags)
}

/** What objects are made of, where that is known: features times their scales, to length 1, times the features' vectors. */
export interface Content {
  readonly names: NameTable; // of features
  readonly scales: Float32Array; // (numFeatures)
  readonly width: number;
  readonly vectors: Float32Array; // (numFeatures, width)
  readonly rows: Float32Array; // (numObjects, width)
  readonly weights: Float32Array; // (width, numTags)
}

export function loomToTensors(loom: Loom): TensorEntry[] {
  const { damping, numNeighbours, neighbours, words, weights, profile, content, base } = loom;
  const { rowStart, columns, values } = weights;
  return [
    ['loom.numbers', vector(Float64Array.of(damping, numNeighbours, profile.width))],
    ...csrToTensors('loom.neighbours', neighbours),
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

function contentToTensors(content: Content, numTags: number): TensorEntry[] {
  const { names, scales, width, vectors, rows, weights } = content;
  return [
    ...namesToTensors('loom.content.names', names),
    ['loom.content.scales', vector(scales)],
    ['loom.content.vectors', matrix(vectors, width)],
    ['loom.content.rows', matrix(rows, width)],
    ['loom.content.weights', halves(weights, numTags)],
  ];
}

export function loomFromTensors(tensors: TensorReader, { users, objects, tags }: KnowledgeGraph): Loom {
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
    neighbours: tensors.csr('loom.neighbours', objects.size),
    words,
    weights: tensors.csr('loom.weights', 2 * tags.size + words.size),
    profile: { side, width, vectors, weights: profileWeights },
    base: tensors.array('loom.base', Float32Array, tags.size),
    ...(tensors.has('loom.content.scales') && { content: contentFromTensors(tensors, objects.size, tags.size) }),
  };
}

function contentFromTensors(tensors: TensorReader, numObjects: number, numTags: number): Content {
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
