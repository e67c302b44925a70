// Where the parts of a JSON value stand in its bytes, so that one of them can be changed and the rest copied. The bytes must be
// valid JSON in an encoding that begins with ASCII.

/** A part of a value: bytes[start, end). */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** A property of an object: its value, and where its key stands. */
export interface Member extends Place {
  readonly key: Place;
}

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The first byte from `at` on that is no white space. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let i = at;
  while (i < bytes.length && (bytes[i] === 0x20 || (bytes[i] >= 0x09 && bytes[i] <= 0x0d))) i++;
  return i;
}

/** Behind the value at `from`; −1 where it does not end. */
export function valueEnd(bytes: Uint8Array, from: number): number {
  let depth = 0;
  for (let i = from; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) {
      i = closingQuote(bytes, i + 1);
      if (i < 0) return -1;
      if (depth === 0) return i + 1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (depth === 0) return i; // behind a number or a word
      if (--depth === 0) return i + 1;
    } else if (depth === 0 && (byte === COMMA || byte <= 0x20)) return i;
  }
  return depth === 0 ? bytes.length : -1;
}

function closingQuote(bytes: Uint8Array, from: number): number {
  for (let i = from; i < bytes.length; i++) {
    if (bytes[i] === BACKSLASH) i++;
    else if (bytes[i] === QUOTE) return i;
  }
  return -1;
}

/** The elements of the array at `from`, one by one; an element without an end is given with −1, and is the last. */
export function* elementsOf(bytes: Uint8Array, from: number): Generator<Place> {
  let at = skipSpace(bytes, from + 1);
  while (at < bytes.length && bytes[at] !== CLOSE_ARRAY) {
    const end = valueEnd(bytes, at);
    yield { start: at, end };
    if (end <= at) return;
    at = skipSpace(bytes, end);
    if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1);
  }
}

/** The properties of the object at `from`. */
export function* membersOf(bytes: Uint8Array, from: number): Generator<Member> {
  let at = skipSpace(bytes, from + 1);
  while (at < bytes.length && bytes[at] !== CLOSE_OBJECT) {
    const key = { start: at, end: valueEnd(bytes, at) };
    at = skipSpace(bytes, key.end);
    if (bytes[at] === COLON) at = skipSpace(bytes, at + 1);
    const end = valueEnd(bytes, at);
    if (key.end < 0 || end <= at) return;
    yield { key, start: at, end };
    at = skipSpace(bytes, end);
    if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1);
  }
}
