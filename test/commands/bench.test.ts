import { describe, expect, it } from 'vitest';
import { runBench } from '../../src/commands/bench.ts';
import { type BenchCase, randomGraph } from '../../src/commands/bench-cases.ts';
import { Terminal } from '../../src/commands/terminal.ts';

const WAIT_MS = 40;
const waits: BenchCase = {
  name: 'a case that waits',
  flops: 1e6,
  bytes: 0,
  isLong: true,
  key: 'waiting',
  prepare: () => () => new Promise((resolve) => setTimeout(resolve, WAIT_MS)),
};

describe('runBench(options, terminal, rival, cases)', () => {
  it('measures in turns with a contestant from outside, and shows ratios in one table', async () => {
    let [out, rounds] = ['', 0];
    const write = (text: string) => {
      out += text;
    };
    const signal = new AbortController().signal;
    const terminal = new Terminal({ out: { write }, err: { write: () => {} }, signal, now: () => 0 });
    const rival = {
      libraries: { waiting: 'Other 1.0' },
      round: async () => {
        rounds++;
        return [WAIT_MS * 10];
      },
    };
    await runBench({ threads: 1, only: 'waits' }, terminal, rival, [waits, { ...waits, name: 'another' }]);
    expect(rounds).toBe(3);
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatch(/^a case that waits +Other 1\.0 +400\.00 +0\.0$/);
    expect(lines[2]).toMatch(/^ +cpu 1 +\d+\.\d\d +0\.0 +\d+\.\d\d ×$/);
  });
});

describe('randomGraph(size, entries, seed)', () => {
  it('has sorted columns without repeats, about as many entries as asked for, and the same with the same seed', () => {
    const { rowStart, columns, values } = randomGraph(200, 3000, 1);
    expect(Math.abs(columns.length - 3000)).toBeLessThan(200);
    expect(values).toHaveLength(columns.length);
    for (let row = 0; row < 200; row++) {
      const own = columns.subarray(rowStart[row], rowStart[row + 1]);
      expect(Array.from(own)).toEqual([...new Set(own)].sort((a, b) => a - b));
    }
    expect(randomGraph(200, 3000, 1)).toEqual({ rowStart, columns, values });
    expect(randomGraph(200, 3000, 2).columns).not.toEqual(columns);
  });
});
