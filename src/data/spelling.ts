// Which names may be one word written in two ways, judged by their letters alone. Names that differ in case, accents or
// punctuation share a key. Keys with similar letters are found by look-up, never by comparing all pairs.

/** plural: node, nodes. typo: one letter more, two letters exchanged, or another vowel, inside the word. */
export type KeySimilarity = 'plural' | 'typo';

const MIN_STEM = 3; // letters; shorter words become others too easily
const MIN_TYPO = 6;
const AND = /(?<=[\p{L}\p{N}][^\p{L}\p{N}]{1,3})n(?=[^\p{L}\p{N}]{1,3}[\p{L}\p{N}])/gu; // rock 'n' roll
/** Letters often taken for one another. */
const EXCHANGED: ReadonlyMap<string, string> = new Map(
  ['aeiouy', 'sz', 'ck'].flatMap((letters) =>
    [...letters].map((letter): [string, string] => [letter, letters.replace(letter, '')]),
  ),
);

/**
 * What is left of a name without case, accents, spaces and punctuation: "Hip-Hop" and "hip hop" give "hiphop". Signs that
 * make another word stay: c++ and c#, 2.0, and a mark in front as in .env or $ref. '' where too little is left to judge by.
 */
export function spellingKey(name: string): string {
  const folded = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '') // accents; the marks of other scripts make other letters
    .toUpperCase() // ß becomes SS
    .toLowerCase()
    .trim();
  const mark = /^[.$@_]+(?=.)/u.exec(folded)?.[0] ?? '';
  const key = folded
    .slice(mark.length)
    .replace(AND, 'and')
    .replaceAll('&', 'and')
    .replace(/(?<=\d)[^\p{L}\p{N}]+(?=\d)/gu, '.')
    .replace(/(?<!\d)\.|\.(?!\d)|(?<![\p{L}+#])#|[^\p{L}\p{N}\p{M}\p{So}\p{Sc}.+#]/gu, '');
  return key.length >= 2 && /\p{L}/u.test(key) ? mark + key : '';
}

/** Calls back with each known key that is similar. Every two keys meet once, whichever is asked about first. */
export function forEachSimilarKey(
  key: string,
  isKnown: (key: string) => boolean,
  onSimilar: (other: string, similarity: KeySimilarity) => void,
): void {
  for (const stem of singulars(key)) if (isKnown(stem)) onSimilar(stem, 'plural');
  for (const other of typos(key)) if (isKnown(other)) onSimilar(other, 'typo');
}

/** What the word may be the plural of. A stem without a vowel is an abbreviation (http, https), one with a digit a year. */
function singulars(key: string): string[] {
  if (!key.endsWith('s') || key.length <= MIN_STEM) return [];
  const stems = [key.slice(0, -1)];
  if (/(s|x|z|ch|sh)es$/.test(key)) stems.push(key.slice(0, -2));
  if (key.endsWith('ies')) stems.push(`${key.slice(0, -3)}y`);
  return stems.filter((stem) => stem.length >= MIN_STEM && /[aeiouy]/.test(stem) && /[^sui\d]$/.test(stem));
}

/**
 * The words from which this one differs by one slip. Neither the first nor the last letter counts: there, another letter
 * is mostly another word (getter and setter, parse and parser), as is another consonant (mysql and mssql).
 */
function* typos(key: string): Iterable<string> {
  const last = key.length - 1;
  if (key.length < MIN_TYPO || !/^\p{L}+$/u.test(key)) return;
  for (let i = 1; i < last; i++) {
    const [before, letter, next, after] = [key.slice(0, i), key[i], key[i + 1], key.slice(i + 1)];
    if (letter !== next) yield before + after; // of equal letters the last goes: at the end, that is none
    if (i + 1 < last && letter < next) yield before + next + letter + after.slice(1);
    for (const other of EXCHANGED.get(letter) ?? '') if (letter < other) yield before + other + after;
  }
}
