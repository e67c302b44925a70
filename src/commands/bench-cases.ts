// What `tagloom bench` measures: kernels at the sizes of real data sets, and one whole step of a dual graph model.
// A case prepares its matrices on a backend and returns the work to be timed.

import type { Csr } from '../csr.ts';
import type { Kernels } from '../engine/kernels.ts';
import type { Dense } from '../engine/matrix.ts';
import { Random } from '../random.ts';

export interface BenchCase {
  readonly name: string;
  readonly flops: number;
  /** Bytes that must move at least once; 0 where that says nothing. */
  readonly bytes: number;
  /** Seconds a call: fewer rounds, and without the reference. */
  readonly isLong?: true;
  /** By which a contestant from outside knows this case. */
  readonly key?: string;
  /** What it returns is to be awaited. */
  prepare(kernels: Kernels): () => unknown;
}

export const SPARSE_SHAPES = [
  { rows: 3883, entries: 680_000, width: 32 },
  { rows: 17_632, entries: 2_600_000, width: 64 },
] as const;

/** Sizes of a step on the paper's Last.fm data: both graphs, 64 wide, 8,192 pairs with 15 noise tags each. */
export const STEP = {
  objects: 17_632,
  objectEdges: 4_600_000,
  tags: 11_946,
  tagEdges: 900_000,
  width: 64,
  pairs: 8192,
  noise: 15,
} as const;

/** A square sparse matrix with about `entries` entries: some rows are ten times as long as others. */
export function randomGraph(size: number, entries: number, seed: number): Csr {
  const random = new Random(seed, 'bench graph');
  const rowStart = new Int32Array(size + 1);
  const weights = Float64Array.from({ length: size }, () => 0.2 + 2 * random.float() ** 4);
  const perWeight = entries / weights.reduce((a, b) => a + b, 0);
  const columns = new Int32Array(entries + size);
  const marks = new Int32Array(size).fill(-1);
  let end = 0;
  for (let row = 0; row < size; row++) {
    const first = end;
    const length = Math.min(size, Math.round(weights[row] * perWeight));
    while (end - first < length && end < columns.length) {
      const column = random.below(size);
      if (marks[column] === row) continue;
      marks[column] = row;
      columns[end++] = column;
    }
    columns.subarray(first, end).sort();
    rowStart[row + 1] = end;
  }
  return { rowStart, columns: columns.slice(0, end), values: Float32Array.from({ length: end }, () => random.float()) };
}

function randomDense(kernels: Kernels, rows: number, cols: number, scale = 1): Dense {
  const random = new Random(7, 'bench dense');
  const out = kernels.dense(rows, cols);
  kernels.write(
    out,
    Float32Array.from({ length: rows * cols }, () => scale * (random.float() - 0.5)),
  );
  return out;
}

type SparseShape = (typeof SPARSE_SHAPES)[number];

export function sparseName({ rows, width }: SparseShape): string {
  return `CSR × dense, ${rows} rows, width ${width}`;
}

function sparseCase(shape: SparseShape): BenchCase {
  const { rows, entries, width } = shape;
  const arrays = randomGraph(rows, entries, 1);
  const count = arrays.columns.length;
  return {
    name: `${sparseName(shape)}, ${count} entries`,
    flops: 2 * count * width,
    bytes: 8 * count + 8 * rows * width,
    key: sparseName(shape),
    prepare(kernels) {
      const a = kernels.sparse(rows, rows, arrays);
      const x = randomDense(kernels, rows, width);
      const out = kernels.dense(rows, width);
      return () => kernels.spmm(out, a, x);
    },
  };
}

function gemmCase(rows: number, cols: number, depth: number, options = {}): BenchCase {
  const transposed = 'transposeA' in options;
  return {
    name: `GEMM ${transposed ? 'Aᵀ·B' : 'A·B'}, ${rows} × ${depth} × ${cols}`,
    flops: 2 * rows * cols * depth,
    bytes: 4 * (rows * depth + depth * cols + rows * cols),
    prepare(kernels) {
      const a = transposed ? randomDense(kernels, depth, rows) : randomDense(kernels, rows, depth);
      const b = randomDense(kernels, depth, cols);
      const out = kernels.dense(rows, cols);
      return () => kernels.gemm(out, a, b, options);
    },
  };
}

function elementwiseCase(name: string, operation: 'relu' | 'exp' | 'softplus'): BenchCase {
  const [rows, cols] = [17_632, 64];
  return {
    name: `${name}, ${rows} × ${cols}`,
    flops: rows * cols,
    bytes: 8 * rows * cols,
    prepare(kernels) {
      const x = randomDense(kernels, rows, cols, 4);
      const out = kernels.dense(rows, cols);
      return () => kernels.unary(out, operation, x);
    },
  };
}

function inverseCase(size: number, isLarge: boolean): BenchCase {
  return {
    name: `symmetric inverse, n = ${size}`,
    flops: size ** 3,
    bytes: 0,
    ...(isLarge ? { isLong: true } : {}),
    prepare(kernels) {
      const a = kernels.dense(size, size);
      const random = new Random(3, 'bench symmetric');
      const values = Float32Array.from({ length: size * size }, () => random.float() - 0.5);
      for (let i = 0; i < size; i++) values[i * size + i] = size; // dominant: positive definite
      return () => {
        kernels.write(a, values);
        return kernels.invertSymmetric(a);
      };
    },
  };
}

/** Forward, loss, backward and Adam of two two-layer graph convolutions with a noise-contrastive loss, kernel by kernel. */
function stepCase(): BenchCase {
  const objectArrays = randomGraph(STEP.objects, STEP.objectEdges, 1);
  const tagArrays = randomGraph(STEP.tags, STEP.tagEdges, 2);
  const edges = objectArrays.columns.length + tagArrays.columns.length;
  const { width, pairs, noise } = STEP;
  return {
    name: `DGE step, ${edges} edges, width ${width}, ${pairs} pairs × ${noise}`,
    flops: 8 * edges * width + 12 * (STEP.objects + STEP.tags) * width * width + 6 * pairs * (noise + 1) * width,
    bytes: 0,
    key: 'step',
    prepare(kernels) {
      const objects = makeSide(kernels, STEP.objects, objectArrays);
      const tags = makeSide(kernels, STEP.tags, tagArrays);
      const loss = makeLoss(kernels, objects, tags);
      let step = 0;
      return () => {
        step++;
        objects.forward();
        tags.forward();
        loss();
        objects.backward(step);
        tags.backward(step);
      };
    },
  };
}

/** One graph's half: Z = Â·(ReLU(Â·W0)·W1), its gradients, and Adam on both weights. */
function makeSide(kernels: Kernels, size: number, arrays: Csr) {
  const width = STEP.width;
  const a = kernels.sparse(size, size, { ...arrays, values: arrays.values.map(() => 1 / 256) });
  const w0 = randomDense(kernels, size, width, 0.1);
  const w1 = randomDense(kernels, width, width, 0.1);
  const make = () => kernels.dense(size, width);
  const [h0, h, hw, z, dz, dhw, dh, dw0] = [make(), make(), make(), make(), make(), make(), make(), make()];
  const dw1 = kernels.dense(width, width);
  const state0 = { weights: w0, gradient: dw0, mean: make(), variance: make() };
  const state1 = {
    weights: w1,
    gradient: dw1,
    mean: kernels.dense(width, width),
    variance: kernels.dense(width, width),
  };
  const settings = { learningRate: 2e-3, beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };
  return {
    z,
    dz,
    forward() {
      kernels.spmm(h0, a, w0);
      kernels.unary(h, 'relu', h0);
      kernels.gemm(hw, h, w1);
      kernels.spmm(z, a, hw);
      kernels.fill(dz, 0);
    },
    backward(step: number) {
      kernels.spmm(dhw, a, dz);
      kernels.gemm(dw1, h, dhw, { transposeA: true });
      kernels.gemm(dh, dhw, w1, { transposeB: true });
      kernels.unaryBackward(dh, 'relu', dh, h0, h);
      kernels.spmm(dw0, a, dh);
      kernels.adam(state0, { ...settings, step });
      kernels.adam(state1, { ...settings, step });
    },
  };
}

function makeLoss(kernels: Kernels, objects: { z: Dense; dz: Dense }, tags: { z: Dense; dz: Dense }): () => void {
  const { pairs, noise } = STEP;
  const random = new Random(5, 'bench pairs');
  const draw = (count: number, below: number) => {
    const out = kernels.ints(count);
    kernels.writeInts(
      out,
      Int32Array.from({ length: count }, () => random.below(below)),
    );
    return out;
  };
  const inputs = {
    objectEmbeddings: objects.z,
    tagEmbeddings: tags.z,
    objects: draw(pairs, STEP.objects),
    tags: draw(pairs, STEP.tags),
    noise: draw(pairs * noise, STEP.tags),
    offsets: kernels.dense(1, STEP.tags),
  };
  const out = {
    losses: kernels.dense(1, pairs),
    coefficients: kernels.dense(pairs, noise + 1),
    dObjectEmbeddings: objects.dz,
    dTagEmbeddings: tags.dz,
  };
  return () => kernels.nce(out, inputs, 1 / pairs);
}

export function benchCases(): BenchCase[] {
  return [
    ...SPARSE_SHAPES.map(sparseCase),
    gemmCase(17_632, 64, 64),
    gemmCase(64, 64, 17_632, { transposeA: true }),
    gemmCase(1024, 1024, 1024),
    elementwiseCase('relu', 'relu'),
    elementwiseCase('exp', 'exp'),
    elementwiseCase('softplus', 'softplus'),
    inverseCase(512, false),
    inverseCase(8000, true),
    stepCase(),
  ];
}
