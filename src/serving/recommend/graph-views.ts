// What is derived from a knowledge graph to answer questions about it, each computed on demand and cached.

import type { Csr } from '../../csr.ts';
import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { Relation } from '../../data/relation.ts';
import { tagCounts } from '../../data/statistics.ts';
import type { SimilarObjects } from '../../graph/shared-users.ts';
import { Similarity } from '../../graph/similarity.ts';

const DAMPING = 0.25; // of users of many objects, of common tags, and of objects with many tags

/** The relations of a graph from their other side. */
export interface ReversedRelations {
  readonly usersOf: Relation; // from objects
  readonly objectsOf: Relation; // from tags
}

export class GraphViews {
  readonly graph: KnowledgeGraph;
  readonly #neighbours: Csr | undefined;
  #usersOf: Relation | undefined;
  #objectsOf: Relation | undefined;
  #byUsers: Similarity | undefined;
  #byTags: Similarity | undefined;
  #ofTags: Similarity | undefined;
  #tagCounts: Float64Array | undefined;

  /** `neighbours`: the most similar objects by users, of a model that does not hold its users. */
  constructor(graph: KnowledgeGraph, known: Partial<ReversedRelations> = {}, neighbours?: Csr) {
    this.graph = graph;
    this.#neighbours = neighbours;
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

  /** The objects that share users with one or, where users are not held, the most similar ones; undefined: there are no users. */
  sharingUsers(object: number): SimilarObjects | undefined {
    if (this.graph.interact.size > 0) return this.byUsers.similarTo(this.usersOf.row(object));
    if (this.#neighbours === undefined) return undefined;
    const { rowStart, columns, values } = this.#neighbours;
    const [start, end] = [rowStart[object], rowStart[object + 1]];
    return { objects: columns.subarray(start, end), cosines: values.subarray(start, end) };
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
