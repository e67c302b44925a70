// Training data as the vocabulary says: merged and renamed tags under the names they have now, implied tags on whoever implies
// them, tags that were taken off or split gone.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import { mergeTags } from '../../data/merge-tags.ts';
import { PairList, type Relation } from '../../data/relation.ts';
import { VocabularyBuilder } from '../../data/vocabulary.ts';
import { InputError } from '../../errors.ts';
import { TagRules } from '../recommend/tag-rules.ts';
import type { Declarations } from './declarations.ts';

/** By each name, what it is read as; on top of another reading, which comes first ('' leaves a tag out). */
export function readingOf(
  declarations: Declarations,
  before: ReadonlyMap<string, string> = new Map(),
): Map<string, string> {
  const reading = new Map(declarations.labels());
  for (const [tag, merged] of before) reading.set(tag, merged === '' ? '' : declarations.tagOf(merged));
  return reading;
}

/** The graph with its tags by their names now. */
export function withNamesNow(graph: KnowledgeGraph, declarations: Declarations): KnowledgeGraph {
  const merged = readingOf(declarations);
  return merged.size === 0 ? graph : mergeTags(graph, { merged });
}

/** The same with what tags imply, and without what was taken off; `rejected`: what no object is to carry by that. */
export async function withImplied(
  graph: KnowledgeGraph,
  rejected: AsyncIterable<{ readonly object: string; readonly tag: string }>,
  declarations: Declarations,
): Promise<{ readonly graph: KnowledgeGraph; readonly rejected: Relation }> {
  const rules = new TagRules(graph, declarations);
  const rejectedIds = new Map<number, number[]>();
  for await (const { object: name, tag } of rejected) {
    const [object, id] = [graph.objects.idOf(name), rules.anyIdOf(tag)];
    if (object >= 0 && id >= 0) rejectedIds.set(object, [...(rejectedIds.get(object) ?? []), id]);
  }
  const builder = new VocabularyBuilder();
  const [tagged, off] = [new PairList(), new PairList()];
  for (let object = 0; object < graph.objects.size; object++) {
    const out = rejectedIds.get(object);
    const held = rules.held({ object, own: graph.tagged.row(object), rejected: out });
    const all = [...held, ...rules.implied(held, out)];
    for (const tag of all) tagged.add(object, builder.add(rules.nameOf(tag)));
  }
  if (tagged.size === 0) {
    const cure = 'Undo some of what is declared, or train without it.';
    throw new InputError({ got: 'declarations that take off every tag', expected: 'at least one pair', cure });
  }
  const { vocabulary, rank } = builder.finish();
  for (const [object, ids] of rejectedIds) {
    for (const id of ids) {
      const tag = vocabulary.idOf(rules.nameOf(id));
      if (tag >= 0) off.add(object, tag);
    }
  }
  const [objects, tags] = [same(graph.objects.size), same(vocabulary.size)];
  const changed = { ...graph, tags: vocabulary, tagged: tagged.toRelation(objects, rank) };
  return { graph: changed, rejected: off.toRelation(objects, tags) };
}

function same(size: number): Int32Array {
  return Int32Array.from({ length: size }, (_, id) => id);
}
