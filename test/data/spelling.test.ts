import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forEachSimilarKey, type KeySimilarity, spellingKey } from '../../src/data/spelling.ts';
import { name } from '../arbitraries.ts';

function similarity(a: string, b: string): KeySimilarity | undefined {
  const found: KeySimilarity[] = [];
  for (const [key, known] of [
    [a, b],
    [b, a],
  ])
    forEachSimilarKey(
      key,
      (other) => other === known,
      (_, one) => found.push(one),
    );
  expect(found.length, `${a} and ${b} meet once at most`).toBeLessThanOrEqual(1);
  return found[0];
}

describe('spellingKey', () => {
  it.each([
    ['hip-hop', 'Hip Hop', 'hiphop', 'hip_hop', 'HIP·HOP', 'hip–hop', '#hiphop', '"hip hop"'],
    ['node.js', 'nodejs', 'Node JS', 'NODE-JS'],
    ['Beyoncé', 'beyonce', 'Beyonce\u0301', 'ＢＥＹＯＮＣＥ'],
    ['weiß', 'WEISS'],
    ['rock and roll', "rock 'n' roll", 'rock & roll', 'rock-n-roll', "rock'n'roll"],
    ["80's", '80s'],
    ['24/7 music', '24-7 music', '24.7 music'],
    ['c++', 'C ++'],
  ])('is one for %s and its other spellings', (...names) => {
    expect(new Set(names.map(spellingKey)).size).toBe(1);
    expect(spellingKey(names[0])).not.toBe('');
  });

  it.each([
    ['c++', 'c#'],
    ['cc', 'c++'],
    ['.env', 'env'],
    ['$ref', 'ref'],
    ['vue 2.0', 'vue 20'],
    ['18+ only', '18 only'],
    ['ke$ha', 'keha'],
    ['はは', 'ばば'],
  ])('differs for %s and %s', (a, b) => {
    expect(spellingKey(a)).not.toBe(spellingKey(b));
  });

  it.each(['!!!', '<3', '1990', 'c', '--', '🎸'])('is empty for %s: too little to judge by', (text) => {
    expect(spellingKey(text)).toBe('');
  });

  it('has one key only: that of a key is the key itself', () => {
    fc.assert(
      fc.property(name, (text) => {
        expect(spellingKey(spellingKey(text))).toBe(spellingKey(text));
      }),
    );
  });
});

describe('forEachSimilarKey', () => {
  it.each<[string, string, KeySimilarity]>([
    ['game', 'games', 'plural'],
    ['query', 'queries', 'plural'],
    ['movie', 'movies', 'plural'],
    ['match', 'matches', 'plural'],
    ['javascript', 'javscript', 'typo'], // a letter lost
    ['puppeteer', 'pupeteer', 'typo'],
    ['technical', 'techincal', 'typo'], // two exchanged
    ['ambient', 'ambiant', 'typo'], // another vowel
    ['optimize', 'optimise', 'typo'],
    ['color', 'colour', 'typo'],
    ['metal', 'mental', 'typo'], // by its letters; how it is used decides
  ])('%s and %s are similar', (a, b, expected) => {
    expect(similarity(a, b)).toBe(expected);
  });

  it.each([
    ['http', 'https'],
    ['node', 'nodejs'], // an ending of some catalogues is another word in others
    ['2010', '2010s'],
    ['clas', 'class'],
    ['bu', 'bus'],
    ['getter', 'setter'],
    ['parse', 'parser'],
    ['princes', 'princess'],
    ['mysqll', 'mssqll'],
    ['int32array', 'uint32array'],
    ['utf16array', 'utf16aray'],
    ['song', 'sing'],
    ['rogue', 'rouge'],
    ['javascript', 'jvscript'],
  ])('%s and %s are not', (a, b) => {
    expect(similarity(a, b)).toBeUndefined();
  });

  it('meets every two keys once at most, whichever comes first', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'e', 's', 'z', 'j', 't'), minLength: 2, maxLength: 9 });
    const words = fc.tuple(word, word).filter(([a, b]) => a !== b);
    fc.assert(
      fc.property(words, ([a, b]) => {
        similarity(a, b); // checks it
      }),
      { numRuns: 2000 },
    );
  });

  it('looks up a few words for each letter, however many words there are', () => {
    for (const key of ['queries', 'electronicmusicians', 'a'.repeat(300), 'aeiouy'.repeat(50)]) {
      let numLookUps = 0;
      forEachSimilarKey(
        key,
        () => ++numLookUps < 0,
        () => {},
      );
      expect(numLookUps).toBeLessThanOrEqual(7 * key.length + 4);
    }
  });
});
