// What the cells of a column say about it beyond their look: whether they are lists of tags, whether ids name one object each,
// whether a text only says again what the tags say.

import { type Cell, type Look, NUMBER, textOf } from './column-look.ts';
import { parseTags, type TagStyle, tagsOfArray } from './tag-lists.ts';

const MAX_TAG_LENGTH = 40; // characters on average

/** How much a column looks like lists of tags; 0: not at all. */
export function listScore(look: Look, cells: readonly Cell[], style: TagStyle): number {
  if (look.numFilled < 2 || look.addresses > 0.2 || look.pictures > 0.2) return 0;
  if (style.form === 'single' || (style.separator === ' ' && !style.hash)) return 0; // words have spaces between as well
  const all = cells.flatMap((cell) => (typeof cell === 'string' ? partsIn(cell, style) : tagsOfArray(cell)));
  const meanLength = all.reduce((sum, tag) => sum + tag.length, 0) / Math.max(1, all.length);
  const recurrence = 1 - new Set(all).size / Math.max(1, all.length);
  const perCell = all.length / look.numFilled;
  const enough = style.form === 'separated' ? recurrence >= 0.3 && perCell >= 1.5 : recurrence > 0;
  if (!enough || meanLength > MAX_TAG_LENGTH || all.every((tag) => NUMBER.test(tag))) return 0;
  // parts of sentences are longer than tags
  return recurrence * Math.min(perCell, 5) * (1 - meanLength / MAX_TAG_LENGTH);
}

function partsIn(cell: string, style: TagStyle): string[] {
  const bare = style.separator.trim() || style.separator;
  return style.form === 'separated'
    ? cell
        .split(bare)
        .map((part) => part.trim())
        .filter(Boolean)
    : [cell];
}

/** Whether rows that share an id are about one object, a few mistakes aside: they have one title. Blank titles do not count. */
export function hasOneTitleEach(ids: readonly Cell[], titles: readonly Cell[]): boolean {
  const titlesOf = new Map<string, string[]>();
  for (const [row, cell] of ids.entries()) {
    const [id, title] = [textOf(cell).trim(), textOf(titles[row] ?? '').trim()];
    if (id === '' || title === '') continue;
    const own = titlesOf.get(id) ?? [];
    own.push(title);
    titlesOf.set(id, own);
  }
  const conflicting = [...titlesOf.values()].filter((own) => new Set(own).size > own.length / 2 && own.length > 1);
  return conflicting.reduce((sum, own) => sum + own.length, 0) <= ids.length / 2;
}

/** Whether cells are little more than the tags of their rows: "wool (#1), winter (#2)". Learned from, it hides what is missing. */
export function repeatsTags(cells: readonly Cell[], tagCells: readonly Cell[], style: TagStyle): boolean {
  let [numRows, numRepeating] = [0, 0];
  for (const [row, cell] of tagCells.entries()) {
    const tags = typeof cell === 'string' ? parseTags(cell, style) : tagsOfArray(cell);
    const text = lettersOf(textOf(cells[row] ?? '').replace(/\b\d+\b/g, '')); // without places and counts
    if (tags.length < 2 || text === '') continue;
    numRows++;
    const found = new Set(tags.map(lettersOf).filter((tag) => text.includes(tag))); // a row may have gained tags since
    const numLetters = [...found].reduce((sum, { length }) => sum + length, 0);
    if (numLetters >= 0.5 * text.length) numRepeating++;
  }
  return numRows >= 5 && numRepeating >= 0.7 * numRows;
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
