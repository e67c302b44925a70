// What a backslash means inside a Python string. An escape that Python does not know is no error there: the backslash
// stays, so "\d" has two characters.

export interface Escape {
  readonly text: string;
  /** Characters it takes in the source, with the backslash. */
  readonly length: number;
}

/** The longest run without a backslash or the closing quote. */
export const UNESCAPED = { "'": /[^'\\]+/y, '"': /[^"\\]+/y } as const;

const SINGLE: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** The escape whose backslash stands at `at`; undefined if it is cut short or names no character. */
export function escapeAt(source: string, at: number): Escape | undefined {
  const kind = source[at + 1];
  if (kind === undefined) return undefined;
  if (Object.hasOwn(SINGLE, kind)) return { text: SINGLE[kind], length: 2 };
  if (Object.hasOwn(HEX_DIGITS, kind)) return hexEscape(source, at, HEX_DIGITS[kind]);
  if (kind === 'N') return undefined; // a character by its Unicode name: repr never writes it
  const octal = source.slice(at + 1, at + 4).match(/^[0-7]+/)?.[0];
  if (octal !== undefined) return { text: String.fromCharCode(Number.parseInt(octal, 8)), length: 1 + octal.length };
  return { text: '\\', length: 1 };
}

function hexEscape(source: string, at: number, numDigits: number): Escape | undefined {
  const digits = source.slice(at + 2, at + 2 + numDigits);
  if (digits.length < numDigits || !/^[\da-fA-F]+$/.test(digits)) return undefined;
  const code = Number.parseInt(digits, 16);
  return code > 0x10ffff ? undefined : { text: String.fromCodePoint(code), length: 2 + numDigits };
}
