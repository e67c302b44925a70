// What resembles what, from the data a model was trained on: objects by the users and the tags they share, tags by the objects
// that carry both.

import type { Resemblance } from '../graph/resemblance.ts';
import type { GraphViews } from './graph-views.ts';

export interface AlikeObject {
  readonly object: number;
  /** The mean of the two below. */
  readonly likeness: number;
  readonly byUsers: number;
  readonly byTags: number;
}

export interface AlikeTag {
  readonly tag: number;
  readonly likeness: number;
}

export function alikeObjects(views: GraphViews, object: number, limit: number): AlikeObject[] {
  const byUsers = cosines(views.byUsers, views.usersOf.row(object));
  const byTags = cosines(views.byTags, views.graph.tagged.row(object));
  const found = new Set([...byUsers.keys(), ...byTags.keys()]);
  found.delete(object);
  return [...found]
    .map((other) => {
      const [u, t] = [byUsers.get(other) ?? 0, byTags.get(other) ?? 0];
      return { object: other, likeness: (u + t) / 2, byUsers: u, byTags: t };
    })
    .sort((a, b) => b.likeness - a.likeness || a.object - b.object)
    .slice(0, limit);
}

export function alikeTags({ ofTags, objectsOf }: GraphViews, tag: number, limit: number): AlikeTag[] {
  const { objects: tags, cosines: values } = ofTags.alike(objectsOf.row(tag));
  return Array.from(tags, (other, i) => ({ tag: other, likeness: values[i] }))
    .filter((one) => one.tag !== tag)
    .sort((a, b) => b.likeness - a.likeness || a.tag - b.tag)
    .slice(0, limit);
}

function cosines(resemblance: Resemblance, middles: ArrayLike<number>): Map<number, number> {
  const { objects, cosines: values } = resemblance.alike(middles);
  return new Map(Array.from(objects, (object, i) => [object, values[i]]));
}
