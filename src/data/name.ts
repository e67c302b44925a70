// What counts as a name. White space around it is dropped, and a control character inside it (a tab, a line break)
// becomes a space: so a name never needs escaping in a tab-separated file, and " rock" is "rock". A name of nothing
// but white space is blank, and a row that holds one is left out. The words of a name are here as well.

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const SPACE = 0x20;
const DELETE = 0x7f;

/** Bounds of a name inside a byte array; one object is reused for millions of fields. */
export interface Span {
  start: number;
  end: number;
}

/** Narrows [start, end) to the name inside it, rewriting control characters in place. Blank: start = end. */
export function trimName(span: Span, bytes: Uint8Array, start: number, end: number): void {
  // a name of printable ASCII without outer spaces, the common case, falls through both loops
  for (let width = spaceAt(bytes, start, end); start < end && width > 0; width = spaceAt(bytes, start, end))
    start += width;
  for (let width = spaceBefore(bytes, start, end); start < end && width > 0; width = spaceBefore(bytes, start, end))
    end -= width;
  for (let i = start; i < end; i++) {
    if (bytes[i] < SPACE || bytes[i] === DELETE) bytes[i] = SPACE;
  }
  span.start = start;
  span.end = end;
}

const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/;

/** The same rule for a string. */
export function cleanName(name: string): string {
  if (PLAIN.test(name)) return name;
  const bytes = encoder.encode(name);
  const span = { start: 0, end: 0 };
  trimName(span, bytes, 0, bytes.length);
  return decoder.decode(bytes.subarray(span.start, span.end));
}

/** Length in bytes of the white-space character that starts at `i`, or 0. */
function spaceAt(bytes: Uint8Array, i: number, end: number): number {
  if (i >= end) return 0;
  const first = bytes[i];
  if (first <= SPACE || first === DELETE) return 1;
  if (first < 0xc2) return 0;
  if (i + 1 < end && isSpace2(first, bytes[i + 1])) return 2;
  return i + 2 < end && isSpace3(first, bytes[i + 1], bytes[i + 2]) ? 3 : 0;
}

/** Length in bytes of the white-space character that ends at `end`, or 0. */
function spaceBefore(bytes: Uint8Array, start: number, end: number): number {
  if (start >= end) return 0;
  const last = bytes[end - 1];
  if (last <= SPACE || last === DELETE) return 1;
  if (last < 0x80) return 0;
  if (end - 2 >= start && isSpace2(bytes[end - 2], last)) return 2;
  return end - 3 >= start && isSpace3(bytes[end - 3], bytes[end - 2], last) ? 3 : 0;
}

/** U+0085 and U+00A0. */
function isSpace2(a: number, b: number): boolean {
  return a === 0xc2 && (b === 0x85 || b === 0xa0);
}

/** The other white space of Unicode, and the marks that show nothing: zero width space, joiner marks, byte order mark. */
function isSpace3(a: number, b: number, c: number): boolean {
  if (a === 0xe2 && b === 0x80) return (c >= 0x80 && c <= 0x8f) || c === 0xa8 || c === 0xa9 || c === 0xaf;
  if (a === 0xe2 && b === 0x81) return c === 0x9f || c === 0xa0;
  return (
    (a === 0xe3 && b === 0x80 && c === 0x80) ||
    (a === 0xe1 && b === 0x9a && c === 0x80) ||
    (a === 0xef && b === 0xbb && c === 0xbf)
  );
}

/**
 * The words of a name, each once, in the order they come: runs of letters and digits without case and accents. A capital
 * inside a word begins another (fooBar). A name says much about an object (eslint-plugin-react), and every data set has names.
 */
export function wordsOf(name: string): string[] {
  const folded = name
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  return [...new Set(folded.match(/[\p{L}\p{N}]+/gu) ?? [])];
}
