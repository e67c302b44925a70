// loom's views of objects as the rows of a ridge regression, each view scaled by its strength.

import { type Csr, CsrBuilder } from '../../csr.ts';
import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import { tagCounts } from '../../data/statistics.ts';
import { squaresOfFeatures, strongestOf } from '../ridge/kept-features.ts';
import type { RidgeProblem, SquareFeatures } from '../ridge/problem.ts';
import { withWeights } from '../ridge/weighted-rows.ts';
import { layoutOf } from './loom.ts';
import type { LoomSettings } from './settings.ts';
import { MAX_SIZE, type Strengths } from './strengths.ts';
import type { Views } from './views.ts';

/** Sparse columns: own tags, neighbours' tags, text; dense ones: profile, content, a constant. A row for each object of the views. */
export function ridgeProblem(views: Views, strengths: Strengths, settings: LoomSettings): RidgeProblem {
  const { train, users, means, text, mentions, objects, weights, space, content } = views;
  const { tagged, tags } = train;
  const own = strengths.ownPenalty !== undefined;
  const layout = layoutOf(tags.size, space.width, own);
  const scales = featureScales(views, strengths, settings);
  const rows = new CsrBuilder(objects.length);
  const addRow = ({ rowStart, columns, values }: Csr, row: number, first: number) => {
    for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
      const feature = first + columns[e];
      if (scales[feature] !== 0) rows.add(feature, values[e] * scales[feature]);
    }
  };
  for (const [i, object] of objects.entries()) {
    if (own) for (const tag of tagged.row(object)) rows.add(tag, scales[tag]);
    addRow(means, i, layout.neighbours);
    addRow(text, i, layout.text);
    rows.endRow();
  }
  const squares = squaresOf(views, strengths);
  const problem: RidgeProblem = {
    numRows: objects.length,
    numSparse: scales.length,
    sparse: rows.finish(),
    numDense: users.profile.width + (content?.width ?? 0) + 1,
    dense: denseRows(views, strengths),
    numTargets: tags.size,
    targets: tagRows(train, objects),
    ...(own && {
      own: { features: Int32Array.from({ length: tags.size }, (_, t) => t), scales: scales.subarray(0, tags.size) },
    }),
    ...(strengths.mention > 0 && { prior: times(mentions, strengths.mention) }),
    ...(squares.length > 0 && { squares }),
  };
  return withWeights(problem, weights);
}

const FEW = 3000; // features or objects: an inverse of that size takes a moment
/** Features, where objects are more: an inverse of that size takes a minute on two cores. */
export const MAX_KEPT = 12_000;

/** Whether there are more rows, and more tags to learn from, than an exact solve can take. */
export function isTooLarge(
  train: KnowledgeGraph,
  { numRows, hasUsers }: { readonly numRows: number; readonly hasUsers: boolean },
  { ownCount, neighbourCount, solve }: LoomSettings,
): boolean {
  if (solve !== 'auto') return solve === 'sparse';
  // without users, there are no neighbours to have tags
  const numFeatures = tagCounts(train).reduce(
    (sum, n) => sum + (n >= ownCount ? 1 : 0) + (hasUsers && n >= neighbourCount ? 1 : 0),
    0,
  );
  return numRows > MAX_SIZE && numFeatures > MAX_SIZE;
}

/** The sum of a word's squares below which it explains a twentieth of what is left at its objects, and is left out. */
const LEAST_TEXT = 0.05;

/**
 * The sparse features that count. Rare tags are needed as targets, hardly as features: an inverse costs the cube of its size. Words
 * are not needed where a rehearsal found that they say next to nothing. Of more features than can be afforded, the strongest. A
 * small problem keeps them all.
 */
export function keptFeatures(
  problem: RidgeProblem,
  { train, space, objects }: Views,
  strengths: Strengths,
  { ownCount, neighbourCount, solve }: LoomSettings,
): Int32Array {
  const layout = layoutOf(train.tags.size, space.width, strengths.ownPenalty !== undefined);
  const counts = tagCounts(train);
  const all = Int32Array.from({ length: layout.size }, (_, feature) => feature);
  if (solve === 'exact' || Math.min(objects.length, all.length) <= FEW) return all;
  // objects without tags have little else than their neighbours: there, rare tags count as well
  const squares = squaresOfFeatures(problem);
  const kept = all.filter((feature) => {
    if (feature >= layout.text) return squares[feature] >= LEAST_TEXT;
    if (strengths.ownPenalty === undefined) return true;
    return feature < layout.neighbours
      ? counts[feature] >= ownCount
      : counts[feature - layout.neighbours] >= neighbourCount;
  });
  const canAfford = problem.squares !== undefined || Math.min(objects.length, kept.length) <= MAX_SIZE;
  return strongestOf(problem, kept, canAfford ? kept.length : MAX_KEPT);
}

/** By object its tags: ones. */
export function tagRows({ tagged }: KnowledgeGraph, objects: Int32Array): Csr {
  const rows = new CsrBuilder(objects.length);
  for (const object of objects) {
    for (const tag of tagged.row(object)) rows.add(tag, 1);
    rows.endRow();
  }
  return rows.finish();
}

function times(rows: Csr, factor: number): Csr {
  return { ...rows, values: rows.values.map((value) => value * factor) };
}

function squaresOf({ text, space }: Views, { squares }: Strengths): SquareFeatures[] {
  return squares.flatMap((strength, p) => {
    if (strength === 0) return [];
    return [
      { rows: partOf(text, space.starts[p], space.starts[p + 1]), strength, numColumns: space.parts[p].names.size },
    ];
  });
}

/** Of each row the columns from one on, up to another, counted from there. */
export function partOf({ rowStart, columns, values }: Csr, first: number, end: number): Csr {
  const numRows = rowStart.length - 1;
  const rows = new CsrBuilder(numRows);
  for (let row = 0; row < numRows; row++) {
    for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
      if (columns[e] >= first && columns[e] < end) rows.add(columns[e] - first, values[e]);
    }
    rows.endRow();
  }
  return rows.finish();
}

/** Profile and content, times their scales, and a one. */
function denseRows({ users, content, objects }: Views, strengths: Strengths): Float32Array {
  const parts = [
    { rows: users.profiles, width: users.profile.width, scale: Math.sqrt(strengths.profile) },
    ...(content ? [{ ...content, scale: Math.sqrt(strengths.content) }] : []),
  ];
  const numDense = parts.reduce((sum, { width }) => sum + width, 1);
  const dense = new Float32Array(objects.length * numDense);
  for (const [i, object] of objects.entries()) {
    let at = i * numDense;
    for (const { rows, width, scale } of parts) {
      for (let k = 0; k < width; k++) dense[at++] = rows[object * width + k] * scale;
    }
    dense[at] = 1;
  }
  return dense;
}

/** By which sparse features are multiplied so that their penalty is 1. */
export function featureScales({ train, space }: Views, strengths: Strengths, settings: LoomSettings): Float32Array {
  const numTags = train.tags.size;
  const layout = layoutOf(numTags, space.width, strengths.ownPenalty !== undefined);
  const scales = new Float32Array(layout.size);
  if (strengths.ownPenalty !== undefined) scales.set(tagScales(train, strengths.ownPenalty, settings));
  scales.fill(Math.sqrt(strengths.neighbours), layout.neighbours, layout.text);
  for (const [p, strength] of strengths.parts.entries()) {
    scales.fill(Math.sqrt(strength), layout.text + space.starts[p], layout.text + space.starts[p + 1]);
  }
  return scales;
}

/** By which own tags alone are multiplied, s_t. */
export function tagScales(train: KnowledgeGraph, ownPenalty: number, { countPenalty }: LoomSettings): Float32Array {
  return Float32Array.from(tagCounts(train), (count) => 1 / Math.sqrt(ownPenalty + countPenalty * count));
}

/** By tag what its scores are multiplied by: a little less for common tags, which a curator is less likely to want. */
export function rarityFactors(train: KnowledgeGraph, { rarity }: LoomSettings): Float64Array {
  return Float64Array.from(tagCounts(train), (count) => Math.max(1, count) ** -rarity);
}
