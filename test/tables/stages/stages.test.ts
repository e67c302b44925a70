// The stages on DuckDB against what the same data gives in memory: the same ids, pairs and neighbours, to the last bit.

import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CsrBuilder } from '../../../src/csr.ts';
import { load } from '../../../src/data/data-set.ts';
import { allObjects, graphFrom, type KnowledgeGraph, taggedObjects } from '../../../src/data/knowledge-graph.ts';
import { tagCounts } from '../../../src/data/statistics.ts';
import { cappedMiddles, mostPerMiddle, sampleKey } from '../../../src/graph/capped-middles.ts';
import { sampleRows } from '../../../src/graph/row-sample.ts';
import { Similarity } from '../../../src/graph/similarity.ts';
import { meansOf, similarTagged } from '../../../src/models/loom/neighbours.ts';
import { openDuckdb } from '../../../src/tables/duckdb/open-duckdb.ts';
import type { TableEngine } from '../../../src/tables/engine.ts';
import { loadSample } from '../../../src/tables/load-tables.ts';
import { name as cleanName } from '../../arbitraries.ts';
import { tempFolder } from '../../temp-folder.ts';
import { allRows, count, loadCounted } from './counted.ts';

const NPM = fileURLToPath(new URL('../../../data/npm', import.meta.url));
let engine: TableEngine;
beforeAll(async () => {
  engine = await openDuckdb({ memoryLimit: '1GB', threads: 2 });
});
afterAll(() => engine.close());

function neighboursInMemory(graph: KnowledgeGraph, damping = 0.25, most = 30) {
  const similarity = new Similarity(graph.interact, damping);
  return similarTagged(similarity, graph, { objects: allObjects(graph), most }, {});
}

function expectSameGraph(found: KnowledgeGraph, expected: KnowledgeGraph): void {
  for (const side of ['users', 'objects', 'tags'] as const) {
    expect(found[side].names.toArray()).toEqual(expected[side].names.toArray());
  }
  expect(found.interact).toEqual(expected.interact);
  expect(found.tagged).toEqual(expected.tagged);
  expect(found.titles.toArray()).toEqual(expected.titles.toArray());
  expect(found.texts.map(({ name, texts }) => [name, texts.toArray()])).toEqual(
    expected.texts.map(({ name, texts }) => [name, texts.toArray()]),
  );
}

type Pairs = readonly (readonly [string, string])[];

function tsv(header: string, pairs: Pairs): string {
  return `${header}\n${pairs.map((pair) => `${pair.join('\t')}\n`).join('')}`;
}

function folderOf(interact: Pairs, tagged: Pairs): Promise<string> {
  return tempFolder({ 'interact.tsv': tsv('user\tobject', interact), 'tagged.tsv': tsv('object\ttag', tagged) });
}

// names that are cleaned, or sorted otherwise by UTF-16 than by bytes
const odd = fc.constantFrom(
  'a',
  'B',
  ' b',
  'é',
  '\u{1f600}',
  '\uff5e',
  'x\u0001y',
  'x y',
  "o'k",
  '\u3000z\u200b',
  'NULL',
  '"q"',
  '7',
  '07',
  '\u00a0',
);
const name = fc.oneof(odd, cleanName);
const pairs = fc.array(fc.tuple(name, name), { maxLength: 60 });

describe('ids and pairs', () => {
  it('are those of the npm data in memory, and so are the neighbours', { timeout: 60_000 }, async () => {
    const expected = await load(NPM);
    const { graph, neighbours } = await loadCounted(engine, NPM, { run: await tempFolder() });
    expectSameGraph(graph, expected);
    expect(neighbours).toEqual(await neighboursInMemory(expected));
  });

  it('are those of any tables in memory, whatever the names', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        pairs,
        pairs,
        fc.constantFrom(0, 0.25, 0.5, 1),
        fc.integer({ min: 1, max: 5 }),
        async (interact, tagged, damping, most) => {
          const expected = graphFrom({ interact, tagged });
          fc.pre(expected.tagged.size > 0);
          const folder = await folderOf(interact, tagged);
          const { graph, neighbours } = await loadCounted(engine, folder, { settings: { damping, neighbours: most } });
          expectSameGraph(graph, expected);
          expect(neighbours).toEqual(await neighboursInMemory(expected, damping, most));
        },
      ),
      { numRuns: 25 },
    );
  });

  it('of CSV follow its quotes', async () => {
    const folder = await tempFolder({ 'tagged.csv': 'tag,object\n"a, ""b""",one\n"two\nlines",one\n' });
    const { graph } = await loadCounted(engine, folder);
    expectSameGraph(graph, await load(folder));
    expect(graph.tags.names.toArray()).toEqual(['a, "b"', 'two lines']);
  });

  it('come from several files of a table, and titles and texts from theirs', async () => {
    const folder = await tempFolder({
      'tagged/part-0.tsv': tsv('object\ttag', [['1', 'rock']]),
      'tagged/part-1.tsv': tsv('object\ttag', [['2', 'jazz']]),
      'objects.tsv': 'object\ttitle\ttext:plot\n2\tTwo\tabout two\n3\tThree\tabout three\n',
    });
    const { graph } = await loadCounted(engine, folder);
    expect(graph.objects.names.toArray()).toEqual(['1', '2', '3']);
    expect(graph.titles.toArray()).toEqual(['1', 'Two', 'Three']);
    expect(graph.texts.map(({ name: column, texts }) => [column, texts.toArray()])).toEqual([
      ['plot', ['', 'about two', 'about three']],
    ]);
    expect(graph.tagged.heads).toEqual(Int32Array.of(0, 1));
  });
});

/** One user has every object; the others have a few. */
function skewed(numObjects: number): { interact: [string, string][]; tagged: [string, string][] } {
  const objects = Array.from({ length: numObjects }, (_, i) => `o${i}`);
  const interact = objects.flatMap((object, i): [string, string][] => [
    ['everyone', object],
    [`u${i % 700}`, object],
  ]);
  return { interact, tagged: objects.filter((_, i) => i % 3 > 0).map((object, i) => [object, `t${i % 11}`]) };
}

describe('a user with everything', () => {
  it('is represented by the same sample as in memory, so that paths stay bounded', { timeout: 60_000 }, async () => {
    const facts = skewed(12_000);
    const graph = graphFrom(facts);
    const folder = await folderOf(facts.interact, facts.tagged);
    await count(engine, folder, { tables: ['candidates'] });
    expect((await allRows(engine, 'SELECT most FROM path_cap')).get('most')).toEqual([mostPerMiddle(graph.interact)]);
    const capped = cappedMiddles(graph.interact);
    const kept = Array.from(capped.heads, (user, i) => [user, capped.tails[i]]).filter(
      ([, object]) => graph.tagged.rowLength(object) > 0,
    );
    const rows = await allRows(engine, 'SELECT user_id, object_id FROM candidates ORDER BY user_id, object_id');
    expect(rows.get('user_id')).toEqual(kept.map(([user]) => user));
    expect(rows.get('object_id')).toEqual(kept.map(([, object]) => object));
    const [{ length: numKept }] = [kept.filter(([user]) => user === graph.users.idOf('everyone'))];
    expect(numKept).toBeLessThanOrEqual(5000);
  });
});

describe('parts', () => {
  it('give the same neighbours as one statement', { timeout: 60_000 }, async () => {
    const whole = await loadCounted(engine, NPM, { run: await tempFolder() });
    const run = await tempFolder();
    const parted = await loadCounted(engine, NPM, { run, memory: 20e6 });
    expect((await readdir(`${run}/neighbours`)).filter((file) => file.endsWith('.parquet')).length).toBeGreaterThan(3);
    expect(parted.neighbours).toEqual(whole.neighbours);
  });
});

describe('neighbour_tags', () => {
  it('are the means that loom takes', { timeout: 60_000 }, async () => {
    await count(engine, NPM, { run: await tempFolder(), tables: ['neighbour_tags'] });
    const graph = await load(NPM);
    const means = meansOf(await neighboursInMemory(graph), graph);
    const rows = await allRows(engine, 'SELECT object_id, tag_id, mean FROM neighbour_tags ORDER BY object_id, tag_id');
    const found = new CsrBuilder(graph.objects.size);
    const [objects, tags, values] = ['object_id', 'tag_id', 'mean'].map((column) => rows.get(column) as number[]);
    for (let object = 0, i = 0; object < graph.objects.size; object++) {
      for (; i < objects.length && objects[i] === object; i++) found.add(tags[i], values[i]);
      found.endRow();
    }
    const { rowStart, columns, values: shares } = found.finish();
    expect(rowStart).toEqual(means.rowStart);
    expect(columns).toEqual(means.columns);
    for (let e = 0; e < shares.length; e++)
      if (Math.abs(shares[e] - means.values[e]) > 1e-6) expect.unreachable(`entry ${e}`);
  });
});

describe('sample', () => {
  it('is all tagged objects, each once, where they fit', async () => {
    await count(engine, NPM, { run: await tempFolder(), tables: ['sample', 'tag_counts'] });
    const graph = await load(NPM);
    const rows = await allRows(engine, 'SELECT object_id, weight FROM sample ORDER BY object_id');
    expect(rows.get('object_id')).toEqual([...taggedObjects(graph)]);
    expect(new Set(rows.get('weight'))).toEqual(new Set([1]));
    const counts = await allRows(engine, 'SELECT num_objects FROM tag_counts ORDER BY tag_id');
    expect(counts.get('num_objects')).toEqual([...tagCounts(graph)]);
  });

  it('keeps every object of a rare tag and, by the key, a share of the others, whose weights make up for the rest', async () => {
    const settings = { rows: 4000, rareCount: 3 };
    await count(engine, NPM, { run: await tempFolder(), tables: ['sample', 'tagged'], settings });
    const graph = await load(NPM);
    const counts = tagCounts(graph);
    const tagged = [...taggedObjects(graph)];
    const isRare = (object: number) => graph.tagged.row(object).some((tag) => counts[tag] <= settings.rareCount);
    const [rare, common] = [tagged.filter(isRare), tagged.filter((object) => !isRare(object))];
    const room = Math.max(settings.rows - rare.length, settings.rows / 10);
    const kept = common.filter((object) => sampleKey(0, object) * common.length < room * (2 ** 31 - 1));
    const rows = await allRows(engine, 'SELECT object_id, weight FROM sample ORDER BY object_id');
    expect(rows.get('object_id')).toEqual([...rare, ...kept].sort((a, b) => a - b));
    const weights = rows.get('weight') as number[];
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    expect(Math.abs(total / tagged.length - 1)).toBeLessThan(0.05);
    expect(new Set(weights)).toEqual(new Set([1, common.length / room]));
    const inMemory = sampleRows(graph.tagged, settings);
    expect(await loadSample(engine, {})).toEqual(inMemory);
    expect([...inMemory.objects]).toEqual(rows.get('object_id'));
  });
});
