import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spelled, stemOf } from '../../../src/serving/vocabulary/spelled-names.ts';
import { counterHints, shapeHints } from '../../../src/serving/vocabulary/word-shapes.ts';
import { name } from '../../arbitraries.ts';

const hints = (one: string, other: string) => shapeHints(spelled(one), spelled(other));
const shapes = (one: string, other: string) => hints(one, other).map(({ shape }) => shape);
const against = (one: string, other: string) => counterHints(spelled(one), spelled(other));

describe('shapeHints', () => {
  it.each([
    ['Hip-Hop', 'hip hop', 'spelling'],
    ['file-system', 'filesystem', 'spelling'],
    ['colour', 'color', 'variant'],
    ['optimisation', 'optimization', 'variant'],
    ['sixties', "60's", 'variant'],
    ['1980s', '80s', 'variant'],
    ['property', 'properties', 'plural'],
    ['batches', 'batch', 'plural'],
    ['javscript', 'javascript', 'typo'],
    ['acoutsic', 'acoustic', 'typo'],
    ['parse', 'parsing', 'inflection'],
    ['debug', 'debugging', 'inflection'],
    ['parser', 'parsing', 'derivation'],
    ['minification', 'minifier', 'derivation'],
    ['optimize', 'optimizer', 'derivation'],
    ['i18n', 'internationalization', 'numeronym'],
    ['a11y', 'accessibility', 'numeronym'],
    ['ast', 'abstract syntax tree', 'initials'],
    ['config', 'configuration', 'beginning'],
    ['docs', 'documentation', 'beginning'],
    ['mgmt', 'management', 'letters'],
    ['pkg', 'package', 'letters'],
    ['vue', 'vue.js', 'affix'],
    ['google cloud', 'google cloud platform', 'word'],
    ['unit test', 'unit testing', 'inflection'],
  ] as const)('%s and %s: %s', (one, other, shape) => {
    expect(shapes(one, other)).toContain(shape);
    expect(shapes(other, one)).toEqual(shapes(one, other));
  });

  it.each([
    ['jazz', 'metal'],
    ['vue2', 'vue3'],
    ['python2', 'python3'],
    ['sha1', 'sha256'],
    ['client', 'server'],
    ['mysql', 'postgres'],
    ['i18n', 'internalization'],
    ['gnu', 'abstract tree'],
    ['mp3', 'mp4'],
    ['web2ui', 'web3ui'],
    ['karma-plugin', 'karma-launcher'],
  ])('%s and %s are nothing to each other by their letters', (one, other) => {
    expect(shapes(one, other)).toEqual([]);
  });

  it('takes words with other roots for no forms of one', () => {
    expect(shapes('random', 'randomize')).toEqual(['beginning']);
    expect(shapes('class', 'classify')).toEqual(['beginning']);
    expect(shapes('tap', 'tape')).toEqual(['beginning']);
    expect(shapes('"', 'b')).toEqual([]);
  });

  it('says in words what it saw', () => {
    const text = (one: string, other: string) => hints(one, other)[0].text;
    expect(text('internationalization', 'i18n')).toBe('“i18n” stands for “internationalization”: 18 letters left out');
    expect(text('tags', 'tag')).toBe('the same but for the plural');
    expect(text('env', 'environment')).toBe('“env” is short for “environment”: its beginning');
  });

  it('says the same of a pair from either side, in amounts from 0 to 1', () => {
    fc.assert(
      fc.property(name, name, (one, other) => {
        const found = hints(one, other);
        const facts = (some: typeof found) => some.map(({ shape, amount }) => [shape, amount]);
        expect(facts(hints(other, one))).toEqual(facts(found));
        for (const { amount } of found) expect(amount).toSatisfy((value: number) => value > 0 && value <= 1);
        expect(against(other, one)).toEqual(against(one, other));
      }),
    );
  });
});

describe('stemOf', () => {
  it('gives the words of a family one root and other words another', () => {
    const roots = ['validate', 'validation', 'validator', 'validating'].map((word) => stemOf(word, 'derivation'));
    expect(new Set(roots)).toEqual(new Set(['valid']));
    expect(stemOf('serial', 'derivation')).not.toBe(stemOf('serialize', 'derivation'));
    expect(stemOf('bus', 'inflection')).toBe('bus');
    expect(stemOf('web2', 'inflection')).toBe('');
  });
});

describe('counterHints', () => {
  it.each([
    ['min', 'max'],
    ['client', 'server'],
    ['encode', 'decode'],
    ['encoder', 'decoding'],
    ['import', 'export'],
    ['upload', 'download'],
    ['unhappy', 'happy'],
    ['non-blocking', 'blocking'],
    ['text encoding', 'text decoding'],
  ])('%s and %s are opposites', (one, other) => {
    expect(against(one, other).areOpposite).toBe(true);
  });

  it.each([
    ['parse', 'parser'],
    ['rock', 'pop'],
    ['config', 'configuration'],
    ['i18n', 'internationalization'],
  ])('%s and %s are none', (one, other) => {
    expect(against(one, other)).toMatchObject({ areOpposite: false, areVersions: false });
  });

  it('knows versions, and names that share all words but one', () => {
    expect(against('vue2', 'vue3').areVersions).toBe(true);
    expect(against('python', 'python3').areVersions).toBe(true);
    expect(against('vue2', 'svelte3').areVersions).toBe(false);
    expect(against('karma-plugin', 'karma-launcher').differInWord).toBe(true);
    expect(against('karma', 'launcher').differInWord).toBe(false);
  });
});
