// EASE (Steck, "Embarrassingly shallow autoencoders for sparse data", WWW 2019): ridge regression of an object's tags on
// its own tags, where no tag may speak for itself. With X the tagged objects by tags, P = (XᵀX + λI)⁻¹ and
// weight(i, j) = −P[i][j] / P[j][j]. A constant feature beside the tags gives a base score: how common a tag is.
//
// Tags carried by the very same objects (a third of Last.fm's) enter as one feature, exactly: m equal columns x turn into
// √m · x and m − 1 columns of zeros by a rotation, and P turns along. So the inverse has a row for each group, not each tag.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Kernels } from '../engine/kernels.ts';
import { GraphRows, type WeightedGraph } from '../graph/weighted-graph.ts';
import type { Linear } from './linear.ts';

export interface EaseSettings {
  /** λ, of the constant feature, too. */
  readonly lambda: number;
  readonly intercept: 'on' | 'off';
  /** Strongest weights kept, for each tag on average. */
  readonly weightsPerTag: number;
}

/** Tags carried by the same objects. Tags without a training pair are in none. */
interface TagGroups {
  readonly groupOf: Int32Array; // (numTags); −1: in none
  readonly firstTag: Int32Array; // (numGroups)
  readonly sizes: Int32Array; // (numGroups), m
}

export async function fitEase(kernels: Kernels, train: KnowledgeGraph, settings: EaseSettings): Promise<Linear> {
  const groups = groupTags(train);
  const { groupOf, sizes } = groups;
  const constant = settings.intercept === 'on' ? sizes.length : -1; // its place among the features: the last
  const numFeatures = Math.max(sizes.length, constant + 1);
  const matrix = kernels.dense(numFeatures, numFeatures);
  try {
    kernels.write(matrix, gramMatrix(train, groups, numFeatures, settings.lambda));
    if (numFeatures > 0) await kernels.invertSymmetric(matrix);
    const weights = await kernels.read(matrix);
    inverseToWeights(weights, groups, numFeatures, settings.lambda);
    const least = leastKept(weights, groups, numFeatures, settings.weightsPerTag * groupOf.length);
    return {
      form: 'linear',
      weights: keptWeights(weights, groups, numFeatures, least),
      base: Float32Array.from(groupOf, (group) =>
        constant >= 0 && group >= 0 ? weights[constant * numFeatures + group] : 0,
      ),
    };
  } finally {
    kernels.release(matrix);
  }
}

function groupTags({ tagged, tags }: KnowledgeGraph): TagGroups {
  const objectsOf = tagged.reversed();
  const groupOf = new Int32Array(tags.size).fill(-1);
  const known = new Map<string, number>();
  const [firstTag, sizes]: [number[], number[]] = [[], []];
  for (let tag = 0; tag < tags.size; tag++) {
    if (objectsOf.rowLength(tag) === 0) continue;
    const key = objectsOf.row(tag).join();
    const group = known.get(key) ?? known.size;
    if (group === known.size) {
      known.set(key, group);
      firstTag.push(tag);
      sizes.push(0);
    }
    groupOf[tag] = group;
    sizes[group]++;
  }
  return { groupOf, firstTag: Int32Array.from(firstTag), sizes: Int32Array.from(sizes) };
}

/** XᵀX + λI over the features, each group's column being √m · x; the lower triangle. */
function gramMatrix(train: KnowledgeGraph, groups: TagGroups, numFeatures: number, lambda: number): Float32Array {
  const { groupOf, firstTag, sizes } = groups;
  const { tagged } = train;
  const scale = Float64Array.from({ length: numFeatures }, (_, f) => Math.sqrt(sizes[f] ?? 1));
  const gram = new Float32Array(numFeatures * numFeatures);
  const features = new Int32Array(numFeatures); // of one object, ascending: groups are numbered by their first tags
  for (let object = 0; object < tagged.numHeads; object++) {
    let length = 0;
    for (const tag of tagged.row(object)) if (firstTag[groupOf[tag]] === tag) features[length++] = groupOf[tag];
    if (length > 0 && numFeatures > sizes.length) features[length++] = sizes.length;
    for (let i = 0; i < length; i++) {
      for (let j = 0; j <= i; j++) {
        gram[features[i] * numFeatures + features[j]] += scale[features[i]] * scale[features[j]];
      }
    }
  }
  for (let f = 0; f < numFeatures; f++) gram[f * numFeatures + f] += lambda;
  return gram;
}

/**
 * In place, from P of the features: [f][g] becomes the weight from a tag of group f (or the constant) to one of group g.
 * The diagonal holds that between two tags of one group.
 */
function inverseToWeights(p: Float32Array, { sizes }: TagGroups, numFeatures: number, lambda: number): void {
  const scale = Float64Array.from({ length: numFeatures }, (_, f) => 1 / Math.sqrt(sizes[f] ?? 1));
  // −1 / P[t][t] for a tag t of each group: its part of the sum, and of the differences, which know λ alone
  const factor = Float64Array.from(sizes, (m, g) => -1 / (p[g * numFeatures + g] / m + (1 - 1 / m) / lambda));
  for (let f = 0; f < numFeatures; f++) {
    const row = p.subarray(f * numFeatures, (f + 1) * numFeatures);
    for (let g = 0; g < sizes.length; g++) {
      row[g] = (f === g ? (row[g] - 1 / lambda) / sizes[g] : row[g] * scale[f] * scale[g]) * factor[g];
    }
  }
}

const SIZE_SHIFT = 16; // of a float's bits: what is left is its size to two digits

/** The size from which weights are kept so that there are `wanted`; those that share its first two digits all stay. */
function leastKept(weights: Float32Array, { sizes }: TagGroups, numFeatures: number, wanted: number): number {
  const bits = new Uint32Array(weights.buffer, weights.byteOffset, weights.length);
  const counts = new Float64Array(1 << (31 - SIZE_SHIFT)); // by size: positive floats and their bits sort alike
  for (let f = 0; f < sizes.length; f++) {
    for (let g = 0; g < sizes.length; g++) {
      const size = (bits[f * numFeatures + g] & 0x7fffffff) >>> SIZE_SHIFT;
      counts[size] += f === g ? sizes[f] * (sizes[f] - 1) : sizes[f] * sizes[g];
    }
  }
  let size = counts.length - 1;
  for (let total = counts[size]; total < wanted && size > 1; total += counts[size]) size--;
  return new Float32Array(Uint32Array.of(size << SIZE_SHIFT).buffer)[0];
}

function keptWeights(weights: Float32Array, { groupOf }: TagGroups, numFeatures: number, least: number): WeightedGraph {
  const rows = new GraphRows(groupOf.length);
  for (let tag = 0; tag < groupOf.length; tag++) {
    const first = groupOf[tag] * numFeatures;
    for (let other = 0; first >= 0 && other < groupOf.length; other++) {
      if (groupOf[other] < 0 || other === tag) continue;
      const weight = weights[first + groupOf[other]];
      if (Math.abs(weight) >= least) rows.add(other, weight);
    }
    rows.endRow();
  }
  return rows.finish();
}
