// Which objects and tags are similar, from the data a model was trained on: objects by the users and the tags they share, tags by
// the objects that carry both.

import type { Similarity } from '../../graph/similarity.ts';
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
  const byUsers = cosines(views.byUsers, views.usersOf.row(object));
  const byTags = cosines(views.byTags, views.graph.tagged.row(object));
  const found = new Set([...byUsers.keys(), ...byTags.keys()]);
  found.delete(object);
  return [...found]
    .map((other) => {
      const [u, t] = [byUsers.get(other) ?? 0, byTags.get(other) ?? 0];
      if (views.graph.interact.size === 0) return { object: other, similarity: t, byTags: t };
      return { object: other, similarity: (u + t) / 2, byUsers: u, byTags: t };
    })
    .sort((a, b) => b.similarity - a.similarity || a.object - b.object)
    .slice(0, limit);
}

export function similarTags({ ofTags, objectsOf }: GraphViews, tag: number, limit: number): SimilarTag[] {
  const { objects: tags, cosines: values } = ofTags.similarTo(objectsOf.row(tag));
  return Array.from(tags, (other, i) => ({ tag: other, similarity: values[i] }))
    .filter((one) => one.tag !== tag)
    .sort((a, b) => b.similarity - a.similarity || a.tag - b.tag)
    .slice(0, limit);
}

function cosines(by: Similarity, middles: ArrayLike<number>): Map<number, number> {
  const { objects, cosines: values } = by.similarTo(middles);
  return new Map(Array.from(objects, (object, i) => [object, values[i]]));
}
