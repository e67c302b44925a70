// The truncated SVD against an exact one in double precision, on the fast backend and on one that rounds more than any.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GemmOptions, Kernels } from '../../../src/engine/kernels.ts';
import type { Dense } from '../../../src/engine/matrix.ts';
import { type SvdOptions, truncatedSvd } from '../../../src/engine/numerics/svd.ts';
import { ReferenceKernels } from '../../../src/engine/reference/reference-kernels.ts';
import { Random } from '../../../src/random.ts';
import { type MakeKernels, openCpu } from '../backends.ts';
import { makeCsr } from '../matrices.ts';

/** The reference with the products a fast backend has: summed in float32, one after the other. */
class RoundingKernels extends ReferenceKernels {
  override gemm(out: Dense, a: Dense, b: Dense, { transposeA = false, scale = 1 }: GemmOptions = {}): void {
    const [sums, x, y] = [out, a, b].map((matrix) => this.memory.floats(matrix));
    sums.fill(0);
    for (let k = 0; k < b.rows; k++) {
      for (let r = 0; r < out.rows; r++) {
        const left = scale * x[transposeA ? k * a.stride + r : r * a.stride + k];
        for (let c = 0; c < out.cols; c++) sums[r * out.stride + c] += left * y[k * b.stride + c];
      }
    }
  }
}

const CPU: [name: string, make: MakeKernels] = ['cpu', () => openCpu({ threads: 1 })];
const ROUNDING: [name: string, make: MakeKernels] = ['rounding', () => new RoundingKernels()];

/** A matrix as rows of numbers: what the tests compute with. */
type Table = number[][];

describe.each([CPU, ROUNDING])('truncatedSvd on the %s backend', (_name, make) => {
  let kernels: Kernels;
  beforeAll(async () => {
    kernels = await make();
  });
  afterAll(() => kernels.close());

  /** Decomposes a table, checks what holds for every result, and gives the numbers. */
  const decompose = async (a: Table, numCols: number, options: SvdOptions) => {
    const before = kernels.usedBytes;
    const csr = makeCsr(kernels, a, numCols);
    const rank = Math.min(options.rank, a.length, numCols);
    const result = await truncatedSvd(kernels, csr, options);
    expect(result.u).toMatchObject({ rows: a.length, cols: rank });
    expect(result.v).toMatchObject({ rows: numCols, cols: rank });
    const [u, v] = [await kernels.read(result.u), await kernels.read(result.v)];
    const s = result.s;
    kernels.release(csr, result.u, result.v);
    expect(kernels.usedBytes, 'bytes left behind').toBe(before);

    expect([...u, ...v, ...s].every(Number.isFinite)).toBe(true);
    expect([...s]).toEqual([...s].sort((x, y) => y - x));
    for (const vectors of [u, v]) {
      const columns = Array.from(s, (_, j) => columnOf(vectors, rank, j));
      for (let i = 0; i < rank; i++) {
        for (let j = 0; j <= i; j++) {
          const expected = i === j && s[i] > 0 ? 1 : 0;
          expect(Math.abs(dot(columns[i], columns[j]) - expected)).toBeLessThan(1e-4);
        }
      }
    }
    for (let j = 0; j < rank; j++) {
      const column = columnOf(u, rank, j);
      const largest = Math.max(...column.map(Math.abs));
      expect(column.find((value) => Math.abs(value) === largest)).toBeGreaterThanOrEqual(0);
    }
    return { u, s, v, rank };
  };

  it.each([
    [12, 12],
    [30, 17],
    [17, 30],
    [60, 1],
    [1, 60],
    [1, 1],
  ])('equals the exact decomposition of a random %i × %i matrix when all columns are carried', async (n, m) => {
    const a = randomTable(n, m, 0.8);
    const exact = exactSingularValues(a);
    const { s, rank, ...vectors } = await decompose(a, m, { rank: Math.min(n, m), seed: 1 });
    for (let j = 0; j < rank; j++) expect(Math.abs(s[j] - exact[j])).toBeLessThan(1e-5 * exact[0]);
    expectNear(rebuild({ s, rank, ...vectors }), a, 1e-5 * exact[0]);
  });

  it('finds the largest singular values when the others are far below', async () => {
    const a = withSingularValues(
      80,
      50,
      Array.from({ length: 50 }, (_, j) => 100 * 0.75 ** j),
    );
    const exact = exactSingularValues(a);
    const { s } = await decompose(a, 50, { rank: 8, seed: 2 });
    for (let j = 0; j < 8; j++) expect(Math.abs(s[j] / exact[j] - 1)).toBeLessThan(1e-4);
  });

  it('comes ever nearer with more iterations when singular values lie close together', async () => {
    const a = randomTable(120, 90, 0.1);
    const exact = exactSingularValues(a).slice(0, 5);
    const errors: number[] = [];
    for (const iterations of [0, 2, 40]) {
      const { s } = await decompose(a, 90, { rank: 5, seed: 3, oversample: 5, iterations });
      errors.push(Math.max(...exact.map((value, j) => Math.abs(s[j] / value - 1))));
    }
    expect(errors[1]).toBeLessThan(errors[0]);
    expect(errors[2]).toBeLessThan(1e-5);
  });

  it.each([
    ['equal', [3, 3, 3, 3]],
    ['a thousand apart', [1000, 1]],
    ['from 1 to a thousandth', [1, 0.1, 0.01, 0.001]],
  ])(
    'recovers a matrix of low rank with singular values %s, and gives zeros beyond its rank',
    async (_title, values) => {
      const a = withSingularValues(70, 40, values);
      const result = await decompose(a, 40, { rank: 6, seed: 4 });
      for (let j = 0; j < 6; j++) expect(Math.abs(result.s[j] - (values[j] ?? 0))).toBeLessThan(1e-4 * values[0]);
      expect([...result.s.slice(values.length)]).toEqual(new Array(6 - values.length).fill(0));
      expectNear(rebuild(result), a, 1e-5 * values[0]);
      expect(columnOf(result.u, 6, 5).every((value) => value === 0)).toBe(true);
      expect(columnOf(result.v, 6, 5).every((value) => value === 0)).toBe(true);
    },
  );

  it('takes small singular values apart as well as large ones', async () => {
    const values = [1, 0.1, 0.01, 0.001];
    const { s } = await decompose(withSingularValues(70, 40, values), 40, { rank: 4, seed: 4 });
    for (const [j, value] of values.entries()) expect(Math.abs(s[j] / value - 1)).toBeLessThan(1e-3);
  });

  it('does not mind the scale of the numbers', async () => {
    for (const scale of [1e-25, 1e-12, 1e12, 1e25]) {
      const a = withSingularValues(30, 20, [2 * scale, scale]);
      const result = await decompose(a, 20, { rank: 3, seed: 5 });
      expect(Math.abs(result.s[0] / (2 * scale) - 1)).toBeLessThan(1e-5);
      expect(Math.abs(result.s[1] / scale - 1)).toBeLessThan(1e-5);
      expect(result.s[2]).toBe(0);
    }
  });

  it('decomposes a matrix most of whose rows and columns are empty', async () => {
    const core = randomTable(6, 5, 1);
    const a = Array.from({ length: 50 }, (_, r) =>
      Array.from({ length: 45 }, (_, c) =>
        r % 9 === 2 && c % 10 === 3 ? core[Math.floor(r / 9)][Math.floor(c / 10)] : 0,
      ),
    );
    const exact = exactSingularValues(core);
    const result = await decompose(a, 45, { rank: 12, seed: 6 });
    for (let j = 0; j < 12; j++) expect(Math.abs(result.s[j] - (exact[j] ?? 0))).toBeLessThan(1e-5 * exact[0]);
    expectNear(rebuild(result), a, 1e-5 * exact[0]);
  });

  it('decomposes a matrix with one number, with equal rows, and with zeros alone', async () => {
    const one = Array.from({ length: 20 }, (_, r) =>
      Array.from({ length: 30 }, (_, c) => (r === 7 && c === 9 ? -5 : 0)),
    );
    const single = await decompose(one, 30, { rank: 4, seed: 7 });
    expect([...single.s]).toEqual([5, 0, 0, 0]);
    expect(single.u[7 * 4]).toBe(1);
    expect(single.v[9 * 4]).toBe(-1);

    const equal = new Array(20).fill([1, 0, 2, 0, 2]);
    const { s } = await decompose(equal, 5, { rank: 5, seed: 7 });
    expect(s[0]).toBeCloseTo(3 * Math.sqrt(20), 4);
    expect([...s.slice(1)]).toEqual([0, 0, 0, 0]);

    const zeros = await decompose(new Array(4).fill([0, 0, 0]), 3, { rank: 2, seed: 7 });
    expect([...zeros.s, ...zeros.u, ...zeros.v].every((value) => value === 0)).toBe(true);
  });

  it('carries far more columns than a tall matrix has rank', async () => {
    const patterns = randomTable(20, 100, 0.2);
    const a = Array.from({ length: 6000 }, (_, r) => patterns[r % 20]);
    const exact = exactSingularValues(patterns).map((value) => value * Math.sqrt(300));
    const { s } = await decompose(a, 100, { rank: 30, seed: 11, oversample: 20, iterations: 1 });
    for (let j = 0; j < 30; j++) expect(Math.abs(s[j] - (j < 20 ? exact[j] : 0))).toBeLessThan(1e-4 * exact[0]);
  });

  it('cuts the rank to the size of the matrix, down to nothing', async () => {
    expect((await decompose(randomTable(5, 9, 1), 9, { rank: 100, seed: 8 })).s.length).toBe(5);
    expect((await decompose([], 9, { rank: 3, seed: 8 })).s.length).toBe(0);
    expect((await decompose([[], []], 0, { rank: 3, seed: 8 })).s.length).toBe(0);
    expect((await decompose(randomTable(5, 9, 1), 9, { rank: 0, seed: 8 })).s.length).toBe(0);
  });

  it('gives the same bytes for the same seed, and other bytes for another', async () => {
    const a = randomTable(60, 40, 0.2);
    const run = async (seed: number) => decompose(a, 40, { rank: 7, seed, oversample: 3, iterations: 1 });
    expect(await run(9)).toEqual(await run(9));
    expect((await run(9)).u).not.toEqual((await run(10)).u);
  });
});

function randomTable(n: number, m: number, density: number): Table {
  const random = new Random(n * 1000 + m, 'svd test');
  const number = () => (random.float() < density ? Math.fround(random.float() * 2 - 1) : 0);
  return Array.from({ length: n }, () => Array.from({ length: m }, number));
}

/** Random orthonormal vectors around the given values. */
function withSingularValues(n: number, m: number, values: readonly number[]): Table {
  const [u, v] = [n, m].map((size) => orthonormal(randomTable(values.length, size, 1)));
  return Array.from({ length: n }, (_, r) =>
    Array.from({ length: m }, (_, c) => values.reduce((sum, value, j) => sum + u[j][r] * value * v[j][c], 0)),
  );
}

/** Gram-Schmidt over the rows, twice. */
function orthonormal(rows: Table): Table {
  const out: Table = [];
  for (let row of rows) {
    for (const other of [...out, ...out]) {
      const along = dot(row, other);
      row = row.map((value, i) => value - along * other[i]);
    }
    const length = Math.sqrt(dot(row, row));
    out.push(row.map((value) => value / length));
  }
  return out;
}

/** The square roots of the eigenvalues of aᵀa, by two-sided Jacobi rotations in double precision. */
function exactSingularValues(a: Table): number[] {
  const m = a[0].length;
  const g = Array.from({ length: m }, (_, i) =>
    Array.from({ length: m }, (_, j) => a.reduce((sum, row) => sum + row[i] * row[j], 0)),
  );
  for (let sweep = 0; sweep < 12; sweep++) {
    for (let p = 0; p < m; p++) {
      for (let q = p + 1; q < m; q++) {
        const angle = Math.atan2(2 * g[p][q], g[q][q] - g[p][p]) / 2;
        const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
        for (let k = 0; k < m; k++) {
          [g[k][p], g[k][q]] = [cosine * g[k][p] - sine * g[k][q], sine * g[k][p] + cosine * g[k][q]];
        }
        for (let k = 0; k < m; k++) {
          [g[p][k], g[q][k]] = [cosine * g[p][k] - sine * g[q][k], sine * g[p][k] + cosine * g[q][k]];
        }
      }
    }
  }
  return g.map((row, i) => Math.sqrt(Math.max(row[i], 0))).sort((x, y) => y - x);
}

function rebuild({ u, s, v, rank }: { u: Float32Array; s: Float32Array; v: Float32Array; rank: number }): Table {
  const [left, right] = [u, v].map((x) =>
    Array.from({ length: x.length / rank }, (_, r) => x.subarray(r * rank, (r + 1) * rank)),
  );
  return left.map((x) => right.map((y) => s.reduce((sum, value, j) => sum + x[j] * value * y[j], 0)));
}

function expectNear(actual: Table, expected: Table, tolerance: number): void {
  const errors = actual.flatMap((row, r) => row.map((value, c) => Math.abs(value - expected[r][c])));
  expect(Math.max(...errors)).toBeLessThan(tolerance);
}

function columnOf(x: Float32Array, cols: number, col: number): number[] {
  return Array.from({ length: x.length / cols }, (_, r) => x[r * cols + col]);
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}
