// Draws a map of tags or objects: vectors (map-vectors.ts), the most similar ones of each, UMAP in two dimensions, and clusters of
// the vectors themselves, not of the map, each called by its most typical tag. The same model gives the same map. It takes
// seconds to a minute and runs in a thread of its own (map-thread.ts).

import type { Relation } from '../../data/relation.ts';
import type { Kernels } from '../../engine/kernels.ts';
import { kMeans } from '../../engine/numerics/k-means.ts';
import { PlaneLayout } from '../../engine/numerics/umap.ts';
import { openKernels } from '../../engine/open.ts';
import { Random } from '../../random.ts';
import { relationsOf, rowsOf, sampleOf } from './map-sample.ts';
import { type MapTask, type Rows, vectorsOf } from './map-vectors.ts';
import { similarRows } from './similar-rows.ts';

export interface DrawnMap {
  readonly ids: Int32Array; // (n): of tags or objects
  readonly places: Float64Array; // (n, 2)
  readonly clusters: Int32Array; // (n): 0 and up, the largest first
  readonly names: Int32Array; // by cluster: a tag
}

/** More points say no more, and take UMAP minutes. */
export const MAX_POINTS = 20_000;
const MAX_CLUSTERS = 20;
const MIN_POINTS = 10; // fewer are laid out by their first two numbers
const NUM_NEIGHBOURS = 15; // UMAP's own default
const SEED = 1;
const [VECTORS_DONE, NEIGHBOURS_DONE] = [0.1, 0.3]; // shares of the time, about

/** `progress` hears which share is done. */
export async function drawMap(whole: MapTask, progress: (done: number) => void = () => {}): Promise<DrawnMap> {
  const { ids: sample, task } = sampleOf(whole, MAX_POINTS);
  const data = relationsOf(task);
  const kernels = await openKernels({ threads: 1 }); // the other cores are for those who ask
  try {
    const all = await vectorsOf(kernels, task, data);
    progress(VECTORS_DONE);
    const ids = known(all);
    const rows = rowsOf(all, ids);
    const places = await layOut(kernels, rows, progress);
    const k = Math.min(MAX_CLUSTERS, Math.max(1, Math.round(Math.sqrt(ids.length) / 2)));
    const clusters = kMeans(Float64Array.from(rows.values), rows.width, k, new Random(SEED, 'clusters of a map'));
    const names = typicalTags(task.side, data.tagged, ids, rows, clusters);
    const inWhole = (id: number) => (id < 0 ? id : sample[id]);
    return { ids: ids.map(inWhole), places, clusters, names: task.side === 'tags' ? names.map(inWhole) : names };
  } finally {
    kernels.close();
  }
}

/** What is on the map, ascending: all of which anything is known. */
function known({ width, values }: Rows): Int32Array {
  const numRows = width === 0 ? 0 : values.length / width;
  const isKnown = (id: number) => values.subarray(id * width, (id + 1) * width).some((value) => value !== 0);
  return Int32Array.from({ length: numRows }, (_, id) => id).filter(isKnown);
}

async function layOut(kernels: Kernels, rows: Rows, progress: (done: number) => void): Promise<Float64Array> {
  const { width, values } = rows;
  const numRows = width === 0 ? 0 : values.length / width;
  if (numRows < MIN_POINTS) {
    return Float64Array.from({ length: 2 * numRows }, (_, i) => values[(i >> 1) * width + (i & 1)] ?? 0);
  }
  const numEpochs = numRows > 5000 ? 200 : 300; // more takes longer and moves little
  const neighbourhoods = await similarRows(kernels, rows, Math.min(NUM_NEIGHBOURS, numRows - 1));
  const layout = new PlaneLayout(neighbourhoods, numEpochs, new Random(SEED, 'places on a map'));
  for (let epoch = 0; epoch < numEpochs; epoch++) {
    progress(NEIGHBOURS_DONE + ((1 - NEIGHBOURS_DONE) * epoch) / numEpochs);
    layout.step();
  }
  return layout.places.map((value) => Math.round(value * 1e4) / 1e4);
}

/** Of tags: one in the middle that many objects have. Of objects: a tag they have far more often than others do. */
function typicalTags(
  side: MapTask['side'],
  tagged: Relation,
  ids: Int32Array,
  rows: Rows,
  clusters: Int32Array,
): Int32Array {
  const numClusters = clusters.reduce((most, cluster) => Math.max(most, cluster + 1), 0);
  const members = Array.from({ length: numClusters }, () => [] as number[]); // places in `ids`
  for (let i = 0; i < ids.length; i++) members[clusters[i]].push(i);
  const counts = new Float64Array(tagged.numTails);
  for (const tag of tagged.tails) counts[tag]++;
  const taken = new Set<number>();
  return Int32Array.from(members, (places) => {
    const scores = side === 'tags' ? middling(places, ids, rows, counts) : telling(places, ids, tagged, counts);
    let best = -1;
    for (const [tag, score] of scores) if (!taken.has(tag) && (best < 0 || score > (scores.get(best) ?? 0))) best = tag;
    taken.add(best);
    return best;
  });
}

function middling(places: number[], ids: Int32Array, { width, values }: Rows, counts: Float64Array) {
  const middle = new Float64Array(width);
  for (const i of places) for (let d = 0; d < width; d++) middle[d] += values[i * width + d];
  return new Map(
    places.map((i) => {
      let cosine = 0;
      for (let d = 0; d < width; d++) cosine += middle[d] * values[i * width + d];
      return [ids[i], cosine * Math.log1p(counts[ids[i]])] as const;
    }),
  );
}

/** By its part in the divergence of the cluster's tags from all tags. */
function telling(places: number[], ids: Int32Array, tagged: Relation, counts: Float64Array) {
  const here = new Map<number, number>();
  for (const i of places) for (const tag of tagged.row(ids[i])) here.set(tag, (here.get(tag) ?? 0) + 1);
  const size = Math.max(1, places.length);
  const share = (tag: number) => counts[tag] / Math.max(1, tagged.numHeads);
  return new Map([...here].map(([tag, count]) => [tag, (count / size) * Math.log(count / size / share(tag))] as const));
}
