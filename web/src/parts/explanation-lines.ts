// The parts of a score in lines that add up to it: the largest of each kind by name, the rest in one line.

import type { NamedParts, NeighbourPart } from '../../../src/serving/recommend/explanation.ts';
import { counted } from '../numbers.ts';

export interface ExplanationGroup {
  readonly name: string;
  readonly amount: number;
  readonly lines: readonly ExplanationLine[];
}

export interface ExplanationLine {
  readonly kind: 'tag' | 'object' | 'word' | 'rest';
  /** What it is called. */
  readonly label: string;
  /** Of an object: where it leads. */
  readonly object?: string;
  readonly detail?: string;
  readonly amount: number;
}

const MOST_LINES = 5;
const MOST_TAGS = 3;
const LEAST = 0.0005; // what is less is written as 0

export function explanationGroups(parts: NamedParts): ExplanationGroup[] {
  const ownTags = parts.ownTags.map(({ tag, amount }): ExplanationLine => ({ kind: 'tag', label: tag, amount }));
  const hasUsers = parts.neighbours.some(({ numSharedUsers }) => numSharedUsers !== undefined);
  const groups = [
    group('Its tags', ownTags, 'tag'),
    group(
      hasUsers ? 'Objects with similar users' : 'Similar objects',
      parts.neighbours.map((one) => neighbourLine(one)),
      'object',
    ),
    ...wordGroups(parts.words),
    { name: 'Words of the tag in its text', amount: parts.mention ?? 0, lines: [] },
    { name: 'User profile', amount: parts.profile ?? 0, lines: [] },
    { name: 'Content features', amount: parts.content ?? 0, lines: [] },
    { name: 'How common the tag is', amount: parts.base, lines: [] },
    againGroup(parts.again ?? []),
  ];
  return groups.filter(({ amount, lines }) => amount !== 0 || lines.length > 0);
}

/** Room for the longest bar on either side of zero. */
export function reach(groups: readonly ExplanationGroup[]): { readonly low: number; readonly high: number } {
  const amounts = groups.flatMap(({ amount, lines }) => [amount, ...lines.map((line) => line.amount)]);
  return { low: Math.min(0, ...amounts), high: Math.max(0, ...amounts) };
}

function group(name: string, all: readonly ExplanationLine[], thing: string): ExplanationGroup {
  const lines = [...all].sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount));
  const named = lines.slice(0, MOST_LINES).filter(({ amount }) => Math.abs(amount) >= LEAST);
  const rest = lines.slice(named.length);
  const label = counted(rest.length, named.length === 0 ? thing : `more ${thing}`);
  const restLines: ExplanationLine[] = rest.length === 0 ? [] : [{ kind: 'rest', label, amount: sum(rest) }];
  return { name, amount: sum(lines), lines: [...named, ...restLines] };
}

/** All of it: there are a handful of reasons. */
function againGroup(again: NonNullable<NamedParts['again']>): ExplanationGroup {
  const lines = again
    .filter(({ amount }) => Math.abs(amount) >= LEAST)
    .map(({ text, amount }): ExplanationLine => ({ kind: 'rest', label: text, amount }));
  return { name: 'Second look', amount: again.reduce((total, { amount }) => total + amount, 0), lines };
}

/** Those of its name first, then by column of text. */
function wordGroups(words: NamedParts['words']): ExplanationGroup[] {
  const columns = [undefined, ...new Set(words.flatMap(({ column }) => column ?? []))];
  return columns.map((column) => {
    const lines = words
      .filter((one) => one.column === column)
      .map(({ word, amount }): ExplanationLine => ({ kind: 'word', label: `“${word}”`, amount }));
    return group(`Words in its ${column ?? 'name'}`, lines, 'word');
  });
}

function neighbourLine({ object, title, numSharedUsers, amount, tags }: NeighbourPart): ExplanationLine {
  const named = tags.slice(0, MOST_TAGS).map(({ tag }) => tag);
  const shared = numSharedUsers === undefined || numSharedUsers === 0 ? [] : [counted(numSharedUsers, 'shared user')];
  const detail = [...shared, ...(named.length > 0 ? [named.join(', ')] : [])].join('; ');
  return { kind: 'object', label: title, object, detail, amount };
}

function sum(lines: readonly ExplanationLine[]): number {
  return lines.reduce((total, { amount }) => total + amount, 0);
}
