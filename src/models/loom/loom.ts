// loom: a ridge regression of an object's tags on all that is known of it, where no tag may predict itself. What is known of an
// object are its views: its own tags, the tags of objects with similar users (weighted means), what is written about it (name,
// texts, sparse features), which tags that names, a profile of its users (the leading singular vectors of objects by users), its
// dense features likewise, and a constant. So every score is an exact sum:
//
//   score(o, t) = base_t + Σ weights(s, t) over its tags s                                        own tags
//               + Σ mean_o(s) · weights(numTags + s, t) over the tags s of its neighbours          neighbours
//               + Σ text_o(w) · weights(2 · numTags + w, t) over the words w                       words
//               + mention_t · (share of t's own words that are written)                            mention
//               + profile_o · profile weights_t + content_o · content weights_t                    profile, content
//
// mean_o(s) = Σ cos(o, j) over the neighbours j that have s / Σ cos(o, j) over all of them. Own tags explain so much that the other
// views are left with little: objects without tags have weights of their own, learnt without own tags, and those with one or
// two may have a mixture of both. The best tags of an object with tags are then ranked again (second-stage.ts). Nothing of this
// needs the object to have been there in training.

import type { Csr } from '../../csr.ts';
import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { NameTable } from '../../data/vocabulary.ts';
import { MANY } from '../../settings.ts';
import { checkNumbers, FormatError } from '../tensor-checks.ts';
import {
  csrToTensors,
  halves,
  matrix,
  namesToTensors,
  type TensorEntry,
  type TensorReader,
  vector,
} from '../tensors.ts';
import { type SecondStage, secondStageFromTensors, secondStageToTensors } from './second-stage.ts';
import { LOOM_SETTINGS } from './settings.ts';
import { type LoomText, textFromTensors, textToTensors, textWidth } from './text-space.ts';

/** What fitting loom leaves. */
export interface Loom {
  readonly form: 'loom';
  /** Of users of many objects (graph/similarity.ts). */
  readonly damping: number;
  readonly numNeighbours: number;
  /** From each object to the most similar tagged objects; values are cosines. */
  readonly neighbours: Csr; // over objects
  /** The words that count. */
  readonly text: LoomText;
  readonly profile: Profile;
  /** What a model without the pairs of users and objects knows of them. */
  readonly users?: UserCounts | undefined;
  /** Where objects have dense features. */
  readonly content?: Content;
  /** For objects with tags. */
  readonly tagged: LoomWeights;
  /** For objects without. */
  readonly untagged: LoomWeights;
  /** By the number of own tags, the last for all above: the share of the weights for objects with tags. */
  readonly mixing: Float32Array;
  /** Ranks the best tags of objects with tags again, where that pays. */
  readonly second?: SecondStage | undefined;
  /** The power of its count by which a common tag is held back: what is learnt from decisions is, too. */
  readonly rarity?: number | undefined;
}

/** From what is known of an object to tags. */
export interface LoomWeights {
  /** The largest from own tags (only for objects with tags), neighbours' tags and words; the order of rows is in problem.ts. */
  readonly sparse: Csr;
  readonly profile: Float32Array; // (profile.width, numTags)
  readonly content: Float32Array; // (content.width, numTags)
  readonly base: Float32Array; // (numTags)
  /** What a tag gains where all of its own words are written. */
  readonly mention: Float32Array; // (numTags)
  /** Where pairs of words count, too. */
  readonly squares?: Squares;
  /** How far one more example moves the weight of a feature (learning-rates.ts); of models that can learn from decisions. */
  readonly rates?: Float32Array; // (layout.size + profile.width + content.width + 1)
}

/** Pairs of words, through the tagged objects that share them: Σ over these of strength · (product of both texts)² · answer. */
export interface Squares {
  /** By part of the text. */
  readonly strengths: Float32Array;
  /** A row for each tagged object, in their order. */
  readonly answers: Float32Array; // (numTagged, numTags)
}

/**
 * A profile is the sum of its users' vectors, each times its number in the object's row (Similarity.row). Where there are
 * fewer objects than users, objects have the vectors instead, times the cosine to each object: the sum is the same. A model
 * without the pairs of users and objects has the profiles themselves.
 */
export interface Profile {
  readonly side: 'users' | 'objects' | 'profiles';
  readonly width: number;
  readonly vectors: Float32Array; // (numUsers or numObjects, width)
}

/** Of users whose names and pairs with objects are not in the model: there were too many to hold. */
export interface UserCounts {
  readonly numUsers: number;
  readonly numInteractions: number;
  readonly ofObjects: Int32Array; // (numObjects), how many users each has
}

/** What objects are made of, where that is known: features times their scales, to length 1, times the features' vectors. */
export interface Content {
  readonly names: NameTable; // of features
  readonly scales: Float32Array; // (numFeatures)
  readonly width: number;
  readonly vectors: Float32Array; // (numFeatures, width)
  readonly rows: Float32Array; // (numObjects, width)
}

/** The share of the weights for objects with tags in the scores of one with so many. */
export function shareOf(mixing: ArrayLike<number>, numTags: number): number {
  return mixing[Math.min(numTags, mixing.length - 1)];
}

/** Where the sparse features of a view begin: own tags (if they count), neighbours' tags, text. */
export interface Layout {
  readonly neighbours: number;
  readonly text: number;
  readonly size: number;
}

export function layoutOf(numTags: number, width: number, own: boolean): Layout {
  const neighbours = own ? numTags : 0;
  return { neighbours, text: neighbours + numTags, size: neighbours + numTags + width };
}

const SIDES = ['tagged', 'untagged'] as const;

export function loomToTensors(loom: Loom): TensorEntry[] {
  const { damping, numNeighbours, neighbours, text, profile, users, content, mixing, second, rarity } = loom;
  return [
    ['loom.numbers', vector(Float64Array.of(damping, numNeighbours, profile.width))],
    ...csrToTensors('loom.neighbours', neighbours),
    ...textToTensors(text),
    ...(users === undefined
      ? [[`loom.profile.${profile.side}`, matrix(profile.vectors, profile.width)] as TensorEntry]
      : [
          [`loom.profile.${profile.side}`, halves(profile.vectors, profile.width)] as TensorEntry,
          ['loom.users.ofObjects', vector(users.ofObjects)] as TensorEntry,
          ['loom.users.totals', vector(Float64Array.of(users.numUsers, users.numInteractions))] as TensorEntry,
        ]),
    ['loom.mixing', vector(mixing)],
    ...SIDES.flatMap((side) => weightsToTensors(`loom.${side}`, loom[side])),
    ...(content === undefined ? [] : contentToTensors(content)),
    ...(second === undefined ? [] : secondStageToTensors(second)),
    ...(rarity === undefined ? [] : [['loom.rarity', vector(Float64Array.of(rarity))] as TensorEntry]),
  ];
}

function weightsToTensors(name: string, weights: LoomWeights): TensorEntry[] {
  const { rowStart, columns, values } = weights.sparse;
  const numTags = weights.base.length;
  return [
    [`${name}.weights.rowStart`, vector(rowStart)],
    [`${name}.weights.columns`, vector(numTags <= 1 << 16 ? new Uint16Array(columns) : columns)],
    [`${name}.weights.weights`, halves(values, values.length)],
    [`${name}.profile`, halves(weights.profile, numTags)],
    [`${name}.content`, halves(weights.content, numTags)],
    [`${name}.base`, vector(weights.base)],
    [`${name}.mention`, vector(weights.mention)],
    ...(weights.squares === undefined ? [] : squaresToTensors(name, weights.squares, numTags)),
    ...(weights.rates === undefined ? [] : [[`${name}.rates`, vector(weights.rates)] as TensorEntry]),
  ];
}

function squaresToTensors(name: string, { strengths, answers }: Squares, numTags: number): TensorEntry[] {
  return [
    [`${name}.squares.strengths`, vector(strengths)],
    [`${name}.squares.answers`, halves(answers, numTags)],
  ];
}

function contentToTensors({ names, scales, width, vectors, rows }: Content): TensorEntry[] {
  return [
    ...namesToTensors('loom.content.names', names),
    ['loom.content.scales', vector(scales)],
    ['loom.content.vectors', matrix(vectors, width)],
    ['loom.content.rows', matrix(rows, width)],
  ];
}

export function loomFromTensors(tensors: TensorReader, graph: KnowledgeGraph): Loom {
  const { users, objects, tags, tagged } = graph;
  const side = (['users', 'profiles'] as const).find((one) => tensors.has(`loom.profile.${one}`)) ?? 'objects';
  const numVectors = side === 'users' ? users.size : objects.size;
  const [damping, numNeighbours, width] = checkedNumbers(tensors, numVectors);
  const text = textFromTensors(tensors, graph);
  const content = tensors.has('loom.content.scales') ? contentFromTensors(tensors, objects.size) : undefined;
  const numTagged = tagged.heads.filter((object, i, heads) => i === 0 || heads[i - 1] !== object).length;
  const weightsOf = (name: (typeof SIDES)[number]): LoomWeights => {
    const { size } = layoutOf(tags.size, textWidth(text), name === 'tagged');
    const hasSquares = tensors.has(`loom.${name}.squares.strengths`);
    return {
      sparse: tensors.csr(`loom.${name}.weights`, size, tags.size),
      profile: tensors.floats(`loom.${name}.profile`, width * tags.size),
      content: tensors.floats(`loom.${name}.content`, (content?.width ?? 0) * tags.size),
      base: tensors.array(`loom.${name}.base`, Float32Array, tags.size),
      mention: tensors.array(`loom.${name}.mention`, Float32Array, tags.size),
      ...(hasSquares && {
        squares: {
          strengths: tensors.array(`loom.${name}.squares.strengths`, Float32Array, text.parts.length),
          answers: tensors.floats(`loom.${name}.squares.answers`, numTagged * tags.size),
        },
      }),
      ...(tensors.has(`loom.${name}.rates`) && {
        rates: tensors.within(`loom.${name}.rates`, { low: 0, high: MANY }, size + width + (content?.width ?? 0) + 1),
      }),
    };
  };
  return {
    form: 'loom',
    damping,
    numNeighbours,
    neighbours: checkedNeighbours(tensors.csr('loom.neighbours', objects.size, objects.size)),
    text,
    profile: { side, width, vectors: tensors.floats(`loom.profile.${side}`, numVectors * width) },
    ...(side === 'profiles' && { users: userCountsFrom(tensors, objects.size) }),
    ...(content && { content }),
    tagged: weightsOf('tagged'),
    untagged: weightsOf('untagged'),
    mixing: checkedMixing(tensors),
    ...(tensors.has('loom.second.start') && { second: secondStageFromTensors(tensors) }),
    ...(tensors.has('loom.rarity') && { rarity: checkedRarity(tensors) }),
  };
}

/** What users count by, how many neighbours and how wide a profile: within what settings allow and the data has. */
function checkedNumbers(tensors: TensorReader, numVectors: number): Float64Array {
  const numbers = tensors.array('loom.numbers', Float64Array, 3);
  const { userDamping, neighbours } = LOOM_SETTINGS;
  const isWhole = Number.isInteger(numbers[1]) && Number.isInteger(numbers[2]);
  const highest = [userDamping.max, neighbours.max, numVectors];
  const isWithin = [userDamping.min, neighbours.min, 0].every(
    (low, i) => numbers[i] >= low && numbers[i] <= highest[i],
  );
  if (isWhole && isWithin) return numbers;
  throw new FormatError(`loom.numbers of ${numbers.join(', ')}`, `${highest.join(', ')} at most, whole and positive`);
}

function userCountsFrom(tensors: TensorReader, numObjects: number): UserCounts {
  const [numUsers, numInteractions] = tensors.array('loom.users.totals', Float64Array, 2);
  const ofObjects = tensors.array('loom.users.ofObjects', Int32Array, numObjects);
  const isCount = (count: number) => Number.isInteger(count) && count >= 0;
  if (isCount(numUsers) && isCount(numInteractions) && ofObjects.every((count) => count >= 0)) {
    return { numUsers, numInteractions, ofObjects };
  }
  throw new FormatError('numbers in loom.users that are no counts', 'whole and positive ones');
}

/** Cosines of sets of users: from 0 to 1, but for rounding. */
function checkedNeighbours(neighbours: Csr): Csr {
  checkNumbers('loom.neighbours.weights', neighbours.values, { low: 0, high: 1.001 });
  return neighbours;
}

function checkedRarity(tensors: TensorReader): number {
  const [rarity] = tensors.array('loom.rarity', Float64Array, 1);
  if (rarity >= 0 && rarity <= 1) return rarity;
  throw new FormatError(`loom.rarity of ${rarity}`, 'a number from 0 to 1');
}

function checkedMixing(tensors: TensorReader): Float32Array {
  const mixing = tensors.within('loom.mixing', { low: 0, high: 1 });
  if (mixing.length === 0) throw new FormatError('no numbers in loom.mixing', 'at least one');
  return mixing;
}

function contentFromTensors(tensors: TensorReader, numObjects: number): Content {
  const names = tensors.names('loom.content.names');
  const { width, values: vectors } = tensors.rows('loom.content.vectors', names.size);
  return {
    names,
    scales: tensors.array('loom.content.scales', Float32Array, names.size),
    width,
    vectors,
    rows: tensors.array('loom.content.rows', Float32Array, numObjects * width),
  };
}
