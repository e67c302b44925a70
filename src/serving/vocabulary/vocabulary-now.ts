// The vocabulary as the service holds it: all changes that were seen, what they declare together, and that as rules for the tags
// of one model.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import { TagRules } from '../recommend/tag-rules.ts';
import type { VocabularyChange } from './declaration.ts';
import { Declarations } from './declarations.ts';

export class VocabularyNow {
  readonly #graph: Pick<KnowledgeGraph, 'objects' | 'tags'>;
  readonly #changes = new Map<string, VocabularyChange>(); // in the order they were seen, which an undo changes
  #revision = '0';
  #declarations = Declarations.of([]);
  #rules: TagRules | undefined;

  constructor(graph: Pick<KnowledgeGraph, 'objects' | 'tags'>) {
    this.#graph = graph;
  }

  /** The highest that was seen: it says which vocabulary an answer was made with. */
  get revision(): string {
    return this.#revision;
  }

  /** All that were seen, undone ones as well, the first first. */
  get changes(): readonly VocabularyChange[] {
    return [...this.#changes.values()].sort((a, b) => Number(BigInt(a.id) - BigInt(b.id)));
  }

  get declarations(): Declarations {
    return this.#declarations;
  }

  /** Undefined where nothing counts for suggestions. */
  get rules(): TagRules | undefined {
    return this.#rules;
  }

  /** Whether anything changed by it. Changes may come twice. */
  apply(changes: readonly VocabularyChange[]): boolean {
    let isChanged = false;
    for (const change of changes) {
      const known = this.#changes.get(change.id);
      if (known !== undefined && BigInt(known.revision) >= BigInt(change.revision)) continue;
      this.#changes.set(change.id, change);
      if (BigInt(change.revision) > BigInt(this.#revision)) this.#revision = change.revision;
      isChanged = true;
    }
    if (isChanged) this.#compile();
    return isChanged;
  }

  /** As if these were declared as well. */
  rulesWith(change: VocabularyChange): TagRules {
    return new TagRules(this.#graph, Declarations.of([...this.changes, change]));
  }

  #compile(): void {
    this.#declarations = Declarations.of(this.changes);
    this.#rules = this.#declarations.isEmpty ? undefined : new TagRules(this.#graph, this.#declarations);
  }
}
