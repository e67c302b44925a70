// A model with tags that it was not trained with: it knows their names and has no weights for them yet, so that it can learn them from
// decisions (loom/learning.ts). What it says of all other tags stays as it was.

import { type Csr, numRowsOf } from '../csr.ts';
import { Relation } from '../data/relation.ts';
import { VocabularyBuilder } from '../data/vocabulary.ts';
import { type Loom, type LoomWeights, layoutOf } from './loom/loom.ts';
import { textWidth } from './loom/text-space.ts';
import type { Model } from './model.ts';

/** Where tags are among all tags, by their ids before; ascending. */
interface Places {
  readonly numTags: number;
  readonly placeOf: Int32Array;
}

/** Names that the model knows are left alone. A model that learns nothing from decisions stays as it is. */
export function withTags(model: Model, names: readonly string[]): Model {
  const { graph, fitted, rejected } = model;
  const fresh = names.filter((name) => graph.tags.idOf(name) < 0);
  if (fresh.length === 0 || fitted.form !== 'loom' || fitted.tagged.rates === undefined) return model;
  const builder = new VocabularyBuilder();
  for (let tag = 0; tag < graph.tags.size; tag++) builder.add(graph.tags.name(tag));
  for (const name of fresh) builder.add(name);
  const { vocabulary, rank } = builder.finish();
  const places = { numTags: vocabulary.size, placeOf: rank.subarray(0, graph.tags.size) };
  return {
    ...model,
    graph: { ...graph, tags: vocabulary, tagged: withTails(graph.tagged, places) },
    fitted: loomWith(fitted, places),
    ...(rejected && { rejected: withTails(rejected, places) }),
  };
}

function withTails({ numHeads, heads, tails, rowStart }: Relation, { numTags, placeOf }: Places): Relation {
  return new Relation(
    numHeads,
    numTags,
    heads,
    tails.map((tag) => placeOf[tag]),
    rowStart,
  );
}

function loomWith(loom: Loom, places: Places): Loom {
  const width = textWidth(loom.text);
  return {
    ...loom,
    tagged: weightsWith(loom.tagged, places, width, true),
    untagged: weightsWith(loom.untagged, places, width, false),
  };
}

function weightsWith(weights: LoomWeights, places: Places, width: number, own: boolean): LoomWeights {
  const { sparse, profile, content, base, mention, squares, rates } = weights;
  const { numTags, placeOf } = places;
  const features = placesOfFeatures(placeOf, numTags, width, own);
  const columns = (matrix: Float32Array) => spread(matrix, placeOf, numTags);
  const numSparse = numRowsOf(sparse);
  const size = layoutOf(numTags, width, own).size;
  // as rare as a tag can be
  const mentioned = mention.reduce((most, one) => Math.max(most, one), 0);
  const all = {
    sparse: withRows(sparse, features, size, placeOf),
    profile: columns(profile),
    content: columns(content),
    base: columns(base),
    mention: new Float32Array(numTags).fill(mentioned),
    ...(squares && { squares: { ...squares, answers: columns(squares.answers) } }),
  };
  for (let tag = 0; tag < placeOf.length; tag++) all.mention[placeOf[tag]] = mention[tag];
  if (rates === undefined) return all;
  const grown = new Float32Array(size + rates.length - numSparse); // new tags are no features
  for (let f = 0; f < numSparse; f++) grown[features[f]] = rates[f];
  grown.set(rates.subarray(numSparse), size);
  return { ...all, rates: grown };
}

/** By feature before: own tags (if they count), neighbours' tags, text. */
function placesOfFeatures(placeOf: Int32Array, numTags: number, width: number, own: boolean): Int32Array {
  const before = layoutOf(placeOf.length, width, own);
  const after = layoutOf(numTags, width, own);
  const features = new Int32Array(before.size);
  if (own) features.set(placeOf);
  for (let tag = 0; tag < placeOf.length; tag++) features[before.neighbours + tag] = after.neighbours + placeOf[tag];
  for (let word = 0; word < width; word++) features[before.text + word] = after.text + word;
  return features;
}

/** Rows and columns at other places: both in the order they had. */
function withRows({ rowStart, columns, values }: Csr, rowAt: Int32Array, numRows: number, columnAt: Int32Array): Csr {
  const starts = new Int32Array(numRows + 1);
  for (let row = 0; row < rowAt.length; row++) starts[rowAt[row] + 1] = rowStart[row + 1] - rowStart[row];
  for (let row = 0; row < numRows; row++) starts[row + 1] += starts[row];
  return { rowStart: starts, columns: columns.map((column) => columnAt[column]), values };
}

/** Rows of numbers by tag, with zeros for new ones. */
function spread(matrix: Float32Array, placeOf: Int32Array, numTags: number): Float32Array {
  const numBefore = placeOf.length;
  const numRows = matrix.length / numBefore;
  const out = new Float32Array(numRows * numTags);
  for (let row = 0; row < numRows; row++) {
    for (let tag = 0; tag < numBefore; tag++) out[row * numTags + placeOf[tag]] = matrix[row * numBefore + tag];
  }
  return out;
}
