// What curators decided and declared, read from a store at one moment, for a program that answers once and ends.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { Amendments } from '../recommend/amendments.ts';
import type { TagRules } from '../recommend/tag-rules.ts';
import type { ReviewStore } from '../reviews/review-store.ts';
import { VocabularyNow } from '../vocabulary/vocabulary-now.ts';
import { ReviewedTags } from './reviewed-tags.ts';

export interface Decisions {
  readonly reviewed: ReviewedTags;
  readonly vocabulary: VocabularyNow;
  readonly amendments: Amendments;
  /** Undefined where nothing is declared about tags. */
  readonly rules: TagRules | undefined;
  /** Changes with any decision or declaration. */
  readonly revision: string;
}

export async function readDecisions(graph: KnowledgeGraph, store: ReviewStore): Promise<Decisions> {
  const vocabulary = new VocabularyNow(graph);
  vocabulary.apply(await store.vocabulary.all());
  const reviewed = new ReviewedTags(graph);
  reviewed.readBy(vocabulary.rules);
  let revision = '0';
  for (let isOver = false; !isOver; ) {
    const changes = await store.changedSince(revision);
    for (const change of changes) reviewed.apply(change);
    revision = changes.at(-1)?.revision ?? revision;
    isOver = changes.length === 0;
  }
  const { amendments } = reviewed;
  return { reviewed, vocabulary, amendments, rules: vocabulary.rules, revision: `${revision}-${vocabulary.revision}` };
}
