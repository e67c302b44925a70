// loom's views of objects as the rows of a ridge regression, each view scaled by its strength.

import { CsrBuilder } from '../../csr.ts';
import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import { tagCounts } from '../../data/statistics.ts';
import type { RidgeProblem } from '../ridge/problem.ts';
import type { LoomSettings } from './settings.ts';
import type { Views } from './views.ts';

/** Sparse columns: own tags, neighbours' tags, words; dense ones: profile, content, a constant. Rows: some objects. */
export function ridgeProblem(views: Views, objects: Int32Array, settings: LoomSettings): RidgeProblem {
  const { train, users, means, words } = views;
  const { tagged, tags } = train;
  const scales = featureScales(views, settings);
  const rows = new CsrBuilder(objects.length);
  for (const object of objects) {
    for (const tag of tagged.row(object)) rows.add(tag, scales[tag]);
    for (let e = means.rowStart[object]; e < means.rowStart[object + 1]; e++) {
      const feature = tags.size + means.columns[e];
      rows.add(feature, means.values[e] * scales[feature]);
    }
    for (let e = words.rowStart[object]; e < words.rowStart[object + 1]; e++) {
      const feature = 2 * tags.size + words.columns[e];
      rows.add(feature, scales[feature]);
    }
    rows.endRow();
  }
  return {
    numRows: objects.length,
    numSparse: scales.length,
    sparse: rows.finish(),
    numDense: users.profile.width + (views.content?.width ?? 0) + 1,
    dense: denseRows(views, objects, settings),
    numTargets: tags.size,
    targetScales: scales.subarray(0, tags.size),
  };
}

/** Profile and content, times their scales, and a one. */
function denseRows({ users, content }: Views, objects: Int32Array, settings: LoomSettings): Float32Array {
  const parts = [
    { rows: users.profiles, width: users.profile.width, scale: Math.sqrt(settings.profileStrength) },
    ...(content ? [{ ...content, scale: Math.sqrt(settings.contentStrength) }] : []),
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

/** By which own tags, neighbours' tags and words are multiplied so that their penalty is 1. */
export function featureScales({ train, vocabulary }: Views, settings: LoomSettings): Float32Array {
  const numTags = train.tags.size;
  const scales = new Float32Array(2 * numTags + vocabulary.size);
  scales.set(tagScales(train, settings));
  scales.fill(Math.sqrt(settings.neighbourStrength), numTags, 2 * numTags);
  scales.fill(Math.sqrt(settings.wordStrength), 2 * numTags);
  return scales;
}

/** By which own tags alone are multiplied, s_t. */
export function tagScales(train: KnowledgeGraph, { ownPenalty, countPenalty }: LoomSettings): Float32Array {
  return Float32Array.from(tagCounts(train), (count) => 1 / Math.sqrt(ownPenalty + countPenalty * count));
}

/** By tag what its scores are multiplied by: a little less for common tags, which a curator is less likely to want. */
export function rarityFactors(train: KnowledgeGraph, { rarity }: LoomSettings): Float64Array {
  return Float64Array.from(tagCounts(train), (count) => Math.max(1, count) ** -rarity);
}
