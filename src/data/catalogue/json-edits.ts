// A JSON object with some of its values changed, in the style it is written in: what stands between elements and behind colons is
// taken from what is there.

import { isUtf8, utf8Text } from '#platform';
import { joined } from '../table/source.ts';
import { encodeText, Utf8Converter } from './encoding.ts';
import { elementsOf, type Member, membersOf, type Place } from './json-places.ts';
import { tagsOfArray } from './tag-lists.ts';

/** What becomes of a property: a new text, or items at the end of its list. */
export interface PropertyEdit {
  readonly name: string;
  readonly text?: string;
  readonly items?: readonly string[];
}

const OPEN_ARRAY = 0x5b;

/** `isLegacy`: the bytes are Windows-1252, not UTF-8. */
export function editedObject(bytes: Uint8Array, edits: readonly PropertyEdit[], isLegacy = false): Uint8Array {
  const object = new ObjectEditor(bytes, isLegacy);
  for (const edit of edits) object.edit(edit);
  return object.result();
}

interface Change extends Place {
  readonly text: string;
}

class ObjectEditor {
  readonly #bytes: Uint8Array;
  readonly #isLegacy: boolean;
  readonly #members: readonly Member[];
  readonly #changes: Change[] = [];

  constructor(bytes: Uint8Array, isLegacy: boolean) {
    this.#bytes = bytes;
    this.#isLegacy = isLegacy;
    this.#members = Array.from(membersOf(bytes, 0));
  }

  edit({ name, text, items }: PropertyEdit): void {
    const member = this.#members.findLast(({ key }) => JSON.parse(this.#textAt(key)) === name); // the last one counts
    if (member === undefined) {
      this.#insert(
        `${JSON.stringify(name)}${this.#colon()}${text === undefined ? this.#list(items ?? []) : quoted(text)}`,
      );
    } else if (items !== undefined && this.#bytes[member.start] === OPEN_ARRAY) this.#append(member, items);
    else this.#changes.push({ ...member, text: items === undefined ? quoted(text ?? '') : this.#list(items) });
  }

  result(): Uint8Array {
    const pieces: Uint8Array[] = [];
    let at = 0;
    for (const { start, end, text } of this.#changes.sort((a, b) => a.start - b.start)) {
      pieces.push(this.#bytes.subarray(at, start), encodeText(text, this.#isLegacy ? 'windows-1252' : 'utf-8'));
      at = end;
    }
    return joined([...pieces, this.#bytes.subarray(at)]);
  }

  /** A property at the end of the object. */
  #insert(property: string): void {
    const last = this.#members.at(-1);
    if (last === undefined) this.#changes.push({ start: 1, end: this.#bytes.length - 1, text: property });
    else this.#changes.push({ start: last.end, end: last.end, text: `${this.#comma()}${property}` });
  }

  /** Items at the end of a list. */
  #append(list: Place, items: readonly string[]): void {
    const elements = Array.from(elementsOf(this.#bytes, list.start));
    const last = elements.at(-1);
    if (last === undefined) {
      this.#changes.push({ ...list, text: this.#list(items) });
      return;
    }
    const before = elements.at(-2);
    const space = this.#textAt({ start: list.start + 1, end: elements[0].start });
    const own = /\n/.test(space) ? `,${space}` : this.#tightComma();
    const comma = before === undefined ? own : this.#textAt({ start: before.end, end: last.start });
    const written = items.map((item) => comma + this.#itemLike(last, item));
    this.#changes.push({ start: last.end, end: last.end, text: written.join('') });
  }

  /** A text, or an object with a name where the others are such. */
  #itemLike(other: Place, item: string): string {
    const value: unknown = JSON.parse(this.#textAt(other));
    if (typeof value !== 'object' || value === null) return quoted(item);
    const [name] = tagsOfArray([value]);
    const key = Object.entries(value).find(([, one]) => one === name)?.[0] ?? 'name';
    return `{${JSON.stringify(key)}${this.#colon()}${quoted(item)}}`;
  }

  /** A list that was not there, or blank: on lines of its own where the object is written so. */
  #list(items: readonly string[]): string {
    const [, indent] = /\n([ \t]*)$/.exec(this.#comma()) ?? [];
    if (indent === undefined || this.#hasListOnOneLine()) return `[${items.map(quoted).join(this.#tightComma())}]`;
    const end = this.#textAt({ start: this.#members.at(-1)?.end ?? 0, end: this.#bytes.length });
    const [, outer = ''] = /\n([ \t]*)\}$/.exec(end) ?? [];
    const inner = `\n${indent}${indent.slice(outer.length) || '  '}`;
    return `[${inner}${items.map(quoted).join(`,${inner}`)}\n${indent}]`;
  }

  #hasListOnOneLine(): boolean {
    return this.#members.some(
      (member) => this.#bytes[member.start] === OPEN_ARRAY && /^\[[^\n]*\S[^\n]*\]$/.test(this.#textAt(member)),
    );
  }

  /** Behind a comma on one line. */
  #tightComma(): string {
    return /\s$/.test(this.#colon()) ? ', ' : ',';
  }

  /** What stands between a key and its value. */
  #colon(): string {
    const first = this.#members.at(0);
    return first === undefined ? ': ' : this.#textAt({ start: first.key.end, end: first.start });
  }

  /** What stands between two properties. */
  #comma(): string {
    const [first, second] = this.#members;
    if (first === undefined) return '';
    if (second !== undefined) return this.#textAt({ start: first.end, end: second.key.start });
    const space = this.#textAt({ start: 1, end: first.key.start });
    return /\n/.test(space) ? `,${space}` : this.#tightComma();
  }

  #textAt({ start, end }: Place): string {
    const part = this.#bytes.subarray(start, end);
    const text = isUtf8(part) ? part : new Utf8Converter('windows-1252').convert(part);
    return utf8Text(text, 0, text.length);
  }
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
