// What a person knows of an object, by names, and the same by the ids of a model.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { Vocabulary } from '../../data/vocabulary.ts';
import type { Facts } from '../../models/scorer.ts';

/** What is known of an object, by names. Names the model does not know are ignored. */
export interface NamedFacts {
  readonly tags?: readonly string[];
  readonly users?: readonly string[];
  /** What the object is called. */
  readonly title?: string | undefined;
  /** What is written about it: by column of the data, or one text, which goes to the first column. */
  readonly text?: string | Readonly<Record<string, string>> | undefined;
  /** Content features by name, as in the table the model was trained with. */
  readonly features?: Readonly<Record<string, number>> | undefined;
}

/** `features`: by name, their ids. `names`: of tags, where they are read otherwise than the data does. */
export function readFacts(
  { tags = [], users = [], title, text, features = {} }: NamedFacts,
  graph: KnowledgeGraph,
  featureIds: ReadonlyMap<string, number>,
  names: Pick<Vocabulary, 'idOf'> = graph.tags,
): Facts & { tags: Int32Array } {
  const known = Object.entries(features)
    .map(([name, value]) => [featureIds.get(name) ?? -1, value] as const)
    .filter(([feature]) => feature >= 0);
  return {
    tags: knownIds(names, tags),
    users: knownIds(graph.users, users),
    ...writtenOf(graph, title, text),
    features: new Map(known),
  };
}

/** Title and texts as the model has them. Without a column for it, what is written joins the title: words are words. */
function writtenOf(
  { texts: columns }: KnowledgeGraph,
  title: string | undefined,
  text: NamedFacts['text'] = {},
): Pick<Facts, 'title' | 'texts'> {
  const byColumn = typeof text === 'string' ? { [columns.at(0)?.name ?? '']: text } : text;
  if (columns.length === 0) return { title: [title, ...Object.values(byColumn)].filter(Boolean).join(' ') };
  return { title, texts: columns.map(({ name }) => (Object.hasOwn(byColumn, name) ? byColumn[name] : '')) };
}

/** Ascending, each once. */
function knownIds(vocabulary: Pick<Vocabulary, 'idOf'>, names: Iterable<string>): Int32Array {
  const ids = new Set(Array.from(names, (name) => vocabulary.idOf(name)).filter((id) => id >= 0));
  return Int32Array.from(ids).sort();
}
