// loom's view of an object's neighbours: the tagged objects with the most similar users, and the means of their tags.

import { type Csr, CsrBuilder } from '../../csr.ts';
import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { Relation } from '../../data/relation.ts';
import type { SimilarObjects } from '../../graph/shared-users.ts';
import type { Similarity } from '../../graph/similarity.ts';
import { type Listener, makeBreather } from '../../listener.ts';

/** By object, 1 where it has a tag: only tagged objects are neighbours. */
export function marksOfTagged(tagged: Relation): Uint8Array {
  return Uint8Array.from({ length: tagged.numHeads }, (_, object) => (tagged.rowLength(object) > 0 ? 1 : 0));
}

/** A row for each of the objects: its neighbours, with their cosines. */
export async function similarTagged(
  similarity: Similarity,
  { tagged }: KnowledgeGraph,
  { objects, most }: { objects: Int32Array; most: number },
  listener: Listener,
): Promise<Csr> {
  const breathe = makeBreather(listener);
  const among = marksOfTagged(tagged);
  const rows = new CsrBuilder(objects.length);
  for (const [i, object] of objects.entries()) {
    if (i % 64 === 0) {
      listener.progress?.('finding neighbours', i, objects.length);
      await breathe();
    }
    const { objects: ids, cosines } = similarity.mostSimilar(similarity.usersOf(object), {
      most,
      among,
      except: object,
    });
    for (let n = 0; n < ids.length; n++) rows.add(ids[n], cosines[n]);
    rows.endRow();
  }
  return rows.finish();
}

/** Of neighbours that were found among more objects, those that have tags here. */
export function stillTagged({ rowStart, columns, values }: Csr, { tagged }: KnowledgeGraph): Csr {
  const rows = new CsrBuilder(rowStart.length - 1);
  for (let i = 0; i + 1 < rowStart.length; i++) {
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
      if (tagged.rowLength(columns[e]) > 0) rows.add(columns[e], values[e]);
    }
    rows.endRow();
  }
  return rows.finish();
}

/** A row for each row of neighbours: their tags, each with its mean. */
export function meansOf({ rowStart, columns, values }: Csr, { tagged }: KnowledgeGraph): Csr {
  const means = new Float64Array(tagged.numTails);
  const rows = new CsrBuilder(rowStart.length - 1);
  for (let i = 0; i + 1 < rowStart.length; i++) {
    const [start, end] = [rowStart[i], rowStart[i + 1]];
    const similar = { objects: columns.subarray(start, end), cosines: values.subarray(start, end) };
    for (const tag of addNeighbourMeans(means, similar, tagged).sort((a, b) => a - b)) {
      rows.add(tag, means[tag]);
      means[tag] = 0;
    }
    rows.endRow();
  }
  return rows.finish();
}

/**
 * Adds to zeros (numTags) the mean of each tag over the neighbours, weighted by their cosines: the share of all cosines that
 * belongs to neighbours with the tag. Returns the tags of which the mean is not zero.
 */
export function addNeighbourMeans(
  means: Float64Array,
  { objects, cosines }: SimilarObjects,
  { rowStart, tails }: Relation,
): number[] {
  const met: number[] = [];
  let total = 0;
  for (const cosine of cosines) total += cosine;
  if (total === 0) return met;
  for (let i = 0; i < objects.length; i++) {
    const share = cosines[i] / total;
    for (let e = rowStart[objects[i]]; e < rowStart[objects[i] + 1]; e++) {
      if (means[tails[e]] === 0) met.push(tails[e]);
      means[tails[e]] += share;
    }
  }
  return met;
}
