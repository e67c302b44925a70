// The tables that src/tables/score-sql.ts takes from a model, made in an engine.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Csr } from '../../src/csr.ts';
import { allObjects, type KnowledgeGraph } from '../../src/data/knowledge-graph.ts';
import { type Loom, type LoomWeights, layoutOf } from '../../src/models/loom/loom.ts';
import { Mentions } from '../../src/models/loom/mentions.ts';
import type { LoomScorer } from '../../src/models/loom/score.ts';
import { TextSpace } from '../../src/models/loom/text-space.ts';
import { readTexts } from '../../src/models/loom/views.ts';
import { DIALECTS } from '../../src/tables/dialect.ts';
import type { TableEngine } from '../../src/tables/engine.ts';

type Rows = (string | number)[][];

export async function makeLoomTables(
  engine: TableEngine,
  folder: string,
  { loom, graph, scorer }: { loom: Loom; graph: KnowledgeGraph; scorer: LoomScorer },
): Promise<void> {
  const space = new TextSpace(loom.text);
  const weights = [
    ...weightRows('tagged', loom.tagged, layoutOf(graph.tags.size, space.width, true)),
    ...weightRows('untagged', loom.untagged, layoutOf(graph.tags.size, space.width, false)),
  ];
  const mixing = Array.from(loom.mixing, (share, numTags) => [numTags, share]);
  const tables: [string, Record<string, string>, Rows][] = [
    ['seen', { object_id: 'INT', kind: '', feature_id: 'INT', value: 'DOUBLE' }, await seenRows(graph, space, scorer)],
    ['weights', { side: '', kind: '', feature_id: 'INT', tag_id: 'INT', weight: 'DOUBLE' }, weights],
    ['mixing', { num_tags: 'INT', share: 'DOUBLE' }, mixing],
  ];
  const dialect = DIALECTS[engine.name];
  for (const [name, columns, rows] of tables) {
    const path = join(folder, `${name}.tsv`);
    await writeFile(path, [Object.keys(columns), ...rows].map((row) => `${row.join('\t')}\n`).join(''));
    for (const sql of dialect.viewOf(`file_${name}`, { format: 'tsv', paths: [path] })) await engine.run(sql);
    const typed = Object.entries(columns).map(([column, type]) =>
      type === '' ? column : `CAST(${column} AS ${type}) AS ${column}`,
    );
    await engine.run(`CREATE OR REPLACE TEMPORARY VIEW ${name} AS SELECT ${typed.join(', ')} FROM file_${name}`);
  }
}

async function seenRows(graph: KnowledgeGraph, space: TextSpace, scorer: LoomScorer): Promise<Rows> {
  const objects = allObjects(graph);
  const { text, mentions } = await readTexts(space, new Mentions(graph.tags), graph, objects, {});
  const usersOf = graph.interact.reversed();
  const rows = [...sparseRows('text', text), ...sparseRows('mention', mentions)];
  for (const object of objects) {
    const users = usersOf.row(object);
    const profile = await scorer.profileOf(users);
    const content = scorer.contentOf({ tags: [], users, object });
    for (const [k, value] of profile.entries()) rows.push([object, 'profile', k, value]);
    for (const [k, value] of content.entries()) rows.push([object, 'content', k, value]);
  }
  return rows;
}

function sparseRows(kind: string, { rowStart, columns, values }: Csr): Rows {
  const rows: Rows = [];
  for (let object = 0; object + 1 < rowStart.length; object++) {
    for (let e = rowStart[object]; e < rowStart[object + 1]; e++) rows.push([object, kind, columns[e], values[e]]);
  }
  return rows;
}

function weightRows(side: string, weights: LoomWeights, layout: ReturnType<typeof layoutOf>): Rows {
  const { rowStart, columns, values } = weights.sparse;
  const numTags = weights.base.length;
  const rows: Rows = [];
  for (let f = 0; f < layout.size; f++) {
    const [kind, first] =
      f < layout.neighbours ? ['own', 0] : f < layout.text ? ['neighbours', layout.neighbours] : ['text', layout.text];
    for (let e = rowStart[f]; e < rowStart[f + 1]; e++) rows.push([side, kind, f - first, columns[e], values[e]]);
  }
  for (const kind of ['profile', 'content'] as const) {
    for (const [i, weight] of weights[kind].entries()) {
      rows.push([side, kind, Math.floor(i / numTags), i % numTags, weight]);
    }
  }
  for (const [tag, weight] of weights.base.entries()) rows.push([side, 'base', 0, tag, weight]);
  for (const [tag, weight] of weights.mention.entries()) rows.push([side, 'mention', tag, tag, weight]);
  return rows;
}
