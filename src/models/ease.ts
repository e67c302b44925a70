// EASE (Steck, "Embarrassingly shallow autoencoders for sparse data", WWW 2019): ridge regression of an object's tags on
// its own tags, where no tag may speak for itself. With X the tagged objects by tags, P = (XᵀX + λI)⁻¹ and
// weight(i, j) = −P[i][j] / P[j][j]. A constant feature beside the tags gives a base score: how common a tag is.
//
// Tags carried by the very same objects (a third of Last.fm's) enter as one feature, exactly: m equal columns x turn into
// √m · x and m − 1 columns of zeros by a rotation, and P turns along. So the inverse has a row for each group, not each tag.

import { type Csr, CsrBuilder } from '../csr.ts';
import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Kernels } from '../engine/kernels.ts';
import { nthLargest } from '../engine/numerics/top-k.ts';
import { logScale, MANY, type SettingList, type SettingsOf } from '../settings.ts';
import type { Linear } from './forms/linear.ts';
import { modelKind } from './model-kind.ts';

export const EASE_SETTINGS = {
  lambda: {
    default: 10,
    min: 1e-3,
    max: 1e9,
    tune: logScale(0.3, 3000),
    help: 'ridge penalty; larger trusts rare tags less',
  },
  intercept: {
    default: 'on',
    choices: ['on', 'off'],
    tune: ['on', 'off'],
    help: 'whether tags have a base score: how common they are',
  },
  weightsPerTag: { default: 200, min: 1, max: MANY, help: 'largest weights kept, for each tag on average' },
} as const satisfies SettingList;

export type EaseSettings = SettingsOf<typeof EASE_SETTINGS>;

export const EASE = modelKind(
  'a linear autoencoder over tags, in closed form',
  EASE_SETTINGS,
  async ({ kernels, train, settings }) => ({ fitted: await fitEase(kernels, train, settings) }),
);

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

/** The size from which weights are kept so that there are `wanted`, one for each pair of tags; 0 keeps all. */
function leastKept(weights: Float32Array, { sizes }: TagGroups, numFeatures: number, wanted: number): number {
  const numTags = sizes.reduce((sum, size) => sum + size, 0);
  if (wanted >= numTags * (numTags - 1)) return 0;
  const rows = Array.from(sizes, (_, f) => weights.subarray(f * numFeatures, f * numFeatures + sizes.length));
  return nthLargest(rows, wanted, (f, g) => (f === g ? sizes[f] * (sizes[f] - 1) : sizes[f] * sizes[g]));
}

function keptWeights(weights: Float32Array, { groupOf }: TagGroups, numFeatures: number, least: number): Csr {
  const rows = new CsrBuilder(groupOf.length);
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
