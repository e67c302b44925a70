// The dual form of the ridge regression (ridge.ts): from the inverse of K = F Fᵀ + I, one row and column for each row of F.

import { type Csr, selectedRows, transposedCsr } from '../../csr.ts';
import type { Kernels } from '../../engine/kernels.ts';
import type { Dense, Sparse } from '../../engine/matrix.ts';
import { identityOf, transposed } from '../../engine/numerics/dense.ts';
import type { FeatureMatrix, LargeProducts, RidgeProblem } from './problem.ts';
import { type Lacking, lacking, type Ridge } from './solution.ts';

export class DualRidge implements Ridge {
  readonly #kernels: Kernels;
  readonly #problem: RidgeProblem;
  readonly #features: FeatureMatrix;
  readonly #inverse: Dense; // K⁻¹
  readonly #rowsOf: Csr; // features by rows: of targets, the rows that have them
  readonly #factors: Float64Array; // c_t, known once the weights of a target were asked for

  /** Owns the features and the inverse. */
  constructor(kernels: Kernels, problem: RidgeProblem, features: FeatureMatrix, inverse: Dense) {
    this.#kernels = kernels;
    this.#problem = problem;
    this.#features = features;
    this.#inverse = inverse;
    this.#rowsOf = transposedCsr(problem.sparse, problem.numSparse);
    this.#factors = new Float64Array(problem.numTargets);
  }

  async weightsOf(targets: Int32Array): Promise<Float32Array> {
    const answers = await this.#answersOf(targets);
    const weights = await this.#features.transposedTimes(answers);
    this.#kernels.release(answers);
    for (let i = 0; i < targets.length; i++) weights[targets[i] * targets.length + i] = 0;
    return weights;
  }

  async strongWeightsOf(targets: Int32Array, limits: Float32Array): Promise<LargeProducts> {
    const answers = await this.#answersOf(targets);
    const found = await this.#features.largeOfTransposedTimes(answers, limits);
    this.#kernels.release(answers);
    forgetOwn(found.sparse, targets);
    return found;
  }

  async without(rows: Int32Array): Promise<Lacking> {
    const kernels = this.#kernels;
    const { numRows, numTargets } = this.#problem;
    const places = kernels.ints(rows.length);
    kernels.writeInts(places, rows);
    const [picked, products] = [kernels.dense(rows.length, numRows), kernels.dense(numTargets, rows.length)];
    kernels.gather(picked, this.#inverse, places);
    const parts = await kernels.read(picked); // rows of K⁻¹, which are its columns, too
    const all = Int32Array.from({ length: numTargets }, (_, t) => t);
    const y = kernels.sparse(numTargets, numRows, this.#onesOf(all));
    const columns = kernels.dense(numRows, rows.length);
    kernels.write(columns, transposed(parts, rows.length));
    kernels.spmm(products, y, columns);
    const a = transposed(await kernels.read(products), numTargets);
    kernels.release(places, picked, products, y, columns);
    const diagonal = Float64Array.from(rows, (row, i) => parts[i * numRows + row]);
    return lacking(this.#problem, rows, { a, diagonal, factors: this.#factors });
  }

  release(): void {
    this.#features.release();
    this.#kernels.release(this.#inverse);
  }

  /** Column i: a_t · c_t of target i. */
  async #answersOf(targets: Int32Array): Promise<Dense> {
    const kernels = this.#kernels;
    const { numRows, targetScales } = this.#problem;
    const own = this.#onesOf(targets);
    const y = kernels.sparse(targets.length, numRows, own);
    const [products, columns] = [kernels.dense(targets.length, numRows), kernels.dense(numRows, targets.length)];
    kernels.spmm(products, y, this.#inverse); // row i: a_t
    const scale = (agreements: ArrayLike<number>) => {
      for (const [i, target] of targets.entries()) {
        this.#factors[target] = 1 / Math.max(1 - targetScales[target] * targetScales[target] * agreements[i], 1e-6);
      }
      return Float64Array.from(targets, (target) => this.#factors[target]);
    };
    if (kernels.isRemote) await scaledThere(kernels, columns, products, y, scale);
    else await scaledHere(kernels, columns, products, own, scale);
    kernels.release(y, products);
    return columns;
  }

  /** By target the rows that have it, as ones. */
  #onesOf(targets: Int32Array): Csr {
    const own = selectedRows(this.#rowsOf, targets); // its values are scales
    own.values.fill(1);
    return own;
  }
}

/** Makes the weights of targets for themselves zeros. */
function forgetOwn({ rowStart, columns, values }: Csr, targets: Int32Array): void {
  for (const [i, target] of targets.entries()) {
    for (let e = rowStart[target]; e < rowStart[target + 1]; e++) if (columns[e] === i) values[e] = 0;
  }
}

/** From y_tᵀ a_t by target its factor. */
type Scale = (agreements: ArrayLike<number>) => Float64Array;

/** out[r][i] = c_t · a[i][r] for target t of row i, whose rows are `own`. */
async function scaledHere(kernels: Kernels, out: Dense, a: Dense, own: Csr, scale: Scale): Promise<void> {
  const [width, numRows] = [a.rows, a.cols];
  const numbers = await kernels.read(a);
  const agreements = Float64Array.from({ length: width }, (_, i) => {
    let sum = 0;
    for (let e = own.rowStart[i]; e < own.rowStart[i + 1]; e++) sum += numbers[i * numRows + own.columns[e]];
    return sum;
  });
  const factors = scale(agreements);
  const columns = new Float32Array(numbers.length);
  for (let i = 0; i < width; i++) {
    for (let r = 0; r < numRows; r++) columns[r * width + i] = numbers[i * numRows + r] * factors[i];
  }
  kernels.write(out, columns);
}

/** The same by products, for engines from which reading all of it would take longer. */
async function scaledThere(kernels: Kernels, out: Dense, a: Dense, y: Sparse, scale: Scale): Promise<void> {
  const width = a.rows;
  const [diagonal, agreements] = [kernels.dense(width, width), kernels.dense(width, width)];
  try {
    kernels.write(diagonal, identityOf(width));
    kernels.gemm(out, a, diagonal, { transposeA: true });
    kernels.spmm(agreements, y, out);
    const numbers = await kernels.read(agreements);
    const factors = scale(diagonalOf(numbers, width));
    kernels.write(
      diagonal,
      identityOf(width).map((one, i) => one * factors[i % width]),
    );
    kernels.gemm(out, a, diagonal, { transposeA: true });
  } finally {
    kernels.release(diagonal, agreements);
  }
}

function diagonalOf(numbers: Float32Array, width: number): Float32Array {
  return Float32Array.from({ length: width }, (_, i) => numbers[i * width + i]);
}
