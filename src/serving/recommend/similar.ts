// Which objects and tags are similar, from the data a model was trained on: objects by the users and the tags they share, tags by
// the objects that carry both.

import { TopK } from '../../engine/numerics/top-k.ts';
import type { SimilarObjects } from '../../graph/shared-users.ts';
import type { GraphViews } from './graph-views.ts';

export interface SimilarObject {
  readonly object: number;
  /** The mean of the two below, or the one there is. */
  readonly similarity: number;
  /** Of data with users. */
  readonly byUsers?: number;
  readonly byTags: number;
}

export interface SimilarTag {
  readonly tag: number;
  readonly similarity: number;
}

export function similarObjects(views: GraphViews, object: number, limit: number): SimilarObject[] {
  const sharing = views.sharingUsers(object);
  const hasUsers = sharing !== undefined;
  const byUsers = sharing ?? { objects: new Int32Array(0), cosines: new Float32Array(0) };
  const byTags = views.byTags.similarTo(views.graph.tagged.row(object));
  const found: SimilarObject[] = []; // the best so far, and by which place they are offered
  const isWorse = (a: number, b: number) =>
    found[a].similarity < found[b].similarity ||
    (found[a].similarity === found[b].similarity && found[a].object > found[b].object);
  const best = new TopK(limit, isWorse);
  for (const one of bothCosines(byUsers, byTags)) {
    const [u, t] = [one.byUsers, one.byTags];
    const similarity = hasUsers ? (u + t) / 2 : t;
    if (one.object === object || (best.isFull && limit > 0 && similarity < found[best.worst].similarity)) continue;
    found.push({ object: one.object, similarity, ...(hasUsers && { byUsers: u }), byTags: t });
    best.offer(found.length - 1);
  }
  return best.sorted().map((at) => found[at]);
}

/** All objects of two ascending lists, ascending; 0 where one does not have it. */
function* bothCosines(users: SimilarObjects, tags: SimilarObjects) {
  const one = { object: 0, byUsers: 0, byTags: 0 }; // the same for all: it is read at once
  for (let i = 0, k = 0; i < users.objects.length || k < tags.objects.length; ) {
    const [ofUsers, ofTags] = [users.objects[i] ?? Infinity, tags.objects[k] ?? Infinity];
    one.object = Math.min(ofUsers, ofTags);
    one.byUsers = ofUsers === one.object ? users.cosines[i++] : 0;
    one.byTags = ofTags === one.object ? tags.cosines[k++] : 0;
    yield one;
  }
}

export function similarTags({ ofTags, objectsOf }: GraphViews, tag: number, limit: number): SimilarTag[] {
  const { objects: tags, cosines: values } = ofTags.similarTo(objectsOf.row(tag));
  return Array.from(tags, (other, i) => ({ tag: other, similarity: values[i] }))
    .filter((one) => one.tag !== tag)
    .sort((a, b) => b.similarity - a.similarity || a.tag - b.tag)
    .slice(0, limit);
}
