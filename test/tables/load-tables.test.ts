// What does not fit into typed arrays is refused with a cure, before it is read.

import { describe, expect, it } from 'vitest';
import { openDuckdb } from '../../src/tables/duckdb/open-duckdb.ts';
import type { TableEngine } from '../../src/tables/engine.ts';
import { loadGraph } from '../../src/tables/load-tables.ts';
import { estimatedMemory } from '../../src/tables/memory-estimate.ts';
import { tempFolder } from '../temp-folder.ts';
import { loadCounted } from './stages/counted.ts';

async function withDuckdb<Result>(work: (engine: TableEngine) => Promise<Result>): Promise<Result> {
  const engine = await openDuckdb({ threads: 1 });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

describe('sizes', () => {
  it('of tables beyond 2³¹ − 1 rows are refused before a row is read', async () => {
    const counts = [1, 1, 1, 2 ** 31]; // of tags, objects, users and interactions, in this order
    const asked: string[] = [];
    const engine = {
      async *query(sql: string) {
        asked.push(sql);
        const isCount = sql.includes('count(*)');
        const column = isCount ? BigInt64Array.of(BigInt(counts.shift() ?? 0)) : ['x'];
        yield { numRows: 1, columns: new Map([[isCount ? 'n' : 'name', column]]) };
      },
    } as unknown as TableEngine;
    await expect(loadGraph(engine, [], 'data', {})).rejects.toThrow(
      'got 2,147,483,648 rows in the table interact, expected 2,147,483,647 at most.',
    );
    expect(asked.at(-1)).toContain('count(*)');
  });

  it('are estimated from those of files: about 7 GB for 20 million interactions', () => {
    const paths = ['a/interact-1.tsv', 'a/interact-2.tsv.gz'];
    const files = [
      { path: paths[0], numBytes: 200e6, changed: 0 },
      { path: paths[1], numBytes: 200e6 / 3, changed: 0 },
      { path: 'a/tagged.tsv', numBytes: 1e12, changed: 0 },
    ];
    expect(estimatedMemory({ interact: { format: 'tsv', paths }, files })).toBeCloseTo(6.7e9, -9);
    expect(estimatedMemory({ files })).toBeLessThan(1e9);
    const few = [{ path: 'a/interact.tsv', numBytes: 40e6, changed: 0 }]; // 2 million: the solve is most of it
    expect(estimatedMemory({ interact: { format: 'tsv', paths: ['a/interact.tsv'] }, files: few })).toBeCloseTo(
      3.6e9,
      -9,
    );
  });
});

describe('data without tags', () => {
  it('are refused', async () => {
    const folder = await tempFolder({ 'tagged.tsv': 'object\ttag\na\t \n', 'interact.tsv': 'user\tobject\n1\ta\n' });
    await expect(withDuckdb((engine) => loadCounted(engine, folder))).rejects.toThrow('got no tags');
  });
});

describe('data without users', () => {
  it('have objects and tags, and no neighbours', async () => {
    const folder = await tempFolder({ 'tagged.csv': 'object,tag\nb,y\na,x\n' });
    const { graph, neighbours } = await withDuckdb((engine) => loadCounted(engine, folder));
    expect([graph.users.size, graph.interact.size, graph.objects.size]).toEqual([0, 0, 2]);
    expect(neighbours).toEqual({
      rowStart: new Int32Array(3),
      columns: new Int32Array(0),
      values: new Float32Array(0),
    });
  });
});
