// Where the words that count for a tag stand in what is written about an object: the places a page highlights.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import { type Word, wordsIn } from '../../data/words.ts';
import type { WordAmount } from '../../models/scorer.ts';

/** A place of a word that counts for a tag. */
export interface Mark {
  /** The column of text it stands in; none: the title. */
  readonly column?: string;
  /** In UTF-16 units, as strings count. */
  readonly start: number;
  readonly end: number;
  /** What the word adds to the score, however often it stands there. */
  readonly amount: number;
}

/** Something that is written about an object. */
export interface Written {
  /** What its marks call it; none: the title. */
  readonly column?: string;
  /** The column that the model takes its words for; none: the title. */
  readonly readAs?: string;
  readonly text: string;
  /** The words of the text, where they were read before. */
  readonly words?: readonly Word[];
}

const MAX_MARKS = 1000; // of a long text, those of the words that count most

/** What it adds that words of the tag stand in what is written. */
export interface Mention {
  readonly tag: string;
  readonly amount: number;
}

/**
 * The places of words that count for a tag, in the order of the fields and of their texts; none overlap. What a mention adds
 * is shared by the words of the tag that are found.
 */
export function marksOf(words: readonly WordAmount[], fields: readonly Written[], mention?: Mention): Mark[] {
  const mentioned = mention === undefined ? new Map<string, number>() : mentionedWords(fields, mention);
  const all = fields.flatMap((field) => {
    const { column, readAs } = field;
    const amounts = new Map(mentioned);
    for (const one of words) {
      if (one.column === readAs) amounts.set(one.word, one.amount + (mentioned.get(one.word) ?? 0));
    }
    for (const [word, amount] of amounts) if (!(amount > 0)) amounts.delete(word);
    return marksIn(field, amounts).map((mark) => ({ ...(column !== undefined && { column }), ...mark }));
  });
  if (all.length <= MAX_MARKS) return all;
  const strongest = new Set([...all].sort((a, b) => b.amount - a.amount).slice(0, MAX_MARKS));
  return all.filter((mark) => strongest.has(mark));
}

/** The words of the tag that stand in any field, and what each adds. */
function mentionedWords(fields: readonly Written[], { tag, amount }: Mention): Map<string, number> {
  const ofTag = new Set(Array.from(wordsIn(tag), ({ word }) => word));
  const found = new Set<string>();
  if (amount === 0 || ofTag.size === 0) return new Map();
  for (const field of fields) {
    for (const { word } of wordsOf(field)) if (ofTag.has(word)) found.add(word);
    if (found.size === ofTag.size) break;
  }
  return new Map(Array.from(found, (word) => [word, amount / found.size]));
}

/** Parts of a word follow it: where the word is marked, they count within it. */
function marksIn(field: Written, amounts: ReadonlyMap<string, number>): Omit<Mark, 'column'>[] {
  const marks: { start: number; end: number; amount: number }[] = [];
  if (amounts.size === 0) return marks;
  for (const { word, start, end } of wordsOf(field)) {
    const amount = amounts.get(word);
    if (amount === undefined) continue;
    const last = marks.at(-1);
    if (last !== undefined && start < last.end) last.amount += amount;
    else marks.push({ start, end, amount });
  }
  return marks;
}

/** The same fields with their words, for marks of many tags. */
export function readWords(fields: readonly Written[]): Written[] {
  return fields.map((field) => ({ ...field, words: wordsOf(field) }));
}

function wordsOf({ text, words }: Written): readonly Word[] {
  return words ?? wordsIn(text);
}

/** What is written about an object of the data. */
export function writtenAbout({ titles, texts }: KnowledgeGraph, object: number): Written[] {
  return [
    { text: titles.at(object) },
    ...texts.map(({ name, texts: column }) => ({ column: name, readAs: name, text: column.at(object) })),
  ];
}

const ONE_TEXT = 'text'; // what marks call a text without a column

/**
 * What is written about an object the model never saw. One text goes to the first column; without any, the model takes its
 * words for words of the title.
 */
export function writtenBy(
  { texts: columns }: KnowledgeGraph,
  title = '',
  text: string | Readonly<Record<string, string>> = {},
): Written[] {
  const byColumn = typeof text === 'string' ? { [columns.at(0)?.name ?? ONE_TEXT]: text } : text;
  return [
    { text: title },
    ...Object.entries(byColumn).map(([column, one]) => ({
      column,
      ...(columns.length > 0 && { readAs: column }),
      text: one,
    })),
  ];
}
