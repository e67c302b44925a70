// Reading tags as others: a table with `tag` and `merged` says that "hip hop" is to be read as "hip-hop". Where `merged` is
// blank, the tag is left out. One function does it on a knowledge graph, so that it is the same wherever data come from.

import { basename } from 'node:path';
import { InputError } from '../errors.ts';
import type { Listener } from '../listener.ts';
import type { KnowledgeGraph } from './knowledge-graph.ts';
import { cleanName } from './name.ts';
import { PairList } from './relation.ts';
import { readTable } from './table/read-table.ts';
import { fieldText } from './table/row.ts';
import { VocabularyBuilder } from './vocabulary.ts';

/** Which tags to read as others. */
export interface TagMapping {
  /** The file it was read from; errors and warnings name it. */
  readonly file?: string;
  /** By tag, what it becomes: never a tag that becomes another in turn. A blank text leaves the tag out. */
  readonly merged: ReadonlyMap<string, string>;
}

/** One row of the table; the names must be clean (see name.ts). */
export interface MergeRow {
  readonly tag: string;
  readonly merged: string;
  readonly line?: number;
}

/**
 * Reads a tag mapping from a table (.tsv, .csv or .parquet, optionally .gz) with the columns `tag` and `merged`. Chains are
 * followed to their end; a circle is an InputError.
 *
 * @example
 * import { mkdtemp, writeFile } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { readTagMapping } from 'tagloom';
 *
 * const file = join(await mkdtemp(join(tmpdir(), 'tagloom-')), 'same.tsv');
 * await writeFile(file, 'tag\tmerged\nhip hop\thip-hop\nseen live\t\n');
 * const { merged } = await readTagMapping(file);
 * console.log(merged.get('hip hop')); // hip-hop
 */
export async function readTagMapping(path: string, listener: Listener = {}): Promise<TagMapping> {
  const rows: MergeRow[] = [];
  await readTable(path, ['tag', 'merged'], { ...listener, mayBeBlank: ['merged'] }, (row) => {
    rows.push({ tag: fieldText(row, 0), merged: fieldText(row, 1), line: row.line });
  });
  return tagMapping(rows, path);
}

/** Follows chains to their end: a → b and b → c makes c of both. */
export function tagMapping(rows: Iterable<MergeRow>, file?: string): TagMapping {
  const where = file === undefined ? {} : { file };
  const given = new Map<string, MergeRow>();
  for (const row of rows) {
    const known = given.get(row.tag);
    if (known === undefined) given.set(row.tag, row);
    else if (known.merged !== row.merged) {
      throw new InputError({
        ...where,
        ...lineOf(row),
        got: `${named(row.merged)} for "${row.tag}"`,
        expected: `${named(known.merged)} as ${known.line === undefined ? 'before' : `on line ${known.line}`}`,
        cure: 'Remove one of the two rows.',
      });
    }
  }
  const merged = new Map<string, string>();
  for (const row of given.values()) followToEnd(row, given, merged, where);
  return { ...where, merged };
}

/** Finds what every tag of the chain that begins at a row becomes. A tag that becomes itself stays. */
function followToEnd(
  start: MergeRow,
  given: ReadonlyMap<string, MergeRow>,
  merged: Map<string, string>,
  where: { readonly file?: string },
): void {
  const chain = new Set<string>();
  let row = start;
  let end = merged.get(start.tag);
  while (end === undefined) {
    chain.add(row.tag);
    const next = row.merged === row.tag ? undefined : given.get(row.merged);
    if (next === undefined) end = row.merged;
    else if (chain.has(next.tag)) throw circle([...chain], next, where);
    else {
      end = merged.get(next.tag);
      row = next;
    }
  }
  for (const tag of chain) merged.set(tag, end);
}

const MOST_SHOWN = 8;

function circle(chain: readonly string[], back: MergeRow, where: { readonly file?: string }): InputError {
  const tags = chain.slice(chain.indexOf(back.tag));
  const shown = tags.length > MOST_SHOWN ? [...tags.slice(0, MOST_SHOWN), '…'] : tags;
  return new InputError({
    ...where,
    ...lineOf(back),
    got: `a circle: ${[...shown, back.tag].join(' → ')}`,
    expected: 'every tag to become one that stays',
    cure: 'Remove one of these rows.',
  });
}

/**
 * The same graph with its tags read as the mapping says. Pairs that become the same count once; all objects stay.
 *
 * @example
 * import { graphFrom, mergeTags } from 'tagloom';
 *
 * const graph = graphFrom({
 *   interact: [['ann', 'nas']],
 *   tagged: [['nas', 'hip hop'], ['nas', 'hip-hop'], ['nas', 'seen live']],
 * });
 * const merged = mergeTags(graph, { merged: new Map([['hip hop', 'hip-hop'], ['seen live', '']]) });
 * console.log(merged.tags.names.toArray()); // [ 'hip-hop' ]
 */
export function mergeTags(graph: KnowledgeGraph, mapping: TagMapping, listener: Listener = {}): KnowledgeGraph {
  const merged = new Map(Array.from(mapping.merged, ([tag, end]) => [cleanName(tag), cleanName(end)]));
  warnAbsent(graph, { ...mapping, merged }, listener);
  const builder = new VocabularyBuilder();
  const arrivals = Int32Array.from({ length: graph.tags.size }, (_, tag) => {
    const name = graph.tags.name(tag);
    const end = merged.get(name) ?? name;
    return end === '' ? -1 : builder.add(end);
  });
  const pairs = new PairList();
  for (let i = 0; i < graph.tagged.size; i++) {
    const arrival = arrivals[graph.tagged.tails[i]];
    if (arrival >= 0) pairs.add(graph.tagged.heads[i], arrival);
  }
  if (pairs.size === 0 && graph.tagged.size > 0) {
    throw new InputError({
      ...(mapping.file === undefined ? {} : { file: mapping.file }),
      got: 'rows that leave out every tag of the data',
      expected: 'at least one object with a tag',
      cure: 'Give some tags a name in the column "merged": a blank one means that the tag is left out.',
    });
  }
  const { vocabulary, rank } = builder.finish();
  const sameObjects = Int32Array.from({ length: graph.objects.size }, (_, object) => object);
  return { ...graph, tags: vocabulary, tagged: pairs.toRelation(sameObjects, rank) };
}

function warnAbsent({ tags }: KnowledgeGraph, { file, merged }: TagMapping, { warn }: Listener): void {
  const absent = [...merged.keys()].filter((tag) => tags.idOf(tag) < 0);
  if (absent.length === 0) return;
  const where = file === undefined ? '' : `${basename(file)}: `;
  warn?.(
    `${where}passed over ${absent.length} of ${merged.size} tags, which the data do not have: "${absent[0]}"${absent.length > 1 ? ', …' : ''}.`,
  );
}

function named(merged: string): string {
  return merged === '' ? 'nothing' : `"${merged}"`;
}

function lineOf({ line }: MergeRow): { line?: number } {
  return line === undefined ? {} : { line };
}
