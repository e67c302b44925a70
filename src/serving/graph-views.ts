// What is derived from a knowledge graph to answer questions about it, each made when it is first asked for and then kept.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Relation } from '../data/relation.ts';
import { tagCounts } from '../data/statistics.ts';
import { Resemblance } from '../graph/resemblance.ts';

const DAMPING = 0.25; // of users of many objects, of common tags, and of objects with many tags

export class GraphViews {
  readonly graph: KnowledgeGraph;
  #usersOf: Relation | undefined;
  #objectsOf: Relation | undefined;
  #byUsers: Resemblance | undefined;
  #byTags: Resemblance | undefined;
  #ofTags: Resemblance | undefined;
  #tagCounts: Float64Array | undefined;

  constructor(graph: KnowledgeGraph) {
    this.graph = graph;
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

  /** How like objects are by the users they share. */
  get byUsers(): Resemblance {
    this.#byUsers ??= new Resemblance(this.graph.interact, DAMPING);
    return this.#byUsers;
  }

  /** How like objects are by the tags they share. */
  get byTags(): Resemblance {
    this.#byTags ??= new Resemblance(this.objectsOf, DAMPING);
    return this.#byTags;
  }

  /** How like tags are by the objects that carry both. */
  get ofTags(): Resemblance {
    this.#ofTags ??= new Resemblance(this.graph.tagged, DAMPING);
    return this.#ofTags;
  }

  /** By tag, how many objects carry it. */
  get tagCounts(): Float64Array {
    this.#tagCounts ??= tagCounts(this.graph);
    return this.#tagCounts;
  }
}
