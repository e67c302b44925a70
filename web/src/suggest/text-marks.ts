// The words to mark in a text that may have changed since they were found: what stands before and after the change keeps its
// marks, so that nothing flickers while one types.

import type { Mark } from '../../../src/serving/recommend/marks.ts';
import type { TextSuggestion, WrittenText } from '../api/shapes.ts';
import { LEAST, strongest } from '../parts/readable-text.ts';

/** The words that count most for a suggestion, as they are written. */
export function strongestWords({ marks = [] }: TextSuggestion, { title, texts }: WrittenText, most: number): string[] {
  const textOf = (column: string | undefined) => {
    if (column === undefined) return title;
    return Object.hasOwn(texts, column) ? texts[column] : (texts[''] ?? '');
  };
  const least = LEAST * strongest(marks);
  const words = [...marks]
    .sort((a, b) => b.amount - a.amount)
    .filter(({ amount }) => amount >= least)
    .map(({ column, start, end }) => textOf(column).slice(start, end).toLowerCase());
  return [...new Set(words)].slice(0, most);
}

/**
 * Those of one suggestion, or of all; amounts are shares of the strongest for the same tag, or the words of a weaker one would not
 * be seen. A word that counts for several has its largest share. Sorted; none overlap.
 */
export function marksFor(suggestions: readonly TextSuggestion[], chosen: string | undefined): Mark[] {
  const counting = suggestions.filter(({ tag }) => chosen === undefined || tag === chosen);
  const byPlace = new Map<string, Mark>();
  for (const mark of counting.flatMap(({ marks = [] }) => sharesOf(marks))) {
    const place = `${mark.start} ${mark.column ?? ''}`; // a start is one word's or one part's
    const known = byPlace.get(place);
    if (known === undefined || known.amount < mark.amount) byPlace.set(place, mark);
  }
  const sorted = [...byPlace.values()].sort(byColumnAndStart);
  // of a word and a part of it that count for different tags, the first is marked
  const ends = new Map<string | undefined, number>();
  return sorted.filter(({ column, start, end }) => {
    if (start < (ends.get(column) ?? 0)) return false;
    ends.set(column, end);
    return true;
  });
}

function sharesOf(marks: readonly Mark[]): Mark[] {
  const most = strongest(marks);
  return marks.map((mark) => ({ ...mark, amount: mark.amount / most }));
}

function byColumnAndStart(a: Mark, b: Mark): number {
  const [left, right] = [a.column ?? '', b.column ?? ''];
  return left === right ? a.start - b.start : left < right ? -1 : 1;
}

/** Where the marks of `then` stand in `now`; those of words that changed are left out. */
export function movedMarks(marks: readonly Mark[], then: string, now: string): readonly Mark[] {
  if (then === now) return marks;
  const shorter = Math.min(then.length, now.length);
  let before = 0;
  while (before < shorter && then[before] === now[before]) before++;
  let after = 0;
  while (after < shorter - before && then.at(-1 - after) === now.at(-1 - after)) after++;
  const by = now.length - then.length;
  return marks.flatMap((mark) => {
    if (mark.end < before || (mark.end === before && isBetweenWords(now, before))) return mark;
    const isBehind = mark.start >= then.length - after;
    return isBehind ? { ...mark, start: mark.start + by, end: mark.end + by } : [];
  });
}

/** Whether what follows a place is no part of the word before it. */
function isBetweenWords(text: string, place: number): boolean {
  return !/^[\p{L}\p{M}\p{N}]/u.test(text.slice(place, place + 2));
}
