// tagloom bench: every kernel on the reference and on WebAssembly with one and with all threads, in one run, as ratios;
// SciPy and PyTorch beside them where they are installed. Medians of warm repeats; absolute times are the machine's.

import type { Command } from 'commander';
import type { Kernels } from '../engine/kernels.ts';
import { openKernels } from '../engine/open.ts';
import { type BenchCase, benchCases, randomGraph, SPARSE_SHAPES, STEP, sparseName } from './bench-cases.ts';
import { runPython } from './bench-python.ts';
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
  readonly backend: string;
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
      const measured: Measured[] = [];
      for (const one of benchCases().filter(({ name }) => name.includes(options.only ?? ''))) {
        terminal.note(`measuring ${one.name}`);
        measured.push(await measure(one, options.threads));
      }
      const python = options.only === undefined ? measurePython(options) : undefined;
      if (options.json) terminal.printJson({ cases: measured, python: python ?? null });
      else terminal.print(kernelTable(measured) + (python === undefined ? '' : `\n${pythonTable(measured, python)}`));
    });
}

async function measure(one: BenchCase, threads: number | undefined): Promise<Measured> {
  const backends = [
    ...(one.skipReference ? [] : [{ backend: 'reference', threads: 1 } as const]),
    { backend: 'wasm', threads: 1 } as const,
    { backend: 'wasm', ...(threads === undefined ? {} : { threads }) } as const,
  ];
  const contestants = [];
  for (const options of backends) {
    const kernels = await openKernels(options);
    contestants.push({ kernels, work: one.prepare(kernels), times: [] as number[] });
  }
  // in turns, so that a noisy moment of the machine falls on all of them
  for (let round = 0; round < ROUNDS; round++) {
    for (const { work, times } of contestants) times.push(...timesOf(work, round === 0));
  }
  const timings = contestants.map(({ kernels, times }): Timing => {
    kernels.close();
    const medianMs = times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
    const gigabytesPerSecond = one.bytes === 0 ? undefined : one.bytes / medianMs / 1e6;
    return { backend: label(kernels), medianMs, gflops: one.flops / medianMs / 1e6, gigabytesPerSecond };
  });
  return { name: one.name, timings };
}

function label(kernels: Kernels): string {
  return kernels.name === 'reference' ? 'reference' : `wasm ${kernels.numThreads}`;
}

const ROUNDS = 5;
const WARM_MS = 300; // until V8 has put its best code in place
const MEASURE_MS = 200; // in a round

/** Times of repeated calls, one at least. */
function timesOf(work: () => void, warmUp: boolean): number[] {
  const begin = performance.now();
  if (warmUp)
    do work();
    while (performance.now() - begin < WARM_MS);
  const times: number[] = [];
  const start = performance.now();
  do {
    const before = performance.now();
    work();
    times.push(performance.now() - before);
  } while (performance.now() - start < MEASURE_MS);
  return times;
}

function kernelTable(measured: readonly Measured[]): string {
  const rows = measured.flatMap(({ name, timings }) =>
    timings.map((timing, i) => [
      i === 0 ? name : '',
      timing.backend,
      timing.medianMs.toFixed(2),
      timing.gflops.toFixed(1),
      timing.gigabytesPerSecond?.toFixed(1) ?? '',
      i === 0 ? '' : `${(timings[i - 1].medianMs / timing.medianMs).toFixed(2)} ×`,
    ]),
  );
  return textTable(['', 'backend', 'ms', 'GFLOP/s', 'GB/s', 'faster than the line above'], rows);
}

function measurePython(options: Options): Record<string, number | string> | undefined {
  return runPython(options.python, {
    threads: options.threads ?? 2,
    sparse: SPARSE_SHAPES.map(({ rows, entries, width }) => ({
      name: `${rows}`,
      width,
      graph: randomGraph(rows, entries, 1),
    })),
    step: {
      ...STEP,
      objects: randomGraph(STEP.objects, STEP.objectEdges, 1),
      tags: randomGraph(STEP.tags, STEP.tagEdges, 2),
    },
  });
}

function pythonTable(measured: readonly Measured[], python: Record<string, number | string>): string {
  const rows: string[][] = [];
  const compare = (rival: string, ms: number | string | undefined, name: string) => {
    const timings = measured.find((one) => one.name.startsWith(name))?.timings ?? [];
    if (typeof ms !== 'number') return;
    for (const { backend, medianMs } of timings.filter((timing) => timing.backend !== 'reference')) {
      rows.push([name, rival, ms.toFixed(2), backend, medianMs.toFixed(2), `${(ms / medianMs).toFixed(2)} ×`]);
    }
  };
  for (const shape of SPARSE_SHAPES) compare('SciPy', python[`scipy ${shape.rows}`], sparseName(shape));
  compare(`PyTorch ${python.pytorch}`, python['pytorch step'], 'DGE step');
  return textTable(['', '', 'ms', 'here', 'ms', 'faster'], rows);
}
