// loom's first stage in SQL on DuckDB against the model itself: the same scores, by joins alone.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allObjects, type KnowledgeGraph, taggedObjects } from '../../src/data/knowledge-graph.ts';
import type { Kernels } from '../../src/engine/kernels.ts';
import { openKernels } from '../../src/engine/open.ts';
import { type Loom, shareOf } from '../../src/models/loom/loom.ts';
import { LoomScorer } from '../../src/models/loom/score.ts';
import { fitModel } from '../../src/pipeline.ts';
import { openDuckdb } from '../../src/tables/duckdb/open-duckdb.ts';
import type { TableEngine } from '../../src/tables/engine.ts';
import { GRAPH_TABLES } from '../../src/tables/load-tables.ts';
import { scoreQuery } from '../../src/tables/score-sql.ts';
import { makeLoomTables } from './loom-tables.ts';
import { allRows, loadCounted } from './stages/counted.ts';

const NUM_OBJECTS = 240;
const WORDS = ['tent', 'stove', 'rope', 'lamp', 'boot', 'map', 'knife'];
const ids = Array.from({ length: NUM_OBJECTS }, (_, i) => i);
const lines = (header: string, rows: readonly (readonly string[])[]) =>
  [header, ...rows.map((row) => row.join('\t'))].join('\n').concat('\n');

/** Tags follow from words and users, some objects have one tag and some none. */
const FILES = {
  'tagged.tsv': lines(
    'object\ttag',
    ids
      .filter((i) => i % 6 !== 0)
      .flatMap((i) =>
        [WORDS[i % 7], `use ${i % 4}`, `size ${(i * i) % 5}`].slice(0, 1 + (i % 3)).map((tag) => [`o${i}`, tag]),
      ),
  ),
  'interact.tsv': lines(
    'user\tobject',
    ids.flatMap((i) => [0, 1, 2].map((k) => [`u${(i % 4) * 9 + ((i + 5 * k) % 9)}`, `o${i}`])),
  ),
  'objects.tsv': lines(
    'object\ttitle\ttext',
    ids.map((i) => [`o${i}`, `${WORDS[i % 7]} ${i}`, `${WORDS[(i * i) % 7]} of size ${(i * i) % 5}`]),
  ),
};

let folder: string;
let engine: TableEngine;
let kernels: Kernels;
let graph: KnowledgeGraph;
let loom: Loom;
let scorer: LoomScorer;

beforeAll(async () => {
  engine = await openDuckdb({ memoryLimit: '1GB', threads: 1 });
  kernels = await openKernels({ threads: 1 });
  folder = await mkdtemp(join(tmpdir(), 'tagloom-test-'));
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text);
  const loaded = await loadCounted(engine, folder, { tables: [...GRAPH_TABLES, 'neighbours', 'neighbour_tags'] });
  graph = loaded.graph;
  const counted = { neighbours: loaded.neighbours, sample: { objects: taggedObjects(graph) } };
  const { fitted } = await fitModel(kernels, graph, { counted, settings: { second: 'off' } });
  loom = fitted as Loom;
  scorer = new LoomScorer(kernels, loom, graph);
  await makeLoomTables(engine, await mkdtemp(join(folder, 'model-')), { loom, graph, scorer });
});

afterAll(async () => {
  scorer.release();
  kernels.close();
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

/** Scores by SQL: (numObjects, numTags). */
async function scoresBySql(part?: { first: number; end: number }): Promise<Float32Array> {
  const rows = await allRows(engine, scoreQuery(part));
  const [objects, tags, found] = ['object_id', 'tag_id', 'score'].map((name) => rows.get(name) as number[]);
  const scores = new Float32Array(graph.objects.size * graph.tags.size);
  for (const [i, score] of found.entries()) scores[objects[i] * graph.tags.size + tags[i]] = score;
  return scores;
}

/** Where weights with own tags have this share for all objects. */
async function scoresWithShare(share: number): Promise<Float32Array> {
  const open = new LoomScorer(kernels, { ...loom, mixing: Float32Array.of(share) }, graph);
  const scores = new Float32Array(graph.objects.size * graph.tags.size);
  await open.score(allObjects(graph), scores);
  open.release();
  return scores;
}

function largestDifference(a: Float32Array, b: Float32Array): number {
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);
}

describe('scores by SQL', () => {
  it('are those of the model, for objects with many tags, one and none', async () => {
    const wanted = new Float32Array(graph.objects.size * graph.tags.size);
    await scorer.score(allObjects(graph), wanted);
    expect([loom.tagged.squares, loom.untagged.squares]).toEqual([undefined, undefined]);
    expect(Math.max(...wanted)).toBeGreaterThan(0.5);
    expect(largestDifference(await scoresBySql(), wanted)).toBeLessThan(1e-4);
  });

  it('are the mixture of what both sets of weights say', async () => {
    const [tagged, untagged] = [await scoresWithShare(1), await scoresWithShare(0)];
    const scores = await scoresBySql();
    const numTags = graph.tags.size;
    const mixed = tagged.map((score, i) => {
      const share = shareOf(loom.mixing, graph.tagged.rowLength(Math.floor(i / numTags)));
      return share * score + (1 - share) * untagged[i];
    });
    expect(largestDifference(scores, mixed)).toBeLessThan(1e-4);
  });

  it('of parts of the objects are those of all', async () => {
    const whole = await scoresBySql();
    const half = Math.floor(graph.objects.size / 2);
    const [first, second] = [await scoresBySql({ first: 0, end: half }), await scoresBySql({ first: half, end: 1e6 })];
    expect(first.subarray(half * graph.tags.size).every((score) => score === 0)).toBe(true);
    expect(
      largestDifference(
        first.map((score, i) => score + second[i]),
        whole,
      ),
    ).toBeLessThan(1e-6);
  });

  it('come from every kind of feature', async () => {
    const sql = `SELECT DISTINCT w.kind FROM weights AS w WHERE w.weight <> 0 ORDER BY w.kind`;
    const { kind } = Object.fromEntries(await allRows(engine, sql)) as { kind: string[] };
    expect(kind).toEqual(expect.arrayContaining(['base', 'neighbours', 'own', 'profile', 'text']));
  });
});
