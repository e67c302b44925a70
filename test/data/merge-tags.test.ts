import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { fingerprint, graphFrom, type KnowledgeGraph } from '../../src/data/knowledge-graph.ts';
import { mergeTags, readTagMapping, tagMapping } from '../../src/data/merge-tags.ts';
import { InputError } from '../../src/errors.ts';
import { knowledgeGraph, name } from '../arbitraries.ts';
import { tempFolder } from '../temp-folder.ts';

const GRAPH = graphFrom({
  interact: [['u', 'a']],
  tagged: [
    ['a', 'hip-hop'],
    ['a', 'hip hop'],
    ['b', 'hiphop'],
    ['b', 'rap'],
    ['c', 'seen live'],
  ],
});

async function read(text: string | Uint8Array, file = 'map.tsv') {
  const warnings: string[] = [];
  const path = join(await tempFolder({ [file]: text }), file);
  const mapping = await readTagMapping(path, { warn: (message) => warnings.push(message) });
  return { mapping, merged: Object.fromEntries(mapping.merged), warnings };
}

function pairsOf({ objects, tags, tagged }: KnowledgeGraph): string[] {
  return Array.from(tagged.heads, (object, i) => `${objects.name(object)} ${tags.name(tagged.tails[i])}`);
}

describe('readTagMapping', () => {
  it('reads TSV, CSV and Parquet, gzipped or not, with columns in any order', async () => {
    const expected = { 'hip hop': 'hip-hop', 'seen live': '' };
    const columnData = [
      { name: 'merged', data: ['hip-hop', ''] },
      { name: 'tag', data: ['hip hop', 'seen live'] },
    ];
    const parquet = new Uint8Array(parquetWriteBuffer({ columnData }));
    const tsv = 'tag\tmerged\nhip hop\thip-hop\nseen live\t\n';
    expect((await read(tsv)).merged).toEqual(expected);
    expect((await read(gzipSync(tsv), 'map.tsv.gz')).merged).toEqual(expected);
    expect((await read('merged,note,Tag\nhip-hop,x,hip hop\n,,"seen live"\n', 'map.csv')).merged).toEqual(expected);
    expect((await read(parquet, 'map.parquet')).merged).toEqual(expected);
    expect((await read(gzipSync(parquet), 'map.parquet.gz')).merged).toEqual(expected);
  });

  it('follows chains to the end, in whatever order the rows come', async () => {
    expect((await read('tag\tmerged\na\tb\nc\td\nb\tc\ne\ta\nx\ty\ny\t\n')).merged).toEqual({
      a: 'd',
      b: 'd',
      c: 'd',
      e: 'd',
      x: '',
      y: '',
    });
  });

  it('takes a repeated row, and a tag that stays itself', async () => {
    expect((await read('tag\tmerged\na\tb\na\tb\nb\tb\n')).merged).toEqual({ a: 'b', b: 'b' });
  });

  it('leaves out a row with a blank tag, and says so', async () => {
    const { merged, warnings } = await read('tag\tmerged\n\tb\na\tb\n');
    expect(merged).toEqual({ a: 'b' });
    expect(warnings).toEqual(['map.tsv: left out 1 row with a blank name; the first has a blank tag on line 2.']);
  });

  it.each([
    [
      'a\tb\nb\tc\nc\ta\n',
      /map\.tsv, line 2: got a circle: a → b → c → a, expected every tag to become one that stays/,
    ],
    ['x\ta\na\tb\nb\ta\n', /map\.tsv, line 3: got a circle: a → b → a, expected/],
    [
      'a\tb\nc\td\na\td\n',
      /map\.tsv, line 4: got "d" for "a", expected "b" as on line 2\. Remove one of the two rows\./,
    ],
    ['a\t\na\td\n', /map\.tsv, line 3: got "d" for "a", expected nothing as on line 2/],
  ])('refuses %j', async (rows, message) => {
    const failed = read(`tag\tmerged\n${rows}`);
    await expect(failed).rejects.toThrow(InputError);
    await expect(failed).rejects.toThrow(message);
  });

  it('names only the first tags of a long circle', () => {
    const rows = Array.from({ length: 1000 }, (_, i) => ({ tag: `t${i}`, merged: `t${(i + 1) % 1000}` }));
    expect(() => tagMapping(rows)).toThrow('got a circle: t0 → t1 → t2 → t3 → t4 → t5 → t6 → t7 → … → t0, expected');
  });

  it('follows a chain of a hundred thousand tags, each once', () => {
    const rows = Array.from({ length: 100_000 }, (_, i) => ({ tag: `t${i}`, merged: `t${i + 1}` }));
    expect(new Set(tagMapping(rows.reverse()).merged.values())).toEqual(new Set(['t100000']));
  });

  it('refuses a file without the two columns, of unknown kind, or not there', async () => {
    await expect(read('from\tto\na\tb\n')).rejects.toThrow(
      /map\.tsv, line 1: got the columns "from", "to", expected the columns "tag" and "merged"/,
    );
    await expect(read('{}', 'map.json')).rejects.toThrow(/got a file of unknown kind, expected a name ending in \.tsv/);
    await expect(readTagMapping('no/such.tsv')).rejects.toThrow(InputError);
  });
});

describe('mergeTags', () => {
  const rows = [
    { tag: 'hip hop', merged: 'hip-hop' },
    { tag: 'hiphop', merged: 'hip-hop' },
    { tag: 'rap', merged: 'Rap music' },
    { tag: 'seen live', merged: '' },
  ];

  it('reads tags as others, counts repeated pairs once and leaves out what becomes nothing', () => {
    const merged = mergeTags(GRAPH, tagMapping(rows));
    expect(merged.tags.names.toArray()).toEqual(['Rap music', 'hip-hop']);
    expect(pairsOf(merged)).toEqual(['a hip-hop', 'b Rap music', 'b hip-hop']);
    expect(merged.objects.size).toBe(3); // c stays, without tags
    expect(merged.tagged.rowLength(2)).toBe(0);
    expect(GRAPH.tags.size).toBe(5); // as it was
  });

  it('gives the graph that would have been read from the merged names', () => {
    const graph = graphFrom({
      interact: [['u', 'a']],
      tagged: [
        ['a', 'hip-hop'],
        ['b', 'hip-hop'],
        ['b', 'rap'],
        ['c', 'seen live'],
      ],
    });
    expect(fingerprint(mergeTags(GRAPH, tagMapping(rows.slice(0, 2))))).toBe(fingerprint(graph));
  });

  it('warns once of tags that the data do not have', () => {
    const warnings: string[] = [];
    const absent = [
      { tag: 'jazz', merged: 'rap' },
      { tag: 'soul', merged: '' },
    ];
    mergeTags(GRAPH, tagMapping([...rows, ...absent], 'folder/map.tsv'), { warn: (message) => warnings.push(message) });
    mergeTags(GRAPH, tagMapping(rows), { warn: (message) => warnings.push(message) });
    expect(warnings).toEqual(['map.tsv: passed over 2 of 6 tags, which the data do not have: "jazz", ….']);
  });

  it('refuses to leave out every tag', () => {
    const all = GRAPH.tags.names.toArray().map((tag) => ({ tag, merged: '' }));
    expect(() => mergeTags(GRAPH, tagMapping(all, 'map.tsv'))).toThrow(
      'map.tsv: got rows that leave out every tag of the data, expected at least one object with a tag.',
    );
  });
});

describe('mergeTags, whatever the data', () => {
  // from tags of the graph to any name or nothing; without circles, since the first tag stays and the others go to one before them
  const merging = knowledgeGraph.chain((graph) => {
    const tags = graph.tags.names.toArray();
    const target = fc.oneof(
      fc.nat().map((n) => tags[n % tags.length]),
      name,
      fc.constant(''),
    );
    return fc.tuple(fc.constant(graph), fc.array(fc.tuple(fc.nat({ max: tags.length }), target), { maxLength: 12 }));
  });
  const mappingOf = (graph: KnowledgeGraph, chosen: readonly (readonly [number, string])[]) => {
    const tags = graph.tags.names.toArray();
    const rows = chosen.flatMap(([i, merged]) => {
      const goesBack = tags.indexOf(merged) < 0 || tags.indexOf(merged) < i;
      return i > 0 && i < tags.length && goesBack ? [{ tag: tags[i], merged }] : [];
    });
    return tagMapping([...new Map(rows.map((row) => [row.tag, row])).values()]);
  };

  it('cleans the names of a mapping that a program made', () => {
    const merged = new Map([
      [' hip hop', 'rap\t'],
      ['seen live', ' '],
    ]);
    const graph = mergeTags(GRAPH, { merged });
    expect(graph.tags.names.toArray()).toEqual(['hip-hop', 'hiphop', 'rap']);
  });

  it('an empty mapping, or one of other tags, changes nothing', () => {
    fc.assert(
      fc.property(knowledgeGraph, (graph) => {
        expect(fingerprint(mergeTags(graph, tagMapping([])))).toBe(fingerprint(graph));
        const other = tagMapping([{ tag: 'no such tag here', merged: 'x' }]);
        expect(fingerprint(mergeTags(graph, other))).toBe(fingerprint(graph));
      }),
    );
  });

  it('merging twice is merging once; tags stay sorted, pairs never grow, the rest is as it was', () => {
    fc.assert(
      fc.property(merging, ([graph, chosen]) => {
        const mapping = mappingOf(graph, chosen);
        const once = mergeTags(graph, mapping);
        expect(fingerprint(mergeTags(once, mapping))).toBe(fingerprint(once));
        expect(once.tagged.size).toBeLessThanOrEqual(graph.tagged.size);
        const names = once.tags.names.toArray();
        expect(names).toEqual([...new Set(names)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
        expect(once.interact).toBe(graph.interact);
        expect(once.objects).toBe(graph.objects);
        expect(new Set(pairsOf(once))).toEqual(new Set(renamed(graph, mapping.merged)));
      }),
    );
  });
});

function renamed({ objects, tags, tagged }: KnowledgeGraph, merged: ReadonlyMap<string, string>): string[] {
  return Array.from(tagged.heads, (object, i) => {
    const tag = tags.name(tagged.tails[i]);
    return [objects.name(object), merged.get(tag) ?? tag];
  })
    .filter(([, tag]) => tag !== '')
    .map(([object, tag]) => `${object} ${tag}`);
}
