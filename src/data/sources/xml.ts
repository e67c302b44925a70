// XML as it is read, element by element, by saxes: a file of any size passes through a few megabytes of memory. What is no XML, not
// UTF-8, cut off, or made to exhaust whoever reads it is an error with its line.

import type { SaxesParser } from 'saxes';
import { basename, isUtf8 } from '#platform';
import { InputError } from '../../errors.ts';
import { type Listener, makeBreather } from '../../listener.ts';
import { optional } from '../../optional.ts';
import { detectEncoding, lastCharacterStart, Utf8Converter } from '../catalogue/encoding.ts';
import { joined, notUtf8, readChunks } from '../table/source.ts';

export interface XmlOptions extends Listener {
  /** The name of the outermost element. */
  readonly root: string;
  /** What to do where the file is another one. */
  readonly cure: string;
}

/** What hears of elements. */
export interface XmlReader {
  /** An element begins; `depth` is 1 for those right below the root. */
  open?(name: string, attributes: Readonly<Record<string, string>>, place: { line: number; depth: number }): void;
  /** An element ends. `text` is what stands directly in it, without that of the elements inside. */
  close?(name: string, text: string, depth: number): void;
}

/** Far above what exports hold. */
const MAX_DEPTH = 100;
const MAX_CHARACTERS = 1 << 24; // of a tag with its attributes, a comment, or the text of an element
const SLICE = 1 << 16; // characters between two looks at the limits and the clock
const CONTROLS = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu; // not allowed in XML, and found in exports all the same
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export async function readXml(path: string, reader: XmlReader, options: XmlOptions): Promise<void> {
  const { SaxesParser: Parser } = await optional('reading XML', ['saxes'], () => import('saxes'));
  const document = new XmlDocument(path, new Parser(), reader, options);
  const breathe = makeBreather(options);
  let toText: ((chunk: Uint8Array, line: number) => string) | undefined;
  const write = async (text: string) => {
    for (let at = 0; at < text.length; at += SLICE) {
      await breathe();
      document.write(text.slice(at, at + SLICE));
    }
  };
  for await (const chunk of readChunks(path, options)) {
    toText ??= textOf(path, chunk);
    await write(toText(chunk, document.line));
  }
  await write(toText?.(NOTHING, document.line) ?? '');
  document.finish();
}

const NOTHING = new Uint8Array(0);

/** Turns chunks into text; an empty one stands for the end of the file. */
function textOf(path: string, head: Uint8Array): (chunk: Uint8Array, line: number) => string {
  refuseArchive(path, head);
  const { encoding } = detectEncoding(head);
  const start = String.fromCharCode(...head.subarray(0, 200)).replaceAll('\0', '');
  const declared = /^[^<]*<\?xml[^>]*?\bencoding\s*=\s*["']([^"']*)["']/.exec(start)?.[1] ?? 'UTF-8';
  if (!encoding.startsWith('utf-16') && /^(utf-?8|us-ascii)$/i.test(declared)) return strictUtf8(path);
  if (!encoding.startsWith('utf-16') && !/^(iso-?8859-1|windows-1252|latin-?1|cp1252)$/i.test(declared)) {
    const cure = 'Save the file as UTF-8 and change its first line.';
    throw new InputError({ file: path, line: 1, got: `the encoding ${declared}`, expected: 'UTF-8', cure });
  }
  const converter = new Utf8Converter(encoding.startsWith('utf-16') ? encoding : 'windows-1252');
  return (chunk) => decoder.decode(chunk.length > 0 ? converter.convert(chunk) : converter.finish());
}

function strictUtf8(path: string): (chunk: Uint8Array, line: number) => string {
  let rest: Uint8Array = NOTHING; // an unfinished character
  let isFirst = true;
  return (chunk, line) => {
    const bytes = rest.length === 0 ? chunk : joined([rest, chunk]);
    const end = chunk.length === 0 ? bytes.length : lastCharacterStart(bytes);
    rest = bytes.slice(end);
    const whole = bytes.subarray(0, end);
    if (!isUtf8(whole)) throw notUtf8(path, line + linesBeforeBad(whole));
    const text = decoder.decode(whole);
    const hasMark = isFirst && text.startsWith('\ufeff');
    isFirst = false;
    return hasMark ? text.slice(1) : text;
  };
}

function linesBeforeBad(bytes: Uint8Array): number {
  for (let [start, line] = [0, 0]; ; line++) {
    const next = bytes.indexOf(0x0a, start) + 1 || bytes.length;
    if (next >= bytes.length || !isUtf8(bytes.subarray(start, next))) return line;
    start = next;
  }
}

function refuseArchive(file: string, head: Uint8Array): void {
  const magic = String.fromCharCode(...head.subarray(0, 2));
  const tool = magic === '7z' ? '7z x' : magic === 'PK' ? 'unzip' : magic === 'BZ' ? 'bunzip2' : undefined;
  if (tool === undefined) return;
  const cure = `Unpack it first (${tool} FILE) and give what comes out.`;
  throw new InputError({ file, got: 'an archive', expected: 'an XML file, plain or .gz', cure });
}

/** One file: what its parser says becomes calls of the reader, or an error of ours. */
class XmlDocument {
  readonly #path: string;
  readonly #parser: SaxesParser;
  readonly #reader: XmlReader;
  readonly #options: XmlOptions;
  readonly #open: { readonly name: string; text: string }[] = [];
  #hasRoot = false;
  #numWaiting = 0; // characters since the parser last said something
  #numControls = 0;

  constructor(path: string, parser: SaxesParser, reader: XmlReader, options: XmlOptions) {
    this.#path = path;
    this.#parser = parser;
    this.#reader = reader;
    this.#options = options;
    parser.on('opentag', ({ name, attributes }) => this.#onOpen(name, attributes));
    parser.on('closetag', ({ name }) => this.#onClose(name));
    parser.on('text', (text) => this.#onText(text));
    parser.on('cdata', (text) => this.#onText(text));
    parser.on('comment', () => this.#heard());
    parser.on('doctype', (doctype) => this.#onDoctype(doctype));
    parser.on('error', (error) => this.#onError(error));
  }

  get line(): number {
    return this.#parser.line;
  }

  write(text: string): void {
    this.#numWaiting += text.length;
    const clean = text.replace(CONTROLS, () => {
      this.#numControls++;
      return ' ';
    });
    this.#parser.write(clean);
    if (this.#numWaiting > MAX_CHARACTERS) throw this.#tooLong();
  }

  finish(): void {
    this.#parser.close();
    const count = this.#numControls;
    if (count === 0) return;
    const characters = count === 1 ? '1 character' : `${count.toLocaleString('en')} characters`;
    this.#options.warn?.(`${basename(this.#path)}: read ${characters} that XML does not allow as spaces.`);
  }

  #onOpen(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#heard();
    const depth = this.#open.length;
    if (depth === 0) this.#checkRoot(name);
    if (depth >= MAX_DEPTH) {
      const got = `an element inside ${depth} others`;
      throw this.#problem(
        got,
        `${MAX_DEPTH} at most`,
        'This is no export of such a program: check where it comes from.',
      );
    }
    this.#open.push({ name, text: '' });
    if (depth > 0) this.#reader.open?.(name, attributes, { line: this.line, depth });
  }

  #onClose(name: string): void {
    this.#heard();
    const element = this.#open.pop();
    if (this.#open.length > 0) this.#reader.close?.(name, element?.text ?? '', this.#open.length);
  }

  #onText(text: string): void {
    this.#heard();
    const element = this.#open.at(-1);
    if (element === undefined || this.#reader.close === undefined) return;
    element.text += text;
    if (element.text.length > MAX_CHARACTERS) throw this.#tooLong();
  }

  #heard(): void {
    this.#numWaiting = 0;
  }

  #checkRoot(name: string): void {
    this.#hasRoot = true;
    const { root, cure } = this.#options;
    if (name !== root) throw this.#problem(`an XML file that begins with <${shortened(name)}>`, `<${root}>`, cure);
  }

  /** Entities of a file's own are never expanded: a few lines of them can mean gigabytes of text. */
  #onDoctype(doctype: string): void {
    this.#heard();
    if (!doctype.includes('[')) return;
    throw this.#problem(
      'a DOCTYPE with declarations',
      'XML without one',
      'Exports have none: remove it, or export again.',
    );
  }

  #onError({ message }: Error): void {
    const said = message.replace(/^(.*?:)?\d+:\d+: /, '').replace(/\.$/, '');
    if (/^malformed character entity/.test(said)) {
      this.#numControls++; // it stays as it is written
      return;
    }
    const { root, cure } = this.#options;
    if (!this.#hasRoot && !/^(undefined|disallowed)/.test(said)) {
      throw new InputError({ file: this.#path, got: 'no XML', expected: `<${root}>`, cure });
    }
    if (/^(unclosed tag|unexpected end|document must contain)/.test(said)) {
      const inside = this.#open.at(-1)?.name ?? root;
      const cut = 'The file was cut short: copy, unpack or export it again.';
      throw this.#problem(`a file that ends inside <${shortened(inside)}>`, `</${root}> at its end`, cut);
    }
    const broken = 'Export it again; if it was edited by hand, correct this line.';
    throw this.#problem(`XML that is not well-formed (${shortened(said)})`, 'well-formed XML', broken);
  }

  #tooLong(): InputError {
    const got = `more than ${MAX_CHARACTERS.toLocaleString('en')} characters in one element or attribute`;
    return this.#problem(
      got,
      'the text of one object',
      'Check that this is the export: a quote or a tag may not be closed.',
    );
  }

  #problem(got: string, expected: string, cure: string): InputError {
    return new InputError({ file: this.#path, line: this.line, got, expected, cure });
  }
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
