// A map of what a model thinks of tags: their embeddings laid out in two dimensions by UMAP, with clusters found among
// the embeddings themselves, not on the map. Lengths are taken out first: a tag's length is how common it is, its
// direction what it means.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { kMeans } from '../engine/numerics/k-means.ts';
import { type Neighbourhoods, PlaneLayout } from '../engine/numerics/umap.ts';
import { type Listener, makeBreather } from '../listener.ts';
import { Random } from '../random.ts';
import type { Embeddings } from '../training/trainer.ts';

/** Tags in the plane, similar ones close together. */
export interface TagMap {
  /** From the most used to the least. */
  readonly points: readonly TagPoint[];
}

/** A tag in the plane. */
export interface TagPoint {
  readonly tag: string;
  /** That carry it in training. */
  readonly numObjects: number;
  readonly x: number;
  readonly y: number;
  /** 0 and up, the largest first. */
  readonly cluster: number;
}

const NUM_CLUSTERS = 8;
const NUM_NEIGHBOURS = 15; // UMAP's own default
const NUM_EPOCHS = 300;
const MIN_TAGS = 10; // fewer are no map

/** The most used tags, at most `numTags` of them; undefined where there is too little to lay out. */
export async function mapTags(
  { tags, width }: Pick<Embeddings, 'tags' | 'width'>,
  train: KnowledgeGraph,
  { numTags, seed }: { numTags: number; seed: number },
  listener: Listener = {},
): Promise<TagMap | undefined> {
  const objectsWith = train.tagged.reversed();
  const used = Array.from({ length: objectsWith.numHeads }, (_, tag) => tag)
    .filter((tag) => objectsWith.rowLength(tag) > 0)
    .sort((a, b) => objectsWith.rowLength(b) - objectsWith.rowLength(a) || a - b)
    .slice(0, numTags);
  if (width < 2 || used.length < MIN_TAGS) return undefined;
  const rows = unitRows(tags, width, used);
  const clusters = kMeans(rows, width, NUM_CLUSTERS, new Random(seed, 'clusters of tags'));
  const places = await layOut(rows, width, new Random(seed, 'map of tags'), listener);
  return {
    points: used.map((tag, i) => ({
      tag: train.tags.name(tag),
      numObjects: objectsWith.rowLength(tag),
      x: places[2 * i],
      y: places[2 * i + 1],
      cluster: clusters[i],
    })),
  };
}

/** The rows of these tags, each of length 1; one of length 0 stays as it is. */
function unitRows(tags: Float32Array, width: number, used: readonly number[]): Float64Array {
  const rows = new Float64Array(used.length * width);
  for (const [i, tag] of used.entries()) {
    const row = tags.subarray(tag * width, (tag + 1) * width);
    const length = Math.hypot(...row) || 1;
    for (let d = 0; d < width; d++) rows[i * width + d] = row[d] / length;
  }
  return rows;
}

async function layOut(rows: Float64Array, width: number, random: Random, listener: Listener): Promise<Float64Array> {
  const breathe = makeBreather(listener);
  const layout = new PlaneLayout(neighboursOf(rows, width), NUM_EPOCHS, random);
  for (let epoch = 0; epoch < NUM_EPOCHS; epoch++) {
    listener.progress?.('drawing a map of tags', epoch, NUM_EPOCHS);
    await breathe();
    layout.step();
  }
  return layout.places.map((value) => Math.round(value * 1e4) / 1e4);
}

/** By looking at all pairs: there are hundreds of tags, not more. */
function neighboursOf(rows: Float64Array, width: number): Neighbourhoods {
  const all = Array.from({ length: rows.length / width }, (_, i) => i);
  const most = Math.min(NUM_NEIGHBOURS, all.length - 1);
  const nearest = all.map((i) => {
    const distances = all.map((j) => {
      let squares = 0;
      for (let d = 0; d < width; d++) squares += (rows[i * width + d] - rows[j * width + d]) ** 2;
      return Math.sqrt(squares);
    });
    const others = all.filter((j) => j !== i).sort((a, b) => distances[a] - distances[b] || a - b);
    return [i, ...others.slice(0, most - 1)].map((index) => ({ index, distance: distances[index] }));
  });
  return {
    indices: nearest.map((row) => row.map(({ index }) => index)),
    distances: nearest.map((row) => row.map(({ distance }) => distance)),
  };
}
