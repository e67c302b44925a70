import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Relation } from '../../../src/data/relation.ts';
import { MAX_CARRIERS, Together } from '../../../src/models/loom/together.ts';
import { Random } from '../../../src/random.ts';

/** From objects to tags; a tag of a higher number is rarer. */
function randomTags(numObjects: number, numTags: number, seed: number): Relation {
  const random = new Random(seed, 'tags');
  const [heads, tails]: [number[], number[]] = [[], []];
  for (let object = 0; object < numObjects; object++) {
    for (let tag = 0; tag < numTags; tag++) {
      if (random.float() >= 0.9 / (tag + 1)) continue;
      heads.push(object);
      tails.push(tag);
    }
  }
  return new Relation(numObjects, numTags, Int32Array.from(heads), Int32Array.from(tails));
}

/** The same from sets, object by object. */
function plainly(tagged: Relation, tag: number, candidates: Int32Array, except: number | undefined) {
  const carriers = Array.from({ length: tagged.numHeads }, (_, object) => object).filter((o) => tagged.has(o, tag));
  const numUsed = Math.min(carriers.length, MAX_CARRIERS);
  const evenly = Array.from({ length: numUsed }, (_, k) => carriers[Math.floor((k * carriers.length) / numUsed)]);
  const used = evenly.filter((object) => object !== except);
  const counts = Array.from(candidates, (other) => used.filter((object) => tagged.has(object, other)).length);
  const numOthers = carriers.filter((object) => object !== except).length;
  return { counts, step: used.length === 0 ? 0 : numOthers / used.length };
}

function expectPlain(tagged: Relation, excepts: readonly (number | undefined)[], tags: readonly number[]): void {
  const together = new Together(tagged, tagged.reversed());
  const candidates = Int32Array.from({ length: tagged.numTails }, (_, tag) => tagged.numTails - 1 - tag);
  for (let round = 0; round < 2; round++) {
    for (const tag of tags) {
      for (const except of excepts) {
        const out = new Float64Array(candidates.length);
        const step = together.count(tag, candidates, except, out);
        expect({ counts: [...out], step }).toEqual(plainly(tagged, tag, candidates, except));
      }
    }
  }
}

describe('Together', () => {
  it('counts few and many carriers as a look at each object does, whichever does not count', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.nat(), fc.nat(), (numObjects, which, seed) => {
        const tagged = randomTags(numObjects, 6, seed);
        expectPlain(tagged, [undefined, which % numObjects, numObjects - 1], [0, 1, 2, 3, 4, 5]);
      }),
      { numRuns: 50 },
    );
  });

  it('looks at so many carriers in even steps at most, and knows which objects are among them', () => {
    const tagged = randomTags(MAX_CARRIERS + 900, 3, 1);
    expectPlain(tagged, [undefined, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, MAX_CARRIERS + 899], [0]);
  });
});
