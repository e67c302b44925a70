import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fingerprint, graphFrom } from '../../../src/data/knowledge-graph.ts';
import { readTriples } from '../../../src/data/sources/triples.ts';
import { factsOf, listening, makeRelease, problemOf } from '../../fixtures/sources/release.ts';
import { withoutShell } from '../../systems.ts';

const TSV = 'ann\tInteract\tmoons\nmoons\tTaggedWith\tslow\nbob\tinteract\tnine\n';

const read = async (name: string, content: string, options = {}) =>
  readTriples(join(await makeRelease({ [name]: content }), name), options);

test('two relations become a graph; their case does not count', async () => {
  expect(factsOf(await read('kg.tsv', TSV))).toEqual({
    interact: ['ann\tmoons', 'bob\tnine'],
    tagged: ['moons\tslow'],
    titles: ['moons\tmoons', 'nine\tnine'],
  });
});

test('a first line of "head relation tail" is passed over, but only the first', async () => {
  const header = 'Head\trelation\tTAIL\n';
  expect(fingerprint(await read('kg.tsv', header + TSV))).toBe(fingerprint(await read('kg.tsv', TSV)));
  const { warnings, options } = listening();
  await read('kg.tsv', TSV + header, options);
  expect(warnings).toEqual(['kg.tsv: passed over the other relations: relation (1).']);
});

test('.csv, .gz and other endings are read the same way', async () => {
  const csv = 'ann,Interact,moons\r\n"moons",TaggedWith,"slow"\r\nbob,Interact,nine';
  const expected = fingerprint(await read('kg.tsv', TSV));
  expect(fingerprint(await read('kg.csv.gz', csv))).toBe(expected);
  expect(fingerprint(await read('kg.txt.gz', TSV))).toBe(expected);
});

test('interact and tagged name other relations', async () => {
  const graph = await read('kg.tsv', 'a\tlikes\tx\nx\tis\tred\n', { interact: 'Likes', tagged: 'is' });
  expect(factsOf(graph)).toMatchObject({ interact: ['a\tx'], tagged: ['x\tred'] });
});

test('other relations are counted in one warning, the largest first', async () => {
  const { warnings, options } = listening();
  await read('kg.tsv', `${TSV}a\tknows\tb\nx\tmadeBy\ty\nx\tmadeBy\tz\n`, options);
  expect(warnings).toEqual(['kg.tsv: passed over the other relations: madeBy (2), knows (1).']);
});

test('any pairs come back as they went in, whatever their order', async () => {
  const name = fc.stringMatching(/^[a-z]{1,3}$/);
  const pairs = fc.array(fc.tuple(name, name), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(pairs, pairs, fc.infiniteStream(fc.nat()), async (interact, tagged, order) => {
      const rows = [
        ...interact.map(([user, object]) => `${user}\tInteract\t${object}`),
        ...tagged.map(([object, tag]) => `${object}\tTaggedWith\t${tag}`),
      ];
      const shuffled = rows.map((row) => ({ row, key: order.next().value })).sort((a, b) => a.key - b.key);
      const graph = await read('kg.tsv', shuffled.map(({ row }) => row).join('\n'));
      expect(fingerprint(graph)).toBe(fingerprint(graphFrom({ interact, tagged })));
    }),
    { numRuns: 30 },
  );
});

describe('what it refuses', () => {
  const problem = async (content: string, options = {}) => {
    const folder = await makeRelease({ 'kg.tsv': content });
    return problemOf(readTriples(join(folder, 'kg.tsv'), options), folder);
  };

  test('a file that is missing or empty', async () => {
    expect(await problemOf(readTriples('nowhere.tsv'))).toContain('nowhere.tsv: got no such file');
    expect(await problem('')).toContain('kg.tsv: got no triples, expected a relation called Interact');
  });

  test('tags alone are data without users, unless users were asked for', async () => {
    const folder = await makeRelease({ 'kg.tsv': 'x\tTaggedWith\tred\ny\tTaggedWith\tblue\n' });
    const graph = await readTriples(join(folder, 'kg.tsv'));
    expect([graph.objects.size, graph.users.size]).toEqual([2, 0]);
    expect(await problemOf(readTriples(join(folder, 'kg.tsv'), { interact: 'likes' }), folder)).toContain(
      'expected a relation called likes',
    );
  });

  test('a relation that is missing: the error lists those found with their counts', async () => {
    expect(await problem('a\tlikes\tx\nb\tlikes\tx\nx\tTaggedWith\tred\n')).toBe(
      'kg.tsv: got the relations likes (2), TaggedWith (1), expected a relation called Interact. Say which relations to read with --interact and --tagged; --interact was not found.',
    );
    expect(await problem(TSV, { tagged: 'genre' })).toContain('expected a relation called genre');
  });

  test('more relations than fit in a sentence are cut', async () => {
    const many = Array.from({ length: 20 }, (_, r) => `a\tr${r}\tb`).join('\n');
    expect(await problem(many)).toContain(' and 8 more, expected');
  });

  test('one name for both relations', async () => {
    expect(await problem(TSV, { tagged: 'INTERACT' })).toContain('got "Interact" for both relations');
  });

  test('a row that is no triple', async () => {
    expect(await problem(`${TSV}a\tb\n`)).toMatch(
      /kg\.tsv, line 4: got 2 fields .* expected 3: head, relation, tail\./,
    );
  });

  test.skipIf(withoutShell)('a pipe or a device is an error that says to make a file of it', async () => {
    await expect(readTriples('/dev/null')).rejects.toThrow(
      /got a pipe or a device, expected a file\. Write what it gives/,
    );
  });
});
