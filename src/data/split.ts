// Parts of a data set: a split of its TaggedWith pairs into training and test, and a sample of its objects. Every part
// keeps the vocabularies of the whole, so an id means the same in all of them. All chance comes from the seed.

import { InputError } from '../errors.ts';
import { permutation, Random } from '../random.ts';
import type { KnowledgeGraph } from './knowledge-graph.ts';
import type { Relation } from './relation.ts';

/**
 * What falls on one side together. "pair": each pair alone, as in the paper. "object": all tags of an object, so that test objects
 * have none left. "group": all tags of all objects of a family, so that a sibling on the other side cannot give answers away.
 */
export type SplitUnit = 'pair' | 'object' | 'group';

/** How `split` divides a graph. */
export interface SplitOptions {
  /** Share of the units that go to training; between 0 and 1. */
  readonly trainFraction: number;
  /** Where all chance comes from: the same seed gives the same split. */
  readonly seed: number;
  /** What falls on one side together; "pair" is the default. */
  readonly by?: SplitUnit;
  /** For "group": the family of an object, by its name. Objects with the same answer stay together. */
  readonly groupOf?: (objectName: string) => string;
}

/** The two sides of a split. */
export interface Split {
  /** The graph without the pairs held back. Its interactions, objects and tags are those of the whole. */
  readonly train: KnowledgeGraph;
  /** The (object, tag) pairs held back. */
  readonly test: Relation;
}

/**
 * Splits the (object, tag) pairs of a graph into a graph to train on and pairs to test with. Both keep the vocabularies of the
 * whole, so an id means the same on either side.
 *
 * @example
 * import { graphFrom, split } from 'tagloom';
 *
 * const graph = graphFrom({
 *   interact: [['ann', 'alien'], ['bob', 'heat']],
 *   tagged: [['alien', 'space'], ['alien', 'horror'], ['heat', 'crime'], ['heat', 'heist']],
 * });
 * const { train, test } = split(graph, { trainFraction: 0.75, seed: 1 });
 * console.log(train.tagged.size, test.size); // 3 1
 */
export function split(graph: KnowledgeGraph, options: SplitOptions): Split {
  const { trainFraction, seed } = options;
  if (!(trainFraction > 0 && trainFraction < 1)) {
    const cure = 'Pass a fraction such as 0.8.';
    throw new InputError({
      got: `a training fraction of ${trainFraction}`,
      expected: 'more than 0 and less than 1',
      cure,
    });
  }
  const units = unitOfPair(graph, options);
  const numUnits = units.reduce((most, unit) => Math.max(most, unit), -1) + 1;
  if (numUnits < 2) {
    const got = `${numUnits} ${options.by ?? 'pair'} with a tag`;
    const cure = (options.by ?? 'pair') === 'pair' ? 'Add data.' : 'Add data, or split by pair.';
    throw new InputError({ got, expected: 'at least 2, one for each side', cure });
  }

  // at least one unit on either side, however small the fraction
  const numTrain = Math.min(numUnits - 1, Math.max(1, Math.round(trainFraction * numUnits)));
  const order = permutation(numUnits, new Random(seed, `split by ${options.by ?? 'pair'}`));
  const inTrain = new Uint8Array(numUnits);
  for (let i = 0; i < numTrain; i++) inTrain[order[i]] = 1;

  // a loop: Uint8Array.from would first make a list of all pairs, and V8 ends the process where these are more than 134 million
  const trainPairs = new Uint8Array(units.length);
  for (let i = 0; i < units.length; i++) trainPairs[i] = inTrain[units[i]];
  const testPairs = trainPairs.map((mark) => 1 - mark);
  return { train: { ...graph, tagged: graph.tagged.select(trainPairs) }, test: graph.tagged.select(testPairs) };
}

/** For each TaggedWith pair the number of its unit; units are numbered 0, 1, … without gaps. */
function unitOfPair(graph: KnowledgeGraph, { by = 'pair', groupOf }: SplitOptions): Int32Array {
  const { heads } = graph.tagged;
  switch (by) {
    case 'pair':
      return heads.map((_, i) => i);
    case 'object':
      return numbered(heads, (object) => object);
    case 'group': {
      if (groupOf === undefined) throw new TypeError('Got no groupOf when expected one to split by group.');
      return numbered(heads, (object) => groupOf(graph.objects.name(object)));
    }
    default:
      return by satisfies never;
  }
}

function numbered<Key>(objects: Int32Array, keyOf: (object: number) => Key): Int32Array {
  const numbers = new Map<Key, number>();
  let [last, lastNumber] = [-1, -1]; // pairs are sorted by object: ask once for each
  return objects.map((object) => {
    if (object === last) return lastNumber;
    const key = keyOf(object);
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    [last, lastNumber] = [object, number];
    return number;
  });
}

/** A share of the objects, at random; ids keep their meaning. Of one seed, a smaller sample is part of a larger one. */
export function sampleObjects(graph: KnowledgeGraph, share: number, seed: number): KnowledgeGraph {
  const { interact, tagged, objects } = graph;
  if (share >= 1) return graph;
  const order = permutation(objects.size, new Random(seed, 'sample of objects'));
  const isIn = new Uint8Array(objects.size);
  for (const object of order.subarray(0, Math.ceil(share * objects.size))) isIn[object] = 1;
  return {
    ...graph,
    interact: interact.select(Uint8Array.from(interact.tails, (object) => isIn[object])),
    tagged: tagged.select(Uint8Array.from(tagged.heads, (object) => isIn[object])),
  };
}
