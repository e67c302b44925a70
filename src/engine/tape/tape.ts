// A reverse-mode tape: operations are recorded once, with their gradients, and replayed every step in the same memory.
// A layer of a graph network reads `tape.relu(tape.spmm(a, w, { symmetric: true }))`. Shapes are checked while
// recording; numbers leave the engine only through `loss` and the kernels' own reads.
//
//   record    parameter, constant, and the operations below
//   settle    minimize(loss)
//   repeat    run() and an optimiser (tape-adam.ts); await loss() now and then
//   evaluate  forward()

import type { Ints, Sparse } from '../matrix.ts';
import { type NceTensors, nce, softmaxCrossEntropy } from './losses.ts';
import * as operations from './operations.ts';
import { Recording, type Tensor } from './recording.ts';

export type { NceTensors } from './losses.ts';
export { NonFiniteError, type Tensor } from './recording.ts';

export class Tape extends Recording {
  /** A · x. Say `symmetric` where A = Aᵀ: its gradient is then as fast as itself. */
  spmm(a: Sparse, x: Tensor, { symmetric = false } = {}): Tensor {
    return this.record(operations.spmm(this.kernels, a, x, symmetric));
  }

  /** Aᵀ · x */
  spmmTransposed(a: Sparse, x: Tensor): Tensor {
    return this.record(operations.spmmTransposed(this.kernels, a, x));
  }

  matmul(a: Tensor, b: Tensor, { transposeA = false, transposeB = false } = {}): Tensor {
    return this.record(operations.matmul(this.kernels, a, b, transposeA, transposeB));
  }

  add(a: Tensor, b: Tensor): Tensor {
    return this.record(operations.weightedSum(this.kernels, 'add', a, b, 1));
  }

  sub(a: Tensor, b: Tensor): Tensor {
    return this.record(operations.weightedSum(this.kernels, 'sub', a, b, -1));
  }

  scale(x: Tensor, factor: number): Tensor {
    return this.record(operations.scale(this.kernels, x, factor));
  }

  /** Number by number. */
  mul(a: Tensor, b: Tensor): Tensor {
    return this.record(operations.mul(this.kernels, a, b));
  }

  relu(x: Tensor): Tensor {
    return this.record(operations.unary(this.kernels, 'relu', x));
  }

  leakyRelu(x: Tensor): Tensor {
    return this.record(operations.unary(this.kernels, 'leakyRelu', x));
  }

  tanh(x: Tensor): Tensor {
    return this.record(operations.unary(this.kernels, 'tanh', x));
  }

  sigmoid(x: Tensor): Tensor {
    return this.record(operations.unary(this.kernels, 'sigmoid', x));
  }

  /** log(1 + eˣ) */
  softplus(x: Tensor): Tensor {
    return this.record(operations.unary(this.kernels, 'softplus', x));
  }

  exp(x: Tensor): Tensor {
    return this.record(operations.unary(this.kernels, 'exp', x));
  }

  log(x: Tensor): Tensor {
    return this.record(operations.unary(this.kernels, 'log', x));
  }

  /** Sets numbers to zero at random, others each step. Two with one seed draw alike: give each its own. */
  dropout(x: Tensor, rate: number, seed: number): Tensor {
    return this.record(operations.dropout(this.kernels, x, rate, seed, this.clock));
  }

  /** x[r] + bias, bias (1 × m) */
  addBias(x: Tensor, bias: Tensor): Tensor {
    return this.record(operations.addBias(this.kernels, x, bias));
  }

  /** Row rows[i] of x as row i. The rows may be rewritten between steps. */
  gather(x: Tensor, rows: Ints): Tensor {
    return this.record(operations.gather(this.kernels, x, rows));
  }

  /** a[r] · b[r], as (1 × n) */
  rowDot(a: Tensor, b: Tensor): Tensor {
    return this.record(operations.rowDot(this.kernels, a, b));
  }

  /** ‖x[r]‖₂, as (1 × n) */
  rowNorm(x: Tensor): Tensor {
    return this.record(operations.rowNorm(this.kernels, x));
  }

  /** s[r] · x[r], s (1 × n) */
  scaleRows(x: Tensor, s: Tensor): Tensor {
    return this.record(operations.scaleRows(this.kernels, x, s, this.allocate(1, x.rows)));
  }

  /** Σ_r x[r], as (1 × m) */
  columnSums(x: Tensor): Tensor {
    return this.record(operations.columnSums(this.kernels, x));
  }

  /** As (1 × 1). */
  sum(x: Tensor): Tensor {
    return this.record(operations.total(this.kernels, 'sum', x, 1));
  }

  /** As (1 × 1). */
  mean(x: Tensor): Tensor {
    return this.record(operations.total(this.kernels, 'mean', x, 1 / (x.rows * x.cols)));
  }

  /** −log softmax(logits)[target] of each row, as (1 × n) */
  softmaxCrossEntropy(logits: Tensor, targets: Ints): Tensor {
    const slopes = this.allocate(logits.rows, logits.cols);
    return this.record(softmaxCrossEntropy(this.kernels, logits, targets, slopes));
  }

  /** The mean noise-contrastive loss, as (1 × 1). It may be the loss or a part of it, through add, sub and scale. */
  nce(tensors: NceTensors): Tensor {
    return this.record(nce(this.kernels, tensors, (rows, cols) => this.allocate(rows, cols)));
  }
}
