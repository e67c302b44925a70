import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findTables, load, placeOf, readTables } from '../../src/data/data-set.ts';
import { fingerprint, graphFrom } from '../../src/data/knowledge-graph.ts';
import { writeFolder } from '../../src/data/write-folder.ts';
import { anyText } from '../arbitraries.ts';
import { tempFolder } from '../temp-folder.ts';

const rows = fc.array(fc.tuple(anyText, anyText), { maxLength: 12 });
const facts = fc.record({ interact: rows, tagged: rows, objects: rows }).map(({ interact, tagged, objects }) => ({
  interact: [...interact, ['user', 'object'] as const],
  tagged: [...tagged, ['object', 'tag'] as const],
  objects,
}));

type Rows = readonly (readonly [string, string])[];

/** Quoted, since tab-separated text cannot hold tabs and line breaks. */
function csvOf(header: string, pairs: Rows): string {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  return `${header}\n${pairs.map((pair) => `${pair.map(quoted).join(',')}\n`).join('')}`;
}

async function readBack({ interact, tagged, objects }: Record<'interact' | 'tagged' | 'objects', Rows>) {
  const warnings: string[] = [];
  const files = [
    new File([csvOf('user,object', interact)], 'interact.csv'),
    new File([csvOf('object,tag', tagged)], 'tagged.csv'),
    new File([csvOf('object,title', objects)], 'objects.csv'),
  ];
  const graph = await readTables(findTables(placeOf(files)), { warn: (message) => warnings.push(message) });
  return { graph, warnings };
}

describe('graphFrom', () => {
  it('gives what reading the same rows from tables gives, with the same warnings, for any texts', async () => {
    await fc.assert(
      fc.asyncProperty(facts, async (given) => {
        const warnings: string[] = [];
        const graph = graphFrom(given, { warn: (message) => warnings.push(message) });
        const read = await readBack(given);
        expect(fingerprint(graph)).toBe(fingerprint(read.graph));
        const counts = (messages: string[]) =>
          messages.map((message) => message.replace(/\.csv| (on line|in row) \d+/g, ''));
        // what stands in no other table is a matter of tables
        const own = read.warnings.filter((message) => !message.includes('not in tagged.csv'));
        expect(counts(warnings)).toEqual(counts(own));
      }),
      { numRuns: 100 },
    );
  });

  it('gives a graph that writeFolder writes and load reads back, for any texts', async () => {
    const folder = await tempFolder();
    await fc.assert(
      fc.asyncProperty(facts, async (given) => {
        const graph = graphFrom(given);
        await mkdir(join(folder, 'set'));
        await writeFolder(join(folder, 'set'), graph);
        expect(fingerprint(await load(join(folder, 'set')))).toBe(fingerprint(graph));
        await rm(join(folder, 'set'), { recursive: true });
      }),
      { numRuns: 40 },
    );
  });

  it('cleans names and titles', () => {
    const graph = graphFrom({
      interact: [[' u\t1 ', 'a\u00a0']],
      tagged: [['\ufeffa', 'hip\nhop\ud800']],
      objects: [['a', ' Alpha\0']],
    });
    expect(graph.users.names.toArray()).toEqual(['u 1']);
    expect(graph.objects.names.toArray()).toEqual(['a']);
    expect(graph.tags.names.toArray()).toEqual(['hip hop\ufffd']);
    expect(graph.titles.toArray()).toEqual(['Alpha']);
  });

  it('leaves out rows with a blank name and warns of them, and of titles that differ', () => {
    const warnings: string[] = [];
    const graph = graphFrom(
      {
        interact: [
          ['u', 'a'],
          ['u', ' '],
          ['', 'a'],
        ],
        tagged: [['a', 'rock']],
        objects: [
          ['a', 'Beta'],
          ['a', 'Alpha'],
          ['b', ''],
        ],
      },
      { warn: (message) => warnings.push(message) },
    );
    expect(graph.objects.names.toArray()).toEqual(['a', 'b']);
    expect(graph.interact.size).toBe(1);
    expect(warnings).toEqual([
      'objects: 1 row gives an object another title; the first in alphabetical order is kept.',
      'interact: left out 2 rows with a blank name; the first has a blank object in row 2.',
    ]);
  });

  it('needs no users', () => {
    const graph = graphFrom({ tagged: [['a', 'rock']] });
    expect([graph.users.size, graph.interact.size, graph.interact.numTails, graph.tagged.size]).toEqual([0, 0, 1, 1]);
  });

  it('refuses what is no text', () => {
    const interact = [['u', 7]] as unknown as [string, string][];
    expect(() => graphFrom({ interact, tagged: [] })).toThrow(
      'got a number (7) as the object in row 1, expected a string. Convert it: String(value).',
    );
  });
});

describe('fingerprint', () => {
  const base = { interact: [['u', 'a'] as const], tagged: [['a', 'rock'] as const] };

  it('is one for the same facts in any order, and another for other names, titles or pairs', () => {
    const pairs: Rows = [
      ['a', 'rock'],
      ['b', 'pop'],
    ];
    const [one, two] = [pairs, [...pairs].reverse()].map((tagged) => fingerprint(graphFrom({ ...base, tagged })));
    expect(one).toMatch(/^[0-9a-f]{32}$/);
    expect(two).toBe(one);
    const others = [
      graphFrom(base),
      graphFrom({ ...base, tagged: [['a', 'Rock']] }),
      graphFrom({ ...base, objects: [['a', 'Alpha']] }),
      graphFrom({ ...base, interact: [['u2', 'a']] }),
    ];
    expect(new Set([one, ...others.map(fingerprint)]).size).toBe(5);
  });
});
