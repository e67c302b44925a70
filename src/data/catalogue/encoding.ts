// Which encoding a text file is in, and its bytes as UTF-8: UTF-8 and UTF-16 with or without a byte order mark, and Windows-1252,
// which is what "Latin-1" and "ANSI" mean in practice. Everything behind this file sees UTF-8 only.

import { isUtf8 } from '#platform';
import { joined } from '../table/source.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

export interface FoundEncoding {
  readonly encoding: Encoding;
  /** Whether the file begins with a byte order mark. */
  readonly hasBom: boolean;
}

export const ENCODING_NAMES: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16 (big-endian)',
  'windows-1252': 'Windows-1252 (Latin-1)',
};

/** Bytes 128 to 159; a table, as TextDecoder of Node 20 reads them as Latin-1. The rest of Windows-1252 is Latin-1. */
export const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
const NEWLINE = 0x0a;
const encoder = new TextEncoder();

/** The encoding of a file that begins with these bytes. */
export function detectEncoding(sample: Uint8Array): FoundEncoding {
  if (sample[0] === 0xef && sample[1] === 0xbb && sample[2] === 0xbf) return { encoding: 'utf-8', hasBom: true };
  if (sample[0] === 0xff && sample[1] === 0xfe) return { encoding: 'utf-16le', hasBom: true };
  if (sample[0] === 0xfe && sample[1] === 0xff) return { encoding: 'utf-16be', hasBom: true };
  const wide = utf16Order(sample);
  if (wide !== undefined) return { encoding: wide, hasBom: false };
  if (isUtf8(sample.subarray(0, lastCharacterStart(sample)))) return { encoding: 'utf-8', hasBom: false };
  return { encoding: mostlyUtf8(sample) ? 'utf-8' : 'windows-1252', hasBom: false };
}

/** Without a mark, every second byte of western text is zero. */
function utf16Order(sample: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const zeros = [0, 0]; // at even and at odd places
  const length = Math.min(sample.length, 1 << 14);
  for (let i = 0; i < length; i++) if (sample[i] === 0) zeros[i & 1]++;
  if (length < 4 || zeros[0] + zeros[1] < length / 5) return undefined;
  if (zeros[1] > 4 * zeros[0]) return 'utf-16le';
  return zeros[0] > 4 * zeros[1] ? 'utf-16be' : undefined;
}

/** Whether broken lines are the exception: a few lines pasted from elsewhere into a file of UTF-8. */
function mostlyUtf8(sample: Uint8Array): boolean {
  let [good, bad] = [0, 0];
  for (const line of linesOf(sample)) {
    if (!isUtf8(line)) bad++;
    else if (line.some((byte) => byte >= 0x80)) good++;
  }
  return good > bad;
}

function* linesOf(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let start = 0; start < bytes.length; ) {
    const next = bytes.indexOf(NEWLINE, start) + 1 || bytes.length;
    yield bytes.subarray(start, next);
    start = next;
  }
}

/** Turns a file's bytes into UTF-8, chunk by chunk, without its byte order mark. */
export class Utf8Converter {
  readonly #encoding: Encoding;
  readonly #decoder: TextDecoder | undefined;
  #rest: Uint8Array = new Uint8Array(0); // an unfinished character
  #isFirst = true;
  #numBadLines = 0;

  constructor(encoding: Encoding) {
    this.#encoding = encoding;
    this.#decoder = encoding.startsWith('utf-16') ? new TextDecoder(encoding, { ignoreBOM: true }) : undefined;
  }

  /** Lines of a UTF-8 file that are not UTF-8. They are read as Windows-1252. */
  get numBadLines(): number {
    return this.#numBadLines;
  }

  convert(chunk: Uint8Array): Uint8Array {
    if (this.#decoder) return this.#withoutMark(encoder.encode(this.#decoder.decode(chunk, { stream: true })));
    if (this.#encoding === 'windows-1252') return fromWindows1252(chunk);
    const bytes = this.#rest.length === 0 ? chunk : joined([this.#rest, chunk]);
    const end = lastCharacterStart(bytes);
    this.#rest = bytes.slice(end);
    return this.#mended(this.#withoutMark(bytes.subarray(0, end)));
  }

  /** What is left at the end of the file. */
  finish(): Uint8Array {
    if (this.#decoder) return encoder.encode(this.#decoder.decode());
    const rest = this.#rest;
    this.#rest = new Uint8Array(0);
    return this.#mended(rest);
  }

  #withoutMark(bytes: Uint8Array): Uint8Array {
    if (!this.#isFirst || bytes.length === 0) return bytes;
    this.#isFirst = false;
    return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
  }

  #mended(bytes: Uint8Array): Uint8Array {
    if (isUtf8(bytes)) return bytes;
    return joined(
      Array.from(linesOf(bytes), (line) => {
        if (isUtf8(line)) return line;
        this.#numBadLines++;
        return fromWindows1252(line);
      }),
    );
  }
}

/** A text in an encoding; what the encoding has no character for becomes "?" (see `canEncode`). No byte order mark. */
export function encodeText(text: string, encoding: Encoding): Uint8Array {
  if (encoding === 'utf-8') return encoder.encode(text);
  if (encoding === 'windows-1252') return Uint8Array.from(text, (character) => windows1252Code(character) ?? 0x3f);
  const bytes = new Uint8Array(2 * text.length);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), encoding === 'utf-16le');
  return bytes;
}

/** Whether an encoding has all characters of a text. */
export function canEncode(text: string, encoding: Encoding): boolean {
  return encoding !== 'windows-1252' || Array.from(text).every((character) => windows1252Code(character) !== undefined);
}

function windows1252Code(character: string): number | undefined {
  const code = character.codePointAt(0) as number;
  if (code < 0x80 || (code >= 0xa0 && code <= 0xff)) return code;
  const at = WINDOWS_1252.indexOf(character);
  return at < 0 ? undefined : 0x80 + at;
}

function fromWindows1252(bytes: Uint8Array): Uint8Array {
  let at = 0;
  while (at < bytes.length && bytes[at] < 0x80) at++;
  if (at === bytes.length) return bytes;
  const out = new Uint8Array(3 * bytes.length);
  out.set(bytes.subarray(0, at));
  let size = at;
  for (; at < bytes.length; at++) {
    const byte = bytes[at];
    const code = byte >= 0x80 && byte < 0xa0 ? WINDOWS_1252.charCodeAt(byte - 0x80) : byte;
    if (code < 0x80) out[size++] = code;
    else if (code < 0x800) {
      out[size++] = 0xc0 | (code >> 6);
      out[size++] = 0x80 | (code & 0x3f);
    } else {
      out[size++] = 0xe0 | (code >> 12);
      out[size++] = 0x80 | ((code >> 6) & 0x3f);
      out[size++] = 0x80 | (code & 0x3f);
    }
  }
  return out.slice(0, size);
}

/** Where the last character begins, if it is cut off; else the length. */
export function lastCharacterStart(bytes: Uint8Array): number {
  for (let i = bytes.length - 1; i >= Math.max(0, bytes.length - 4); i--) {
    const byte = bytes[i];
    if (byte < 0x80) return bytes.length;
    if (byte < 0xc0) continue;
    const width = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return i + width <= bytes.length ? bytes.length : i;
  }
  return bytes.length;
}
