// What a model is made of, in a form that goes from one thread to another without a copy: structured clones lose the class of an
// object and what is private in it, so names, vocabularies and relations travel as their arrays and are put together again.

import { Relation } from '../data/relation.ts';
import { StoredTexts, type TextPlace } from '../data/stored-texts.ts';
import { NameTable, Vocabulary, vocabularyFromParts, vocabularyParts } from '../data/vocabulary.ts';

/** A value that was packed: its arrays, and what they belong to. */
export interface Packed<Value> {
  readonly packed: unknown;
  /** What to hand over; the value it was made from cannot be used any more after that. */
  readonly buffers: ArrayBuffer[];
  readonly of?: Value; // never there: says what unpacking gives
}

type Parts =
  | { readonly class: 'names'; readonly bytes: Uint8Array; readonly offsets: Uint32Array }
  | { readonly class: 'stored texts'; readonly place: TextPlace; readonly offsets: Uint32Array }
  | { readonly class: 'vocabulary'; readonly names: unknown; readonly slots: Int32Array }
  | { readonly class: 'relation'; readonly relation: RelationArrays }
  | { readonly class: 'object'; readonly entries: readonly (readonly [string, unknown])[] };

type RelationArrays = Pick<Relation, 'numHeads' | 'numTails' | 'heads' | 'tails' | 'rowStart'>;

/** Of objects, lists, typed arrays, names, vocabularies, relations and plain values. */
export function packForThread<Value>(value: Value): Packed<Value> {
  const buffers = new Set<ArrayBuffer>();
  const pack = (one: unknown): unknown => {
    if (ArrayBuffer.isView(one)) {
      buffers.add(one.buffer as ArrayBuffer);
      return one;
    }
    if (Array.isArray(one)) return one.map(pack);
    if (typeof one !== 'object' || one === null) return one;
    return partsOf(one, pack);
  };
  return { packed: pack(value), buffers: [...buffers] };
}

function partsOf(one: object, pack: (part: unknown) => unknown): Parts {
  if (one instanceof NameTable) {
    pack(one.bytes);
    pack(one.offsets);
    return { class: 'names', bytes: one.bytes, offsets: one.offsets };
  }
  if (one instanceof StoredTexts) {
    pack(one.offsets);
    return { class: 'stored texts', place: one.place, offsets: one.offsets };
  }
  if (one instanceof Vocabulary) {
    const { names, slots } = vocabularyParts(one);
    pack(slots);
    return { class: 'vocabulary', names: pack(names), slots };
  }
  if (one instanceof Relation) {
    const { numHeads, numTails, heads, tails, rowStart } = one;
    for (const column of [heads, tails, rowStart]) pack(column);
    return { class: 'relation', relation: { numHeads, numTails, heads, tails, rowStart } };
  }
  return { class: 'object', entries: Object.entries(one).map(([key, part]) => [key, pack(part)]) };
}

/** What was packed, on the other side. */
export function unpackFromThread<Value>({ packed }: Pick<Packed<Value>, 'packed' | 'of'>): Value {
  return unpack(packed) as Value;
}

function unpack(one: unknown): unknown {
  if (ArrayBuffer.isView(one) || typeof one !== 'object' || one === null) return one;
  if (Array.isArray(one)) return one.map(unpack);
  const parts = one as Parts;
  switch (parts.class) {
    case 'names':
      return new NameTable(parts.bytes, parts.offsets);
    case 'stored texts':
      return new StoredTexts(parts.place, parts.offsets); // a file that one thread opened is closed with it
    case 'vocabulary':
      return vocabularyFromParts({ names: unpack(parts.names) as NameTable, slots: parts.slots });
    case 'relation': {
      const { numHeads, numTails, heads, tails, rowStart } = parts.relation;
      return new Relation(numHeads, numTails, heads, tails, rowStart);
    }
    case 'object':
      return Object.fromEntries(parts.entries.map(([key, part]) => [key, unpack(part)]));
    default:
      return parts satisfies never;
  }
}
