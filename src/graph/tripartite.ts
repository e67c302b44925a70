// The tripartite graph of graph networks that treat all nodes the same way: users, objects and tags are its nodes, Interact
// and the training pairs of TaggedWith its edges, each in both directions with weight 1. Objects come first, then tags,
// then users, so that what is asked for stands in front.
//
//            objects  tags  users
//   objects     0      T      Rᵀ      T: (object, tag) pairs
//   tags        Tᵀ     0      0       R: (user, object) pairs
//   users       R      0      0

import { type Csr, CsrBuilder } from '../csr.ts';
import type { KnowledgeGraph } from '../data/knowledge-graph.ts';

/** Object o is node o, tag t node numObjects + t, user u node numObjects + numTags + u. */
export function tripartiteGraph({ users, objects, tags, interact, tagged }: KnowledgeGraph): Csr {
  const usersOf = interact.reversed();
  const rows = new CsrBuilder(objects.size + tags.size + users.size);
  for (let object = 0; object < objects.size; object++) {
    for (const tag of tagged.row(object)) rows.add(objects.size + tag, 1);
    for (const user of usersOf.row(object)) rows.add(objects.size + tags.size + user, 1);
    rows.endRow();
  }
  for (let node = objects.size; node < objects.size + tags.size + users.size; node++) rows.endRow();
  return rows.finishMirrored();
}

/** Which nodes the objects are, and which the tags, by id. */
export function nodesOf({ objects, tags }: KnowledgeGraph): { objects: Int32Array; tags: Int32Array } {
  return {
    objects: Int32Array.from({ length: objects.size }, (_, object) => object),
    tags: Int32Array.from({ length: tags.size }, (_, tag) => objects.size + tag),
  };
}
