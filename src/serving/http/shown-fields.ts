// What there is to see of an object beside its title: texts, a link, a picture. Whole where one object is asked for, cut in lists.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { TextTable } from '../../data/vocabulary.ts';

const MAX_LISTED = 200; // characters of a text in a list
const MAX_BYTES = 3; // of a UTF-16 unit in UTF-8

export interface ShownFields {
  readonly texts?: Record<string, string>;
  readonly link?: string;
  readonly image?: string;
}

/** All of it. */
export function shownFields(graph: KnowledgeGraph, object: number): ShownFields {
  return fieldsBy(graph, object, (table) => table.at(object));
}

/** With long texts cut; a cut text ends in “…”. */
export function listedFields(graph: KnowledgeGraph, object: number): ShownFields {
  return fieldsBy(graph, object, (table) => beginning(table, object));
}

function fieldsBy(
  { texts, links, images }: KnowledgeGraph,
  object: number,
  textOf: (table: TextTable) => string,
): ShownFields {
  const written = texts
    .map(({ name, texts: table }) => [name, textOf(table)] as const)
    .filter(([, text]) => text !== '');
  const [link, image] = [links?.at(object) ?? '', images?.at(object) ?? ''];
  return {
    ...(written.length > 0 && { texts: Object.fromEntries(written) }),
    ...(link !== '' && { link }),
    ...(image !== '' && { image }),
  };
}

/** Without decoding the rest, which may be long. */
function beginning(table: TextTable, id: number): string {
  const bytes = table.bytesOf(id);
  const last = Math.min(bytes.length, MAX_BYTES * (MAX_LISTED + 1));
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const text = decoder.decode(bytes.subarray(0, last), { stream: last < bytes.length }); // half a character at the end is left out
  if (last === bytes.length && text.length <= MAX_LISTED) return text;
  const isBetweenHalves = /[\uD800-\uDBFF]/.test(text[MAX_LISTED - 1]);
  return `${text.slice(0, isBetweenHalves ? MAX_LISTED - 1 : MAX_LISTED).trimEnd()}…`;
}
