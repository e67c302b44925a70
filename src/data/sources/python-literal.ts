// Python literals, one a line, as some releases print their records (`repr`, not JSON): dicts, lists, '…', "…" and u'…'
// strings, numbers, True, False, None. Exact, by Python 3's rules; anything else stops with file, line and column.

import { InputError } from '../../errors.ts';
import type { Listener } from '../../listener.ts';
import { type Line, readLines } from '../table/lines.ts';

export type PythonKey = string | number | bigint | boolean | null;
export type PythonDict = ReadonlyMap<PythonKey, PythonValue>;
export type PythonValue = PythonKey | readonly PythonValue[] | PythonDict;

const MAX_DEPTH = 100; // of lists and dicts inside one another: far from the end of the stack
const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?L?/y;
const CONSTANTS: readonly (readonly [string, PythonKey])[] = [
  ['True', true],
  ['False', false],
  ['None', null],
];

/** Calls `onValue` for each line of a file; blank lines are passed over. */
export async function readPythonLines(
  path: string,
  options: Listener,
  onValue: (value: PythonValue, line: number) => void,
): Promise<void> {
  for await (const line of readLines(path, options)) onValue(parsePythonLiteral(line, path), line.number);
}

/** Whole numbers too large to be exact become bigint. */
export function parsePythonLiteral(line: Line, path?: string): PythonValue {
  return new Parser(line, path).parse();
}

class Parser {
  readonly #line: Line;
  readonly #path: string | undefined;
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(line: Line, path: string | undefined) {
    this.#line = line;
    this.#path = path;
    this.#text = line.text;
  }

  parse(): PythonValue {
    const value = this.#value();
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#unexpected('the end of the line');
    return value;
  }

  #value(): PythonValue {
    this.#skipSpace();
    const first = this.#text[this.#at];
    if (first === '{') return this.#nested(() => this.#dict());
    if (first === '[') return this.#nested(() => this.#list());
    return this.#key('a value');
  }

  /** A value that holds no others. */
  #key(expected: string): PythonKey {
    const first = this.#text[this.#at];
    if (first === "'" || first === '"') return this.#string(first);
    if (first === 'u' || first === 'U') {
      const quote = this.#text[this.#at + 1];
      if (quote === "'" || quote === '"') {
        this.#at++;
        return this.#string(quote);
      }
    }
    for (const [word, value] of CONSTANTS) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    return this.#number(expected);
  }

  #nested<T>(parse: () => T): T {
    if (++this.#depth > MAX_DEPTH) throw this.#problem(`more than ${MAX_DEPTH} brackets inside one another`, 'fewer');
    this.#at++;
    const value = parse();
    this.#depth--;
    return value;
  }

  #dict(): PythonDict {
    const dict = new Map<PythonKey, PythonValue>();
    while (!this.#closes('}')) {
      const key = this.#key('a key');
      this.#skipSpace();
      if (this.#text[this.#at] !== ':') throw this.#unexpected('":"');
      this.#at++;
      dict.set(key, this.#value());
      this.#separator('}');
    }
    return dict;
  }

  #list(): PythonValue[] {
    const list: PythonValue[] = [];
    while (!this.#closes(']')) {
      list.push(this.#value());
      this.#separator(']');
    }
    return list;
  }

  #closes(bracket: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== bracket) return false;
    this.#at++;
    return true;
  }

  /** A comma, which may also stand before the closing bracket. */
  #separator(bracket: string): void {
    this.#skipSpace();
    if (this.#text[this.#at] === ',') this.#at++;
    else if (this.#text[this.#at] !== bracket) throw this.#unexpected(`"," or "${bracket}"`);
  }

  #string(quote: "'" | '"'): string {
    const begin = this.#at++;
    let value = '';
    for (;;) {
      const plain = UNESCAPED[quote];
      plain.lastIndex = this.#at;
      value += plain.exec(this.#text)?.[0] ?? '';
      this.#at = plain.lastIndex || this.#at;
      const character = this.#text[this.#at];
      if (character === undefined) {
        this.#at = begin;
        throw this.#problem('a string that does not end', `a closing ${quote}`);
      }
      if (character === quote) break;
      const escaped = escapeAt(this.#text, this.#at);
      if (escaped === undefined) throw this.#unexpected('a whole escape, such as \\n, \\x41 or \\u00e9');
      value += escaped.text;
      this.#at += escaped.length;
    }
    this.#at++;
    return value;
  }

  #number(expected: string): number | bigint {
    NUMBER.lastIndex = this.#at;
    const found = NUMBER.exec(this.#text)?.[0];
    if (found === undefined) throw this.#unexpected(expected);
    this.#at += found.length;
    const digits = found.endsWith('L') ? found.slice(0, -1) : found; // Python 2's long
    const value = Number(digits);
    return Number.isSafeInteger(value) || !/^[-+]?\d+$/.test(digits) ? value : BigInt(digits.replace('+', ''));
  }

  #skipSpace(): void {
    while (this.#text[this.#at] === ' ' || this.#text[this.#at] === '\t') this.#at++;
  }

  #unexpected(expected: string): InputError {
    const rest = this.#text.slice(this.#at, this.#at + 20);
    return this.#problem(rest === '' ? 'the end of the line' : JSON.stringify(rest), expected);
  }

  #problem(got: string, expected: string): InputError {
    return new InputError({
      ...(this.#path === undefined ? {} : { file: this.#path }),
      line: this.#line.number,
      got: `${got} at column ${this.#at + 1}`,
      expected,
      cure: 'Check that each line is one whole Python literal; fetch the file again if it was cut short.',
    });
  }
}

/** What a backslash means inside a Python string. */
interface Escape {
  readonly text: string;
  /** Characters it takes in the source, with the backslash. */
  readonly length: number;
}

/** The longest run without a backslash or the closing quote. */
const UNESCAPED = { "'": /[^'\\]+/y, '"': /[^"\\]+/y } as const;

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

/**
 * The escape whose backslash stands at `at`; undefined if it is cut short or names no character. An escape that Python does
 * not know is no error there: the backslash stays, so "\d" has two characters.
 */
function escapeAt(source: string, at: number): Escape | undefined {
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
