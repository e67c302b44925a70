// What the browser tests compute, once for both sides: Node imports this file, and a page gets it bundled. Each kernel
// works on a few hundred rows, enough for all threads to take part, and on numbers drawn from a seed.

import type { Kernels } from '../../src/engine/kernels.ts';
import type { Dense, Ints, Sparse } from '../../src/engine/matrix.ts';
import { type BackendName, openKernels } from '../../src/engine/open.ts';
import { openWasm } from '../../src/engine/wasm/open-wasm.ts';
import { WASM_BINARIES } from '../../src/engine/wasm/wasm-binary.ts';
import { openWebGpu } from '../../src/engine/webgpu/web-gpu-kernels.ts';
import { Random } from '../../src/random.ts';

export type Numbers = Float32Array | Int32Array;

export interface Settings {
  readonly threads: number;
  readonly backend?: BackendName;
  readonly fused?: false;
  /** The GPU backend on an adapter that computes on the processor. */
  readonly software?: true;
  /** Kernels to call; all by default. */
  readonly calls?: readonly string[];
}

export interface Outcome {
  readonly name: string; // of the backend
  readonly warnings: readonly string[];
  readonly mayWait: boolean;
  readonly isFused: boolean; // asked for and there
  readonly results: Readonly<Record<string, readonly Numbers[]>>; // by kernel
}

type Made = readonly (Dense | Ints)[]; // to read back
type Call = (kernels: Kernels, make: Maker) => Made | Promise<Made>;

const [ROWS, COLUMNS, WIDTH] = [300, 180, 40];
const ADAM = { learningRate: 0.01, beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };
const ADAM_STEPS = 20;

/** Opens the engine, makes every call and closes it. */
export async function runCalls(settings: Settings): Promise<Outcome> {
  const warnings: string[] = [];
  const kernels = await open(settings, (message) => warnings.push(message));
  const results: Record<string, Numbers[]> = {};
  for (const [name, call] of Object.entries(CALLS)) {
    if (settings.calls?.includes(name) === false) continue;
    await new Promise((resolve) => setTimeout(resolve, 5)); // long enough for the threads to fall asleep
    const made = await call(kernels, new Maker(kernels, new Random(7, name)));
    results[name] = await Promise.all(made.map((x) => ('cols' in x ? kernels.read(x) : kernels.readInts(x))));
  }
  kernels.close();
  const isFused = settings.fused !== false && hasRelaxedSimd(); // Node 20 has it only once the engine has turned it on
  return { name: kernels.name, warnings, mayWait: mayWait(), isFused, results };
}

async function open(
  { threads, backend = 'cpu', fused, software }: Settings,
  warn: (message: string) => void,
): Promise<Kernels> {
  if (fused === undefined && software === undefined) return openKernels({ threads, backend, warn });
  const opened = await (software ? openWebGpu({ software }) : openWasm({ threads, fused: false, warn }));
  if (typeof opened === 'string') throw new Error(opened);
  return opened;
}

const CALLS: Record<string, Call> = {
  spmm: (kernels, make) => {
    const out = make.zeros(ROWS, WIDTH);
    kernels.spmm(out, make.sparse(ROWS, COLUMNS, 20), make.numbers(COLUMNS, WIDTH));
    return [out];
  },
  gemm: (kernels, make) => {
    const out = make.zeros(ROWS, COLUMNS);
    kernels.gemm(out, make.numbers(ROWS, WIDTH), make.numbers(COLUMNS, WIDTH), { transposeB: true });
    return [out];
  },
  nce: runNce,
  adam: (kernels, make) => {
    const [weights, gradient] = [make.numbers(ROWS, WIDTH), make.numbers(ROWS, WIDTH)];
    const [mean, variance] = [make.zeros(ROWS, WIDTH), make.zeros(ROWS, WIDTH)];
    // one right after the other, as in training: the threads have no time to fall asleep
    for (let step = 1; step <= ADAM_STEPS; step++) {
      kernels.adam({ weights, gradient, mean, variance }, { ...ADAM, step });
    }
    return [weights, mean, variance];
  },
  invertSymmetric: async (kernels, make) => {
    const a = make.positiveDefinite(COLUMNS);
    await kernels.invertSymmetric(a);
    return [a];
  },
  softmaxCrossEntropy: (kernels, make) => {
    const [losses, dLogits] = [make.zeros(1, ROWS), make.zeros(ROWS, COLUMNS)];
    kernels.softmaxCrossEntropy(losses, dLogits, make.numbers(ROWS, COLUMNS), make.whole(ROWS, COLUMNS));
    return [losses, dLogits];
  },
  dropout: (kernels, make) => {
    const out = make.zeros(ROWS, WIDTH);
    kernels.dropout(out, make.numbers(ROWS, WIDTH), 0.3, [7, 11]);
    return [out];
  },
  topK: (kernels, make) => {
    const ids = kernels.ints(ROWS * 10);
    kernels.topK(ids, make.numbers(ROWS, COLUMNS), 10);
    return [ids];
  },
};

function runNce(kernels: Kernels, make: Maker): readonly Dense[] {
  const [numPairs, numNoise] = [400, 5];
  const inputs = {
    objectEmbeddings: make.numbers(ROWS, WIDTH),
    tagEmbeddings: make.numbers(COLUMNS, WIDTH),
    objects: make.whole(numPairs, ROWS),
    tags: make.whole(numPairs, COLUMNS),
    noise: make.whole(numPairs * numNoise, COLUMNS),
    offsets: make.numbers(1, COLUMNS),
  };
  const out = {
    losses: make.zeros(1, numPairs),
    dObjectEmbeddings: make.zeros(ROWS, WIDTH),
    dTagEmbeddings: make.zeros(COLUMNS, WIDTH),
    coefficients: make.zeros(numPairs, numNoise + 1),
  };
  kernels.nce(out, inputs, 1 / numPairs);
  return [out.losses, out.dObjectEmbeddings, out.dTagEmbeddings];
}

/** Makes matrices for one call. */
class Maker {
  readonly #kernels: Kernels;
  readonly #random: Random;

  constructor(kernels: Kernels, random: Random) {
    this.#kernels = kernels;
    this.#random = random;
  }

  zeros(rows: number, cols: number): Dense {
    return this.#kernels.dense(rows, cols);
  }

  /** Numbers from −1 to 1. */
  numbers(rows: number, cols: number): Dense {
    return this.#write(rows, cols, () => 0);
  }

  /** Random, but with a diagonal beyond the eigenvalues that the rest has. */
  positiveDefinite(n: number): Dense {
    return this.#write(n, n, (i) => (i % (n + 1) === 0 ? 2 * Math.sqrt(n) : 0));
  }

  whole(length: number, below: number): Ints {
    const out = this.#kernels.ints(length);
    this.#kernels.writeInts(out, this.#below(length, below));
    return out;
  }

  sparse(rows: number, cols: number, entriesPerRow: number): Sparse {
    const rowStart = Int32Array.from({ length: rows + 1 }, (_, r) => r * entriesPerRow);
    const columns = this.#below(rows * entriesPerRow, cols);
    for (let r = 0; r < rows; r++) columns.subarray(rowStart[r], rowStart[r + 1]).sort();
    return this.#kernels.sparse(rows, cols, { rowStart, columns, values: Float32Array.from(columns, this.#draw) });
  }

  #write(rows: number, cols: number, shift: (i: number) => number): Dense {
    const out = this.#kernels.dense(rows, cols);
    this.#kernels.write(
      out,
      Float32Array.from({ length: rows * cols }, (_, i) => this.#draw() + shift(i)),
    );
    return out;
  }

  #below(length: number, below: number): Int32Array {
    return Int32Array.from({ length }, () => this.#random.below(below));
  }

  readonly #draw = () => this.#random.float() * 2 - 1;
}

/** If this thread may sleep until another wakes it; the main thread of a page may not. */
function mayWait(): boolean {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0);
    return true;
  } catch {
    return false;
  }
}

function hasRelaxedSimd(): boolean {
  const text = atob(WASM_BINARIES.fusedSingle);
  return WebAssembly.validate(Uint8Array.from(text, (character) => character.charCodeAt(0)));
}
