// The words of a text, in any language: runs of letters, marks and digits without case and accents, each with its place in the
// text, so that a page can point at it. Where a script puts no spaces between words, Intl.Segmenter finds them. A capital
// inside a word begins a part (fooBar: foobar, foo, bar). Mark-up of HTML is no text.

/** A word of a text: folded, and where it stands. */
export interface Word {
  readonly word: string;
  readonly start: number; // in UTF-16 units, as strings count
  readonly end: number;
}

const MAX_LENGTH = 64; // of a word: what is longer is no word of a language, and its beginning tells it apart
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:\+\+|#)?/gu; // c++ and c# are words
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const PART = /\p{Lu}?\p{Ll}[\p{Ll}\p{M}]*|\p{Lu}+(?!\p{Ll})|\p{N}+/gu;

/** The words of a text, in their order; parts of a word follow it. */
export function wordsIn(text: string): Word[] {
  const plain = withoutMarkup(text);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with them
  return /^[\x00-\x7f]*$/.test(plain) ? asciiWords(plain) : anyWords(plain);
}

function anyWords(text: string): Word[] {
  const words: Word[] = [];
  for (const { 0: run, index } of text.matchAll(WORD)) {
    if (UNSPACED.test(run)) {
      for (const { segment, index: at } of segmentsOf(run)) words.push(wordAt(segment, index + at));
      continue;
    }
    words.push(wordAt(run, index));
    if (!/\p{Ll}\p{Lu}/u.test(run)) continue;
    for (const { 0: part, index: at } of run.matchAll(PART)) words.push(wordAt(part, index + at));
  }
  return words;
}

const [DIGIT, UPPER, LOWER] = [1, 2, 3];
/** By character of ASCII: a digit, a capital, a small letter, or 0. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 0x30 && code <= 0x39) return DIGIT;
  if (code >= 0x41 && code <= 0x5a) return UPPER;
  return code >= 0x61 && code <= 0x7a ? LOWER : 0;
});
const [HASH, PLUS] = [0x23, 0x2b];

/** The same for a text of ASCII, several times as fast: most texts are. */
function asciiWords(text: string): Word[] {
  const words: Word[] = [];
  const { length } = text;
  for (let start = 0; start < length; start++) {
    let [kind, last, isCamel, hasCapital] = [KINDS[text.charCodeAt(start)], 0, false, false];
    if (kind === 0) continue;
    let end = start;
    for (; kind !== 0; kind = end < length ? KINDS[text.charCodeAt(end)] : 0) {
      if (kind === UPPER) hasCapital = true;
      if (kind === UPPER && last === LOWER) isCamel = true;
      last = kind;
      end++;
    }
    if (text.charCodeAt(end) === HASH) end++;
    else if (text.charCodeAt(end) === PLUS && text.charCodeAt(end + 1) === PLUS) end += 2;
    const run = text.slice(start, Math.min(end, start + MAX_LENGTH));
    words.push({ word: hasCapital ? run.toLowerCase() : run, start, end });
    if (isCamel) {
      for (const { 0: part, index } of text.slice(start, end).matchAll(PART)) words.push(wordAt(part, start + index));
    }
    start = end - 1;
  }
  return words;
}

function wordAt(run: string, start: number): Word {
  return { word: folded(run), start, end: start + run.length };
}

/** Without case, accents and the differences of form that NFKC knows. */
function folded(word: string): string {
  const short = word.length > MAX_LENGTH ? word.slice(0, MAX_LENGTH) : word;
  if (/^[\x20-\x7e]*$/.test(short)) return short.toLowerCase();
  // upper case first: ß and ss, ς and σ are one word
  const marked = short.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKD');
  return marked
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('ς', 'σ')
    .normalize('NFC');
}

/** Tags and entities of HTML as so many spaces: every word stays in its place. */
function withoutMarkup(text: string): string {
  if (!/[<&]/.test(text)) return text;
  return text.replace(/<\/?[a-z!][^<>]{0,2000}>|&(?:[a-z][a-z0-9]{1,30}|#\d{1,7}|#x[0-9a-f]{1,6});/gi, (markup) =>
    ' '.repeat(markup.length),
  );
}

let segmenter: Intl.Segmenter | undefined;

function segmentsOf(run: string): Iterable<{ readonly segment: string; readonly index: number }> {
  if (typeof Intl.Segmenter !== 'function')
    return Array.from(run.matchAll(/./gu), (one) => segmentAt(one[0], one.index));
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  return Array.from(segmenter.segment(run)).filter(({ isWordLike }) => isWordLike);
}

function segmentAt(segment: string, index: number): { readonly segment: string; readonly index: number } {
  return { segment, index };
}
