// How one tag may be another way to write a second one, by their letters alone: as numeronym (i18n), initials, a beginning (config),
// some letters of it (mgmt), with another ending (parse, parsing, parser), a word more (google cloud platform). Each is a hint,
// weighed with how the tags are used.

import { areOpposite, differInNumbers } from './opposites.ts';
import { type Spelled, spelled } from './spelled-names.ts';

export const SHAPES = [
  'spelling',
  'variant',
  'plural',
  'typo',
  'inflection',
  'derivation',
  'numeronym',
  'initials',
  'beginning',
  'letters',
  'affix',
  'word',
] as const;
export type Shape = (typeof SHAPES)[number];

/** One way, in words; `amount` up to 1: how much the one says of the other. */
export interface ShapeHint {
  readonly shape: Shape;
  readonly text: string;
  readonly amount: number;
}

const AFFIX = /^(.{2,}?)(?:\.?js|lang|\.io|\.net|\.org|\.com)$/; // of names of products
const MIN_STEM = 3; // letters that a plural leaves

/** How the letters say that both are one; nothing where they do not. */
export function shapeHints(one: Spelled, other: Spelled): ShapeHint[] {
  if (one.key === other.key)
    return [{ shape: 'spelling', text: 'the same but for case, spaces and punctuation', amount: 1 }];
  if (one.variant === other.variant) return [{ shape: 'variant', text: 'two spellings of the same words', amount: 1 }];
  const numeronym = numeronymHint(one, other);
  if (numeronym.length > 0) return numeronym;
  const affix = affixHint(one, other);
  if (differInNumbers(one.name, other.name)) return affix;
  const aligned = differingWords(one, other);
  const initials = initialsHint(one, other);
  if (aligned === undefined) {
    const word = affix.length > 0 ? affix : wordHint(one, other);
    return [...initials, ...lettersHint(one.key, other.key), ...word];
  }
  const [a, b] = aligned;
  return [...affix, ...endingHint(a, b), ...initials, ...lettersHint(a.key, b.key), ...typoHint(a.key, b.key)];
}

/** Why two tags may be different however they are used. */
export interface CounterHints {
  readonly areOpposite: boolean;
  /** They are the same but for numbers: vue2 and vue3. */
  readonly areVersions: boolean;
  /** They have several words and share all but one. */
  readonly differInWord: boolean;
}

export function counterHints(one: Spelled, other: Spelled): CounterHints {
  const [a, b] = differingWords(one, other) ?? [one, other];
  return {
    areOpposite: areOpposite(a.key, b.key) || areOpposite(one.key, other.key),
    areVersions: one.key !== other.key && withoutNumbers(one.key) === withoutNumbers(other.key),
    differInWord: a !== one && b !== other,
  };
}

function withoutNumbers(key: string): string {
  return key.replace(/[\d.]+/g, '');
}

/** The only words in which two names of as many words differ; the names themselves where they are one word. */
function differingWords(one: Spelled, other: Spelled): readonly [Spelled, Spelled] | undefined {
  if (one.words.length !== other.words.length) return undefined;
  if (one.words.length < 2) return [one, other];
  const places = one.words.flatMap((word, i) => (word === other.words[i] ? [] : [i]));
  return places.length === 1 ? [spelled(one.words[places[0]]), spelled(other.words[places[0]])] : undefined;
}

function endingHint(one: Spelled, other: Spelled): ShapeHint[] {
  const [a, b] = one.key.length <= other.key.length ? [one, other] : [other, one];
  if (b.key === `${a.key}e`) return []; // tap, tape
  if (isPlural(a.key, b.key)) return [{ shape: 'plural', text: 'the same but for the plural', amount: 1 }];
  const amount = sharedStart(a.key, b.key);
  const text = (way: string) => `“${a.key}” and “${b.key}” are ${way} of one word`;
  if (a.inflected !== '' && a.inflected === b.inflected) return [{ shape: 'inflection', text: text('forms'), amount }];
  if (a.derived !== '' && a.derived === b.derived) return [{ shape: 'derivation', text: text('derivations'), amount }];
  return [];
}

function isPlural(short: string, long: string): boolean {
  if (short.length < MIN_STEM || !/[aeiouy]/.test(short) || /[su]$/.test(short)) return false;
  if (long === `${short}s` || (short.endsWith('y') && long === `${short.slice(0, -1)}ies`)) return true;
  return /(?:x|z|ch|sh)$/.test(short) && long === `${short}es`;
}

/** Up to 1: the more letters are the same, the less that is chance. */
function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return Math.min(1, length / 8);
}

/** How many letters a numeronym leaves out: i18n, 18; 0 where it is none of the other. */
function numeronymLength(one: Spelled, other: Spelled): number {
  for (const [short, long] of [
    [one, other],
    [other, one],
  ] as const) {
    const parts = /^(\p{L})(\d{1,2})(\p{L})$/u.exec(short.key);
    if (parts === null) continue;
    const [, first, count, last] = parts;
    if (long.key.length === Number(count) + 2 && long.key.startsWith(first) && long.key.endsWith(last))
      return Number(count);
  }
  return 0;
}

function numeronymHint(one: Spelled, other: Spelled): ShapeHint[] {
  const numLeftOut = numeronymLength(one, other);
  if (numLeftOut === 0) return [];
  const [short, long] = one.key.length < other.key.length ? [one, other] : [other, one];
  return [
    {
      shape: 'numeronym',
      text: `“${short.name}” stands for “${long.name}”: ${numLeftOut} letters left out`,
      amount: 1,
    },
  ];
}

function initialsHint(one: Spelled, other: Spelled): ShapeHint[] {
  const [short, long] = one.words.length < other.words.length ? [one, other] : [other, one];
  if (short.words.length !== 1 || long.words.length < 2) return [];
  const initials = long.words.map((word) => word[0]).join('');
  if (initials !== short.key) return [];
  return [
    {
      shape: 'initials',
      text: `“${short.name}” are the initials of “${long.name}”`,
      amount: Math.min(1, initials.length / 3),
    },
  ];
}

function lettersHint(a: string, b: string): ShapeHint[] {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (!/^[\p{L}\d]+$/u.test(short + long)) return [];
  const ofMany = short.endsWith('s') ? lettersOf(short.slice(0, -1), long.replace(/(?:ie)?s$/, '')) : undefined; // docs, documentation
  const found = lettersOf(short, long) ?? ofMany;
  if (found === undefined) return [];
  const text =
    found.shape === 'beginning'
      ? `“${short}” is short for “${long}”: its beginning`
      : `“${short}” may be short for “${long}”: some of its letters, in order`;
  return [{ ...found, text }];
}

/** How a word may be short for another. */
export function lettersOf(short: string, long: string): Pick<ShapeHint, 'shape' | 'amount'> | undefined {
  if (short.length < 2 || long.length < short.length + 1) return undefined;
  const amount = Math.min(1, short.length / 5);
  if (long.startsWith(short)) return { shape: 'beginning', amount };
  const hasNoVowels = short.length < 4 || !/[aeiou]/.test(short.slice(1)) || long.startsWith(short.slice(0, -1));
  if (short.length > 5 || short[0] !== long[0] || !hasNoVowels || !isInOrder(short, long)) return undefined;
  return { shape: 'letters', amount };
}

function isInOrder(letters: string, word: string): boolean {
  let at = 0;
  for (const letter of word) if (letter === letters[at]) at++;
  return at === letters.length;
}

/** node, nodejs, node.js: the same product. */
function affixHint(one: Spelled, other: Spelled): ShapeHint[] {
  const bare = ({ key }: Spelled) => AFFIX.exec(key)?.[1] ?? key;
  if (bare(one) !== bare(other)) return [];
  const [short, long] = one.key.length < other.key.length ? [one, other] : [other, one];
  return [{ shape: 'affix', text: `“${long.name}” is “${short.name}” with an ending of product names`, amount: 1 }];
}

/** google cloud, google cloud platform. */
function wordHint(one: Spelled, other: Spelled): ShapeHint[] {
  const [short, long] = one.words.length < other.words.length ? [one, other] : [other, one];
  const isInside =
    short.words.length > 0 &&
    long.words.length === short.words.length + 1 &&
    short.words.every((word) => long.words.includes(word));
  if (!isInside) return [];
  const more = long.words.find((word) => !short.words.includes(word)) ?? '';
  return [
    {
      shape: 'word',
      text: `“${long.name}” is “${short.name}” with the word “${more}”`,
      amount: short.words.length / long.words.length,
    },
  ];
}

/** One letter more or fewer, or two exchanged, or one other: javscript. */
function typoHint(a: string, b: string): ShapeHint[] {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short.length < 5 || long.length - short.length > 1) return [];
  let start = 0;
  while (start < short.length && short[start] === long[start]) start++;
  let end = 0;
  while (end < short.length - start && short[short.length - 1 - end] === long[long.length - 1 - end]) end++;
  const numOther = Math.max(short.length, long.length) - start - end;
  const isExchange =
    short.length === long.length &&
    numOther === 2 &&
    short[start] === long[start + 1] &&
    short[start + 1] === long[start];
  if (start === 0 || end === 0 || (numOther > 1 && !isExchange)) return [];
  return [{ shape: 'typo', text: `“${a}” and “${b}” differ in one letter`, amount: Math.min(1, short.length / 10) }];
}
