// The entries of a .bib file: types, keys and fields as they are written, with abbreviations (@string) and parts joined by # put
// together. An entry that is not well-formed is left out, and reading goes on with the next one.

export interface BibEntry {
  /** In lower case: article, book, … */
  readonly type: string;
  /** '' where it has none. */
  readonly key: string;
  /** By name in lower case; LaTeX as it stands. */
  readonly fields: ReadonlyMap<string, string>;
  readonly line: number;
}

/** An entry that cannot be read. */
export interface BrokenEntry {
  readonly line: number;
  /** What was found; follows the word "got". */
  readonly got: string;
  readonly expected: string;
}

export interface BibFile {
  readonly entries: readonly BibEntry[];
  readonly broken: readonly BrokenEntry[];
}

const START = /@\s*([a-z][\w-]*)\s*([{(])/giy;
/** Where another entry begins, whatever is still open: the brace before it was forgotten. */
const NEXT_ENTRY = /[ \t]*@\s*[a-z][\w-]*\s*[{(]\s*[^\s,={}()"]*\s*[,=]/iy;
const MAX_VALUE = 1 << 22; // characters: abbreviations of abbreviations grow without end

class Broken extends Error {
  readonly got: string;
  readonly expected: string;
  readonly at: number;

  constructor(at: number, got: string, expected: string) {
    super(got);
    this.at = at;
    this.got = got;
    this.expected = expected;
  }
}

export function parseBibTex(text: string): BibFile {
  const parser = new BibParser(text);
  const entries: BibEntry[] = [];
  const broken: BrokenEntry[] = [];
  for (let at = parser.nextEntry(0); at >= 0; at = parser.nextEntry(parser.at)) {
    try {
      const entry = parser.readEntry(at);
      if (entry !== undefined) entries.push(entry);
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      broken.push({ line: parser.lineAt(at), got: error.got, expected: error.expected });
      parser.at = Math.max(at + 1, error.at);
    }
  }
  return { entries, broken };
}

class BibParser {
  at = 0;
  readonly #text: string;
  readonly #strings = new Map<string, string>();
  #line = 1;
  #lineUntil = 0; // lines are counted up to here

  constructor(text: string) {
    this.#text = text;
  }

  /** Where the next entry begins; −1 behind the last. What stands between entries is a comment. */
  nextEntry(from: number): number {
    for (let at = this.#text.indexOf('@', from); at >= 0; at = this.#text.indexOf('@', at + 1)) {
      START.lastIndex = at;
      if (START.test(this.#text)) return at;
    }
    return -1;
  }

  /** Lines are asked for in order. */
  lineAt(place: number): number {
    for (
      let next = this.#text.indexOf('\n', this.#lineUntil);
      next >= 0 && next < place;
      next = this.#text.indexOf('\n', next + 1)
    ) {
      this.#line++;
      this.#lineUntil = next + 1;
    }
    return this.#line;
  }

  /** Reads the entry at `start`; undefined for what is none: @comment, @preamble, @string. */
  readEntry(start: number): BibEntry | undefined {
    START.lastIndex = start;
    const [, name, open] = START.exec(this.#text) as unknown as [string, string, string];
    this.at = START.lastIndex;
    const type = name.toLowerCase();
    const close = open === '{' ? '}' : ')';
    if (type === 'comment') {
      this.#skipComment(open);
      return undefined;
    }
    if (type === 'preamble') {
      this.#value();
      this.#expect(close);
      return undefined;
    }
    const line = this.lineAt(start);
    const key = type === 'string' ? '' : this.#key(close);
    const fields = this.#fields(close);
    if (type !== 'string') return { type, key, fields, line };
    for (const [field, value] of fields) this.#strings.set(field, value);
    return undefined;
  }

  /** JabRef keeps its own data in balanced comments; a comment that does not end is a word that means nothing. */
  #skipComment(open: string): void {
    const from = this.at;
    try {
      if (open === '{') this.#braced();
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      this.at = from;
    }
  }

  #key(close: string): string {
    this.#skipSpace();
    const start = this.at;
    while (this.at < this.#text.length && !',={}"\n'.includes(this.#text[this.at]) && this.#text[this.at] !== close)
      this.at++;
    const key = this.#text.slice(start, this.at).trim();
    if (this.#text[this.at] === '=') {
      this.at = start; // no key, but a field
      return '';
    }
    this.#skipSpace();
    if (this.#text[this.at] === ',') this.at++;
    else if (this.#text[this.at] !== close) throw this.#broken('a comma behind the key');
    return key;
  }

  #fields(close: string): Map<string, string> {
    const fields = new Map<string, string>();
    for (;;) {
      this.#skipSpace();
      if (this.#text[this.at] === close) {
        this.at++;
        return fields;
      }
      if (this.#text[this.at] === ',') {
        this.at++; // one too many is common
        continue;
      }
      const name = this.#word('the name of a field');
      this.#expect('=');
      const value = this.#value();
      if (!fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value);
      this.#skipSpace();
      if (this.#text[this.at] !== ',' && this.#text[this.at] !== close)
        throw this.#broken(`a comma or ${close} behind the field ${name}`);
    }
  }

  /** Parts joined by #. */
  #value(): string {
    let value = '';
    do {
      this.#skipSpace();
      value += this.#part();
      if (value.length > MAX_VALUE)
        throw new Broken(this.at, 'a value of more than four million characters', 'a shorter one');
      this.#skipSpace();
    } while (this.#text[this.at] === '#' && this.at++ >= 0);
    return value;
  }

  #part(): string {
    const first = this.#text[this.at];
    if (first === '{') {
      this.at++;
      return this.#braced();
    }
    if (first === '"') return this.#quoted();
    const word = this.#word('a value in braces or quotes');
    return this.#strings.get(word.toLowerCase()) ?? word;
  }

  /** Behind an opening brace; goes behind the one that closes it. */
  #braced(): string {
    const start = this.at;
    let depth = 1;
    for (; this.at < this.#text.length; this.at++) {
      const character = this.#text[this.at];
      if (character === '\\') this.at++;
      else if (character === '{') depth++;
      else if (character === '}' && --depth === 0) return this.#text.slice(start, this.at++);
      else if (character === '\n') this.#refuseNextEntry('}');
    }
    throw this.#broken('}');
  }

  #quoted(): string {
    const start = ++this.at;
    let depth = 0;
    for (; this.at < this.#text.length; this.at++) {
      const character = this.#text[this.at];
      if (character === '\\') this.at++;
      else if (character === '{') depth++;
      else if (character === '}') depth--;
      else if (character === '"' && depth <= 0) return this.#text.slice(start, this.at++);
      else if (character === '\n') this.#refuseNextEntry('a closing quote');
    }
    throw this.#broken('a closing quote');
  }

  /** A brace that is never closed would take in the rest of the file. */
  #refuseNextEntry(expected: string): void {
    NEXT_ENTRY.lastIndex = this.at + 1;
    if (NEXT_ENTRY.test(this.#text)) throw new Broken(this.at + 1, 'another entry', expected);
  }

  #word(expected: string): string {
    this.#skipSpace();
    const start = this.at;
    while (this.at < this.#text.length && /[^\s,={}()"#@]/.test(this.#text[this.at])) this.at++;
    if (this.at === start) throw this.#broken(expected);
    return this.#text.slice(start, this.at);
  }

  #expect(character: string): void {
    this.#skipSpace();
    if (this.#text[this.at] !== character) throw this.#broken(character);
    this.at++;
  }

  #skipSpace(): void {
    while (this.at < this.#text.length && /\s/.test(this.#text[this.at])) this.at++;
  }

  #broken(expected: string): Broken {
    const found = this.#text
      .slice(this.at, this.at + 20)
      .trim()
      .split(/\s/)[0];
    const got = this.at >= this.#text.length ? 'the end of the file' : JSON.stringify(found);
    return new Broken(this.at, got, expected);
  }
}
