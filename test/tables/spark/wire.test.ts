// Protocol Buffers: what is written is read again, by other descriptions of the message, too.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bytes, flag, integer, message, nested, repeated, text } from '../../../src/tables/spark/wire.ts';
import { codePoint } from '../../arbitraries.ts';

const Leaf = message({ name: text(1), size: integer(2) });
const Tree = message({
  title: text(1),
  data: bytes(2),
  isOpen: flag(3),
  count: integer(4),
  leaf: nested(15, Leaf),
  leaves: repeated(nested(16, Leaf)),
  names: repeated(text(2047)),
  numbers: repeated(integer(2048)),
});

const word = fc.string({ unit: codePoint, maxLength: 200 });
const whole = fc.maxSafeInteger();
const absent = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });
const leaf = fc.record({ name: absent(word), size: absent(whole) });
const tree = fc.record({
  title: absent(word),
  data: absent(fc.uint8Array({ maxLength: 300 })),
  isOpen: absent(fc.boolean()),
  count: absent(whole),
  leaf: absent(leaf),
  leaves: fc.array(leaf),
  names: fc.array(word),
  numbers: fc.array(whole),
});

it('what is encoded is decoded again', () => {
  fc.assert(
    fc.property(tree, (value) => {
      expect(Tree.decode(Tree.encode(value))).toEqual(value);
    }),
  );
});

it('fields that a description leaves out are skipped', () => {
  const Part = message({ count: integer(4), names: repeated(text(2047)) });
  fc.assert(
    fc.property(tree, (value) => {
      expect(Part.decode(Tree.encode(value))).toEqual({ count: value.count, names: value.names });
    }),
  );
});

it('fixed-size fields and fields of another type are skipped', () => {
  const fixed = [0x09, 1, 2, 3, 4, 5, 6, 7, 8, 0x15, 1, 2, 3, 4]; // field 1 in 8 bytes, field 2 in 4
  expect(Leaf.decode(Uint8Array.of(...fixed, 0x10, 0x07))).toEqual({ name: undefined, size: 7 });
});

it('the last value of a field that comes twice counts', () => {
  const twice = Uint8Array.of(...Leaf.encode({ size: 1 }), ...Leaf.encode({ size: 2 }));
  expect(Leaf.decode(twice).size).toBe(2);
});

it('a message that is cut off is an error, not part of an answer', () => {
  const whole = Tree.encode({ title: 'title', data: Uint8Array.of(1, 2, 3), leaf: { name: 'leaf' } });
  for (const end of [1, 3, 8, whole.length - 1]) {
    expect(() => Tree.decode(whole.subarray(0, end))).toThrow('cut off');
  }
  expect(() => Leaf.decode(Uint8Array.of(0x10, ...Array(10).fill(0xff)))).toThrow('longer than ten bytes');
  expect(() => Leaf.decode(Uint8Array.of(0x0b))).toThrow('unknown type 3');
});
