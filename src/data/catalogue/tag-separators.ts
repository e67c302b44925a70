// What stands between the tags of a cell, told from all cells of a column: the separator whose parts recur most.

/** A separator has to be met as a whole, in this order of preference: a comma may be part of a tag, "|" hardly. */
export const SEPARATORS = ['\n', '|', ';', '；', '\t', ' > ', ' · ', ' • ', ',', '，', '、', '/'] as const;
const PREFERENCE: Readonly<Record<string, number>> = { ',': 1, '、': 1, '，': 1, '/': 0.3 };
const MAX_TAG_LENGTH = 60; // of characters; what is longer is rather a sentence

/** The separator of a column, without spaces around it; '' where whole cells do as well. */
export function separatorOf(cells: readonly string[]): string {
  let best = { separator: '', score: 0 };
  for (const separator of SEPARATORS) {
    const score = separatorScore(cells, separator);
    if (score > best.score) best = { separator, score };
  }
  return best.score === 0 && hasSpacesBetween(cells) ? ' ' : best.separator;
}

/** 0: no separator of these cells. */
function separatorScore(cells: readonly string[], separator: string): number {
  const split = cells.filter((cell) => cell.includes(separator));
  if (split.length === 0) return 0;
  const parts = cells.flatMap((cell) => partsOf(cell, separator));
  const numParts = new Set(parts).size;
  const meanLength = parts.reduce((sum, part) => sum + part.length, 0) / parts.length;
  if (meanLength > MAX_TAG_LENGTH) return 0;
  // "Home, Garden & Tools" again and again is one name: it recurs as a whole, and its parts are in no other
  const wholes = new Set(split);
  if (split.length >= 10 && wholes.size < split.length / 2) {
    const apart = [...wholes].flatMap((whole) => partsOf(whole, separator));
    if (new Set(apart).size > 0.9 * apart.length) return 0;
  }
  const recurrence = 1 - numParts / parts.length;
  if (separator === '/' && (recurrence < 0.3 || split.length < cells.length / 3)) return 0; // TCP/IP
  return (split.length / cells.length) * (0.2 + recurrence) * (PREFERENCE[separator] ?? 1.5);
}

/** What separates the same tags in cells without the usual separator: of files that were put together. Each without spaces around. */
export function otherSeparators(cells: readonly string[], usual: string): string[] {
  const known = new Set(cells.filter((cell) => cell.includes(usual)).flatMap((cell) => partsOf(cell, usual)));
  const rest = cells.filter((cell) => !cell.includes(usual));
  return SEPARATORS.filter((separator) => {
    const lists = rest.filter((cell) => cell.includes(separator));
    const parts = lists.flatMap((cell) => partsOf(cell, separator));
    const isSure = PREFERENCE[separator] === undefined; // a comma may be part of a tag
    return lists.length > 1 && parts.filter((part) => known.has(part)).length >= (isSure ? 0.5 : 0.9) * parts.length;
  }).map((separator) => separator.trim() || separator);
}

const MIN_FREE = 0.8; // share of the words; some tags always follow another, such as math.MP after math-ph

/**
 * "cs.LG cs.AI" is two tags and "science fiction" is one. Words that are tags stand alone elsewhere, or now first and now behind
 * others, and make up more lists than there are words; those of a name keep their places, and names are few.
 */
function hasSpacesBetween(cells: readonly string[]): boolean {
  const [alone, first, behind] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const lists = new Set<string>();
  for (const cell of cells) {
    const [head, ...rest] = partsOf(cell, ' ');
    (rest.length === 0 ? alone : first).add(head);
    for (const word of rest) behind.add(word);
    if (rest.length > 0) lists.add(cell);
  }
  const words = new Set([...first, ...behind]);
  if (lists.size <= words.size || [...words].some((word) => !/[\p{L}\p{N}]/u.test(word))) return false;
  const isFree = (word: string) => alone.has(word) || (first.has(word) && behind.has(word));
  const all = Array.from(lists).flatMap((list) => partsOf(list, ' '));
  return all.filter(isFree).length >= MIN_FREE * all.length;
}

function partsOf(cell: string, separator: string): string[] {
  return cell
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
