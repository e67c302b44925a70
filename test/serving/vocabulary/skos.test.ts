import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import type { Declaration } from '../../../src/serving/vocabulary/declaration.ts';
import { Declarations } from '../../../src/serving/vocabulary/declarations.ts';
import { proposalOf } from '../../../src/serving/vocabulary/proposal.ts';
import { readSkos } from '../../../src/serving/vocabulary/read-skos.ts';
import { formatOfFile } from '../../../src/serving/vocabulary/skos-format.ts';
import { writeSkos } from '../../../src/serving/vocabulary/write-skos.ts';
import { name } from '../../arbitraries.ts';
import { changeOf, changesOf, declarationsOf } from './arbitrary-declarations.ts';

const HEAD = '@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n@prefix : <urn:x:> .\n';
const read = (text: string, language?: string) => readSkos(HEAD + text, { language, file: 'v.ttl' });

/** All that is declared, in an order of its own. */
function meaningOf(declarations: Declarations) {
  const sorted = (list: Iterable<unknown>) => Array.from(list, (one) => JSON.stringify(one)).sort();
  return {
    labels: sorted(declarations.labels()),
    parents: sorted([...declarations.upward].flatMap(([tag, parents]) => [...parents.keys()].map((one) => [tag, one]))),
    exclusions: sorted(declarations.exclusions().map(({ tags }) => tags)),
    differences: sorted(declarations.differences()),
    retired: sorted(declarations.retired().map((tag) => [tag, declarations.retirementOf(tag)?.isTakenOff])),
    splits: sorted(
      declarations.splits().map((tag) => {
        const { parts = [], assigned = [] } = declarations.splitOf(tag) ?? {};
        return [tag, [...parts].sort(), sorted(assigned)];
      }),
    ),
  };
}

describe('a SKOS document', () => {
  it('that was written declares the same when it is read', async () => {
    const names = fc.uniqueArray(name, { minLength: 6, maxLength: 9 });
    const property = names.chain((all) =>
      fc.tuple(fc.constant(all), declarationsOf(all.slice(0, 5), ['o1', 'o "2"'], all.slice(5)), fc.boolean()),
    );
    await fc.assert(
      fc.asyncProperty(property, async ([all, asked, isTurtle]) => {
        const declarations = Declarations.of(changesOf(asked, all.slice(0, 5)));
        const text = [...writeSkos(declarations, all.slice(0, 5), { format: isTurtle ? 'turtle' : 'ntriples' })].join(
          '',
        );
        const found = await readSkos(text);
        expect(found.warnings).toEqual([]);
        const again = found.declarations.length === 0 ? [] : proposalOf([], found.declarations).declarations;
        expect(meaningOf(Declarations.of(again.map((one, i) => changeOf(i + 1, one))))).toEqual(
          meaningOf(declarations),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('gives tags, synonyms and implied tags, from either side, and leaves the rest alone', async () => {
    const { declarations, tags, warnings } = await read(`
      :scheme a skos:ConceptScheme ; skos:prefLabel "Everything" .
      :dog a skos:Concept ; skos:prefLabel "dog" ; skos:altLabel "hound" ; skos:hiddenLabel "dgo" ; skos:broader :animal .
      :animal a skos:Concept ; skos:prefLabel "animal" ; skos:narrower :cat ; skos:notation "1", "2" ; skos:definition "…" .
      :cat a skos:Concept ; skos:prefLabel "cat" ; skos:related :dog .`);
    expect(tags).toEqual(['dog', 'animal', 'cat']);
    expect(declarations).toEqual([
      { kind: 'synonym', tags: ['hound', 'dgo'], into: ['dog'] },
      { kind: 'parent', tags: ['dog'], into: ['animal'] },
      { kind: 'parent', tags: ['cat'], into: ['animal'] },
    ]);
    expect(warnings).toEqual(['Left alone: 2 × skos:notation, 1 × skos:definition, 1 × skos:related.']);
  });

  it('may have labels that are resources of their own, and groups that are no concepts', async () => {
    const found = await read(`
      @prefix xl: <http://www.w3.org/2008/05/skos-xl#> . @prefix iso: <http://purl.org/iso25964/skos-thes#> .
      :group a iso:ConceptGroup, skos:Collection ; skos:prefLabel "Animals"@en ; skos:member :c .
      :c a skos:Concept, :Descriptor ; xl:prefLabel :l1, :l2 ; xl:altLabel :l3 ; skos:prefLabel "maize"@en .
      :l1 a xl:Label ; xl:literalForm "maize"@en . :l2 a xl:Label ; xl:literalForm "maïs"@fr .
      :l3 a xl:Label ; xl:literalForm "corn"@en .`);
    expect(found).toEqual({
      tags: ['maize'],
      declarations: [{ kind: 'synonym', tags: ['corn'], into: ['maize'] }],
      warnings: [],
    });
  });

  it('is read in the language asked for, else without one, else in English, else in any', async () => {
    const text =
      ':a a skos:Concept ; skos:prefLabel "Hund"@de, "dog"@en-GB, "chien"@fr ; skos:altLabel "Köter"@de, "hound"@en-GB .';
    expect((await read(text)).tags).toEqual(['dog']);
    expect((await read(text)).declarations).toEqual([{ kind: 'synonym', tags: ['hound'], into: ['dog'] }]);
    expect((await read(text)).warnings).toEqual(['Left alone 1 label in other languages.']);
    expect((await read(text, 'de')).declarations).toEqual([{ kind: 'synonym', tags: ['Köter'], into: ['Hund'] }]);
    expect(await read(text, 'it')).toMatchObject({
      tags: [],
      warnings: [
        expect.stringMatching(/^Left out 1 concept without a preferred label in the language "it": urn:x:a\./),
      ],
    });
    expect((await read(':a a skos:Concept ; skos:prefLabel "x", "dog"@en .')).tags).toEqual(['x']);
    expect((await read(':a a skos:Concept ; skos:prefLabel "Hund"@de, "chien"@fr .')).tags).toEqual(['Hund']);
  });

  it.each([
    [
      'no preferred label',
      ':a a skos:Concept ; skos:altLabel "x" .',
      [],
      /Left out 1 concept without a preferred label: urn:x:a/,
    ],
    [
      'two preferred labels',
      ':a a skos:Concept ; skos:prefLabel "x", "y" .',
      [{ kind: 'synonym', tags: ['y'], into: ['x'] }],
      /has 2 preferred labels: "x" is the tag, the others are synonyms/,
    ],
    [
      'one label of two concepts',
      ':a skos:prefLabel "x" ; skos:altLabel "z" . :b skos:prefLabel "y" ; skos:altLabel "z" .',
      [],
      /Left out the label "z": x, y share it/,
    ],
    [
      'a label that is a tag',
      ':a skos:prefLabel "x" ; skos:altLabel "y" . :b skos:prefLabel "y" .',
      [],
      /Left out the label "y" of "x": it is a tag of its own/,
    ],
    ['one preferred label of two concepts', ':a skos:prefLabel "x" . :b skos:prefLabel "x" .', [], /they are one tag/],
    [
      'a cycle',
      ':a skos:prefLabel "x" ; skos:broader :b . :b skos:prefLabel "y" ; skos:broader :c . :c skos:prefLabel "z" ; skos:broader :a .',
      [
        { kind: 'parent', tags: ['x'], into: ['y'] },
        { kind: 'parent', tags: ['y'], into: ['z'] },
      ],
      /Left out that "z" is narrower than "x": z → x → y → z is a cycle/,
    ],
  ])('with %s says what becomes of it', async (_what, text, expected, warning) => {
    const { declarations, warnings } = await read(text);
    expect(declarations).toEqual(expected);
    expect(warnings.join('\n')).toMatch(warning);
  });

  it('that is broken says in which line', async () => {
    const error = await read(':a a skos:Concept ;\n\n  skos:prefLabel "x .').catch((thrown) => thrown);
    expect(error).toBeInstanceOf(InputError);
    expect(error.problem).toMatchObject({ file: 'v.ttl', line: 5, expected: 'SKOS as Turtle or N-Triples' });
    expect(() => formatOfFile('stw.rdf')).toThrow(/riot --output=turtle/);
    expect(() => formatOfFile('stw.csv')).toThrow(/got another ending/);
  });

  it('of some thousand concepts is read and declared as a whole', async () => {
    const count = 5000;
    const lines = Array.from({ length: count }, (_, i) => {
      const broader = i === 0 ? '' : ` ; skos:broader :c${Math.floor((i - 1) / 3)}`;
      return `:c${i} a skos:Concept ; skos:prefLabel "concept ${i}"@en, "Begriff ${i}"@de ; skos:altLabel "alias ${i}"@en ; skos:notation "${i}"${broader} .`;
    });
    const { declarations, tags } = await read(lines.join('\n'));
    expect(tags).toHaveLength(count);
    const { declarations: fresh } = proposalOf([], declarations);
    expect(fresh).toHaveLength(2 * count - 1);
    const now = Declarations.of([changeOf(1, ...fresh)]);
    expect(now.tagOf('alias 4999')).toBe('concept 4999');
    expect([...now.parentsOf('concept 4999').keys()]).toEqual(['concept 1666']);
  });

  it('is written in a language that is one', () => {
    const write = (language: string) => writeSkos(Declarations.of([]), ['a'], { format: 'ntriples', language });
    expect([...write('pt-BR')].join('')).toContain('"a"@pt-BR .');
    expect(() => write('en . <urn:x> <urn:y> <urn:z>')).toThrow(/the language "en \. <urn:x>.*such as en or pt-BR/);
  });

  it('with long lists takes no longer than others of its size', async () => {
    const all = (one: (i: number) => string) => Array.from({ length: 20_000 }, (_, i) => one(i));
    const { tags, declarations } = await read(`
      :s a skos:ConceptScheme ; skos:hasTopConcept ${all((i) => `:c${i}`).join(', ')} .
      :c0 a skos:Concept ; skos:prefLabel "first" ; skos:altLabel ${all((i) => `"alias ${i}"`).join(', ')} .`);
    expect(tags).toEqual(['first']);
    expect(declarations).toMatchObject([{ kind: 'synonym', into: ['first'] }]);
    const names = all((i) => `t${i}`).slice(0, 80);
    const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => ({ kind: 'exclude', tags: [a, b], into: [] })));
    expect(proposalOf([], pairs as Declaration[]).declarations).toEqual(pairs);
    expect(proposalOf([changeOf(1, ...(pairs as Declaration[]))], pairs as Declaration[]).declarations).toEqual([]);
  });

  it('of a chain that memory could not hold is refused', async () => {
    const chain = Array.from({ length: 10_000 }, (_, i) => `:c${i} skos:prefLabel "c${i}" ; skos:broader :c${i + 1} .`);
    const { declarations } = await read(chain.join('\n'));
    expect(() => proposalOf([], declarations)).toThrow(/got tags that imply more than 2,000,000 others/);
    const { declarations: opened, warnings } = await read(`${chain.join('\n')} :c9999 skos:broader :c0, :c1 .`);
    expect(opened).toEqual(declarations);
    expect(warnings).toEqual([
      'Left out that "c9999" is narrower than "c0": c9999 → c0 → c1 → c2 → c3 → c4 → c5 → c6 → c7 → … → c9999 is a cycle.',
      'Left out that "c9999" is narrower than "c1": c9999 → c1 → c2 → c3 → c4 → c5 → c6 → c7 → c8 → … → c9999 is a cycle.',
    ]);
  });
});
