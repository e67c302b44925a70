// What is derived from a knowledge graph to answer questions about it, each computed on demand and cached.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { Relation } from '../../data/relation.ts';
import { tagCounts } from '../../data/statistics.ts';
import { Similarity } from '../../graph/similarity.ts';

const DAMPING = 0.25; // of users of many objects, of common tags, and of objects with many tags

/** The relations of a graph from their other side. */
export interface ReversedRelations {
  readonly usersOf: Relation; // from objects
  readonly objectsOf: Relation; // from tags
}

export class GraphViews {
  readonly graph: KnowledgeGraph;
  #usersOf: Relation | undefined;
  #objectsOf: Relation | undefined;
  #byUsers: Similarity | undefined;
  #byTags: Similarity | undefined;
  #ofTags: Similarity | undefined;
  #tagCounts: Float64Array | undefined;

  constructor(graph: KnowledgeGraph, known: Partial<ReversedRelations> = {}) {
    this.graph = graph;
    this.#usersOf = known.usersOf;
    this.#objectsOf = known.objectsOf;
  }

  /** From objects. */
  get usersOf(): Relation {
    this.#usersOf ??= this.graph.interact.reversed();
    return this.#usersOf;
  }

  /** From tags. */
  get objectsOf(): Relation {
    this.#objectsOf ??= this.graph.tagged.reversed();
    return this.#objectsOf;
  }

  /** How similar objects are by the users they share. */
  get byUsers(): Similarity {
    this.#byUsers ??= new Similarity(this.graph.interact, DAMPING, this.usersOf);
    return this.#byUsers;
  }

  /** How similar objects are by the tags they share. */
  get byTags(): Similarity {
    this.#byTags ??= new Similarity(this.objectsOf, DAMPING, this.graph.tagged);
    return this.#byTags;
  }

  /** How similar tags are by the objects that carry both. */
  get ofTags(): Similarity {
    this.#ofTags ??= new Similarity(this.graph.tagged, DAMPING, this.objectsOf);
    return this.#ofTags;
  }

  /** By tag, how many objects carry it. */
  get tagCounts(): Float64Array {
    this.#tagCounts ??= tagCounts(this.graph);
    return this.#tagCounts;
  }
}
