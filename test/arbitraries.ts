// Random input for property tests: names as people write them (and worse), and whole knowledge graphs.

import fc from 'fast-check';
import { graphFrom, type KnowledgeGraph } from '../src/data/knowledge-graph.ts';
import { cleanName } from '../src/data/name.ts';

/** A clean, non-blank name: quotes, commas, emoji, accents, right-to-left, all but outer space and control characters. */
export const name = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
    fc.constantFrom('"', '""', 'a"b', ',', 'a,b', '#', '\\', '\\t', 'node.js', '𝔘𝔫𝔦', '日本', 'אב', '0', '-1', 'null'),
  )
  .map(cleanName)
  .filter((text) => text !== '');

/** Whatever a program may hold: any code points, lone surrogates among them, control characters, outer space, nothing. */
export const anyText = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 4 }).map((codes) => String.fromCodePoint(...codes)),
  fc.array(fc.integer({ min: 0, max: 0x7f }), { maxLength: 4 }).map((codes) => String.fromCodePoint(...codes)),
  fc.constantFrom('', ' ', '\t', '\n', '\r\n', ' a ', 'a', 'a\0', '\ufeffa', 'a\u200b', '\ud800', '\udc00a', '"', ','),
);

const [FIRST_HALF, LAST_HALF, LAST] = [0xd800, 0xdfff, 0x10ffff]; // of surrogate pairs, and of all

/** For `unit` of strings: any but halves of surrogate pairs. As 'binary' is, which takes a second to list them all first. */
export const codePoint = fc
  .oneof(
    { weight: FIRST_HALF, arbitrary: fc.integer({ min: 0, max: FIRST_HALF - 1 }) },
    { weight: LAST - LAST_HALF, arbitrary: fc.integer({ min: LAST_HALF + 1, max: LAST }) },
  )
  .map(
    (code) => String.fromCodePoint(code),
    (text) => {
      if (typeof text !== 'string' || [...text].length !== 1) throw new Error('not one code point');
      return text.codePointAt(0) as number;
    },
  );

const few = (prefix: string) => fc.integer({ min: 0, max: 12 }).map((n) => `${prefix}${n}`);

/** Pairs, with repeats, of a data set that has at least one of each relation. */
export const facts = fc.record({
  interact: fc.array(fc.tuple(fc.oneof(few('u'), name), fc.oneof(few('o'), name)), { minLength: 1, maxLength: 40 }),
  tagged: fc.array(fc.tuple(fc.oneof(few('o'), name), fc.oneof(few('t'), name)), { minLength: 1, maxLength: 40 }),
  objects: fc.array(fc.tuple(fc.oneof(few('o'), name), name), { maxLength: 20 }),
});

export const knowledgeGraph: fc.Arbitrary<KnowledgeGraph> = facts.map(graphFrom);
