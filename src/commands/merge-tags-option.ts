// The option of every command that reads data: which tags are to be read as others.

import { Option } from 'commander';
import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { mergeTags, readTagMapping } from '../data/merge-tags.ts';
import type { Listener } from '../listener.ts';

export interface TagMerging {
  readonly mergeTags?: string;
}

export const mergeTagsOption = () =>
  new Option('--merge-tags <file>', 'a table of tags to be read as others: columns tag and merged');

/** Reads data and merges its tags. The mapping goes first: a mistake in it shows before hours of reading. */
export async function readMerged(
  read: () => Promise<KnowledgeGraph>,
  { mergeTags: path }: TagMerging,
  listening: Listener,
): Promise<KnowledgeGraph> {
  if (path === undefined) return read();
  const mapping = await readTagMapping(path, listening);
  return mergeTags(await read(), mapping, listening);
}
