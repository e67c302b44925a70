// tagloom bench: every kernel on the reference and on WebAssembly with one and with all threads, in one run, as ratios;
// SciPy and PyTorch beside them where they are installed. Medians of warm repeats; absolute times are the machine's.

import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import type { Kernels } from '../engine/kernels.ts';
import { type EngineOptions, openKernels } from '../engine/open.ts';
import { type BenchCase, benchCases, randomGraph, SPARSE_SHAPES, STEP, sparseName } from './bench-cases.ts';
import { PythonBench } from './bench-python.ts';
import { parseWhole } from './number-option.ts';
import type { Terminal } from './terminal.ts';
import { textTable } from './text-table.ts';

interface Options {
  readonly threads?: number;
  readonly python: string;
  readonly only?: string;
  readonly json?: true;
}

interface Timing {
  readonly name: string;
  readonly medianMs: number;
  readonly gflops: number;
  readonly gigabytesPerSecond: number | undefined;
}

interface Measured {
  readonly name: string;
  readonly timings: readonly Timing[];
}

export function addBench(program: Command, terminal: Terminal): void {
  program
    .command('bench')
    .description('measure the kernels on this machine, as ratios to the plain reference')
    .option('--threads <n>', 'threads for the last column (default: all cores)', parseWhole)
    .option('--only <text>', 'only cases whose name holds this text')
    .option('--python <command>', 'a Python with SciPy or PyTorch, to measure beside', 'python3')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExamples:\n  $ tagloom bench\n  $ tagloom bench --only GEMM --threads 4\n')
    .action(async (options: Options) => {
      const cases = benchCases().filter(({ name }) => name.includes(options.only ?? ''));
      const python = cases.some((one) => one.python !== undefined) ? await openPython(options) : undefined;
      const measured: Measured[] = [];
      try {
        for (const one of cases) {
          terminal.note(`measuring ${one.name}`);
          measured.push(await measure(one, options.threads, python));
        }
      } finally {
        await python?.close();
      }
      if (options.json) terminal.printJson({ cases: measured });
      else terminal.print(kernelTable(measured));
    });
}

/** Whoever takes part in a case: `round` gives the times of some calls, the first round after a warm-up. */
interface Contestant {
  readonly name: string;
  readonly times: number[];
  round(isFirst: boolean): number[] | Promise<number[]>;
  close(): void;
}

async function measure(one: BenchCase, threads: number | undefined, python?: PythonBench): Promise<Measured> {
  const contestants: Contestant[] = [];
  if (!one.isLong) contestants.push(await backend(one, { backend: 'reference', threads: 1 }));
  const rival = one.python === undefined ? undefined : python?.libraries[one.python];
  if (python !== undefined && one.python !== undefined && rival !== undefined) {
    const name = one.python;
    contestants.push({ name: rival, times: [], round: () => python.round(name, MEASURE_MS), close() {} });
  }
  contestants.push(await backend(one, { backend: 'wasm', threads: 1 }));
  contestants.push(await backend(one, { backend: 'wasm', ...(threads === undefined ? {} : { threads }) }));

  // in turns, so that a noisy moment of the machine falls on all of them
  for (let round = 0; round < (one.isLong ? LONG_ROUNDS : ROUNDS); round++) {
    for (const contestant of contestants) contestant.times.push(...(await contestant.round(round === 0)));
  }
  const timings = contestants.map(({ name, times, close }): Timing => {
    close();
    const medianMs = times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
    const gigabytesPerSecond = one.bytes === 0 ? undefined : one.bytes / medianMs / 1e6;
    return { name, medianMs, gflops: one.flops / medianMs / 1e6, gigabytesPerSecond };
  });
  return { name: one.name, timings };
}

async function backend(one: BenchCase, options: EngineOptions): Promise<Contestant> {
  const kernels = await openKernels(options);
  const work = one.prepare(kernels);
  return { name: label(kernels), times: [], round: (isFirst) => timesOf(work, isFirst), close: () => kernels.close() };
}

function label(kernels: Kernels): string {
  return kernels.name === 'reference' ? 'reference' : `wasm ${kernels.numThreads}`;
}

const ROUNDS = 7;
const LONG_ROUNDS = 3;
const WARM_MS = 300; // until V8 has put its best code in place
const MEASURE_MS = 200; // in a round

/** Times of repeated calls, one at least. */
async function timesOf(work: () => unknown, warmUp: boolean): Promise<number[]> {
  const begin = performance.now();
  if (warmUp)
    do await work();
    while (performance.now() - begin < WARM_MS);
  const times: number[] = [];
  const start = performance.now();
  do {
    const before = performance.now();
    await work();
    times.push(performance.now() - before);
  } while (performance.now() - start < MEASURE_MS);
  return times;
}

function kernelTable(measured: readonly Measured[]): string {
  const rows = measured.flatMap(({ name, timings }) =>
    timings.map((timing, i) => [
      i === 0 ? name : '',
      timing.name,
      timing.medianMs.toFixed(2),
      timing.gflops.toFixed(1),
      timing.gigabytesPerSecond?.toFixed(1) ?? '',
      ...[1, 2, 3].map((back) => (back > i ? '' : `${(timings[i - back].medianMs / timing.medianMs).toFixed(2)} ×`)),
    ]),
  );
  const faster = ['faster than the line above', 'than two above', 'than three above'];
  return textTable(['', 'backend', 'ms', 'GFLOP/s', 'GB/s', ...faster], rows);
}

function openPython(options: Options): Promise<PythonBench | undefined> {
  return PythonBench.open(options.python, {
    threads: options.threads ?? availableParallelism(),
    sparse: SPARSE_SHAPES.map((shape) => ({
      name: sparseName(shape),
      width: shape.width,
      graph: randomGraph(shape.rows, shape.entries, 1),
    })),
    step: {
      ...STEP,
      objects: randomGraph(STEP.objects, STEP.objectEdges, 1),
      tags: randomGraph(STEP.tags, STEP.tagEdges, 2),
    },
  });
}
