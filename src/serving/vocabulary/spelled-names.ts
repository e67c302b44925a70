// A tag's name in the forms in which names are compared: without case and punctuation, in American English, without endings.

import { spellingKey } from '../../data/spelling.ts';

/** A tag's name as it is compared. */
export interface Spelled {
  readonly name: string;
  /** spellingKey, or the name in lower case where that is too little. */
  readonly key: string;
  readonly words: readonly string[];
  /** The key in American English, decades in figures. */
  readonly variant: string;
  /** stemOf the key. */
  readonly inflected: string;
  readonly derived: string;
}

const MIN_STEM = 3; // letters
const INFLECTIONS = leaving('', 'ings ing ed es s d ly ally');
/** Endings of words of one family and what each leaves: minify, minifier and minification leave minifi, random is no randomize. */
const FAMILIES = [
  ...leaving('ifi', 'ification ifications ifier ifiers ifying ified ifies ify'),
  ...leaving('iz', 'ization izations izer izers izing ized izes ize isation isations iser isers ising ised ises ise'),
  ...leaving(
    '',
    'ation ations ator ators ating ated ates ate ative ition ion ions or ors er ers ment ments ance ances',
  ),
  ...leaving('', 'ence ency ent ancy ant ive ivity ness ity ical ics ic al ing ings ed es s ly'),
].sort((a, b) => b[0].length - a[0].length);

function leaving(leaves: string, endings: string): (readonly [ending: string, leaves: string])[] {
  return endings.split(' ').map((ending) => [ending, leaves]);
}

export function spelled(name: string): Spelled {
  const lower = name.toLowerCase();
  const key = spellingKey(name) || lower;
  return {
    ...{ name, key, words: lower.split(/[^\p{L}\p{N}\p{M}+#]+/u).filter((word) => word !== '') },
    ...{ variant: variantOf(key), inflected: stemOf(key, 'inflection'), derived: stemOf(key, 'derivation') },
  };
}

/** The root to which words with other endings of the same kind come down; '' where too little would be left. */
export function stemOf(word: string, kind: 'inflection' | 'derivation'): string {
  if (!/^\p{L}+$/u.test(word)) return '';
  const endings = kind === 'inflection' ? INFLECTIONS : FAMILIES;
  const isRoot = (root: string) => root.length >= MIN_STEM && /[aeiouy]/.test(root);
  const found = /[su]s$/.test(word)
    ? undefined
    : endings.find(([one]) => word.endsWith(one) && isRoot(word.slice(0, -one.length)));
  const root = found === undefined ? word : word.slice(0, -found[0].length) + found[1];
  const plain = root.replace(/([bdfgklmnprtvz])\1$/, '$1').replace(/(?<=..)[eiy]$/, '');
  return isRoot(plain) ? plain : '';
}

const DECADES = ['twenties', 'thirties', 'forties', 'fifties', 'sixties', 'seventies', 'eighties', 'nineties'];

/** The same for colour and color, optimise and optimize, 1960s and sixties. */
function variantOf(word: string): string {
  const decade = DECADES.findIndex((name) => word.startsWith(name));
  return (decade < 0 ? word : `${decade + 2}0s${word.slice(DECADES[decade].length)}`)
    .replace(/^19(?=[2-9]0s)/, '')
    .replace(/(?<=\p{L}{2})is(?=(?:e[drs]?|ing|ations?|ers)$)/u, 'iz')
    .replace(/(?<=\p{L}{2})our/gu, 'or')
    .replace(/(?<=\p{L}{3}t)re$/u, 'er')
    .replace(/ogue(?=s?$)/, 'og')
    .replace(/^grey/, 'gray');
}
