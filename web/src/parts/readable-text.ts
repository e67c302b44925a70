// A text as a reader wants it: without mark-up of HTML, with its characters instead of entities, and cut into pieces by the marks
// of words, whose places count in the text as it is. The result is text: nothing of it is ever taken for HTML.

import type { Mark } from '../../../src/serving/recommend/marks.ts';

export interface Piece {
  readonly text: string;
  /** How much the word counts, from 0 to 1; undefined: it is not marked. */
  readonly strength?: number;
}

type Place = Pick<Mark, 'start' | 'end' | 'amount'>;

// what src/data/words.ts takes for mark-up
const MARKUP = /<\/?[a-z!][^<>]{0,2000}>|&(?:[a-z][a-z0-9]{1,30}|#\d{1,7}|#x[0-9a-f]{1,6});/gi;
const BLOCK = /<\/?(?:p|div|br|li|ul|ol|h[1-6]|tr|table|blockquote|section|article|pre)\b/i;
const LATIN = // from U+00A0 on
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para ' +
  'middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave ' +
  'Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc ' +
  'Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc ' +
  'iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const ENTITIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(LATIN.split(' ').map((name, i) => [name, String.fromCodePoint(0xa0 + i)])),
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  euro: '€',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  bull: '•',
  trade: '™',
};
export const LEAST = 0.1; // of the strongest: what is less makes no difference

/** `marks`: sorted, none overlap. `most`: the amount of the strongest, where it stands elsewhere. */
export function readablePieces(text: string, marks: readonly Place[] = [], most = strongest(marks)): Piece[] {
  // blocks that follow one another would leave more blank lines than text
  const mostBreaks = BLOCK.test(text) ? 1 : 2;
  const pieces = cutPieces(text, marks, most, (part) => withBreaks(readable(part), mostBreaks));
  return trimmed(pieces);
}

/** The same with all that stands there, for names: they are never mark-up. */
export function plainPieces(text: string, marks: readonly Place[] = [], most = strongest(marks)): Piece[] {
  return cutPieces(text, marks, most, (part) => part);
}

/** At most so many line breaks in a row. */
function withBreaks(text: string, most: number): string {
  return text.replaceAll(/\s*\n\s*/g, (space) => '\n'.repeat(Math.min(most, space.split('\n').length - 1)));
}

/** Without space at either end. */
function trimmed(pieces: readonly Piece[]): Piece[] {
  return pieces
    .map((piece, i) => (i === 0 ? { ...piece, text: piece.text.trimStart() } : piece))
    .map((piece, i) => (i === pieces.length - 1 ? { ...piece, text: piece.text.trimEnd() } : piece))
    .filter((piece) => piece.text !== '');
}

function cutPieces(text: string, marks: readonly Place[], most: number, show: (part: string) => string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end, amount } of marks) {
    if (!(amount >= LEAST * most) || start < at || end > text.length) continue;
    pieces.push({ text: show(text.slice(at, start)) });
    pieces.push({ text: show(text.slice(start, end)), strength: amount / most });
    at = end;
  }
  pieces.push({ text: show(text.slice(at)) });
  return pieces.filter((piece) => piece.text !== '');
}

/** Without mark-up and line breaks. */
export function inOneLine(text: string): string {
  return readable(text).replaceAll(/\s+/g, ' ').trim();
}

export function strongest(marks: readonly Pick<Mark, 'amount'>[] = []): number {
  return marks.reduce((most, { amount }) => Math.max(most, amount), 0);
}

/** Those of one column; undefined: of the title. */
export function marksIn(marks: readonly Mark[] | undefined, column: string | undefined): readonly Mark[] {
  return marks?.filter((mark) => mark.column === column) ?? [];
}

function readable(text: string): string {
  if (!/[<&]/.test(text)) return text;
  return text.replaceAll(MARKUP, (markup) => {
    if (markup.startsWith('<')) return BLOCK.test(markup) ? '\n' : '';
    return characterOf(markup.slice(1, -1)) ?? markup;
  });
}

function characterOf(entity: string): string | undefined {
  if (!entity.startsWith('#')) return Object.hasOwn(ENTITIES, entity) ? ENTITIES[entity] : undefined;
  const code = /^#x/i.test(entity) ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1));
  const isCharacter = code > 31 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : ' ';
}

const ADDRESS_SCHEMES = ['http:', 'https:'];

/** An address of the web, or undefined: nothing else is ever followed or loaded. */
export function webAddress(address: string | undefined): string | undefined {
  const url = parsed(address ?? '');
  return url !== undefined && ADDRESS_SCHEMES.includes(url.protocol) ? url.href : undefined;
}

function parsed(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}

/** As people write it: without the scheme and what is only there for machines. */
export function shortAddress(address: string): string {
  const { host, pathname } = new URL(address);
  return `${host.replace(/^www\./, '')}${pathname === '/' ? '' : decoded(pathname)}`;
}

/** Not where that brings in what is not seen, or turns what is: an address must not look like another. */
function decoded(path: string): string {
  try {
    const text = decodeURI(path);
    return /[\p{C}\p{Z}]/u.test(text) ? path : text;
  } catch {
    return path;
  }
}

/** Where a part first stands in a text, in any case; undefined: nowhere. A letter may be longer in lower case. */
export function placeIn(text: string, part: string): { readonly start: number; readonly end: number } | undefined {
  if (part === '') return undefined;
  const found = new RegExp(part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu').exec(text);
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length };
}
