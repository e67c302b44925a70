// tagloom bench: every kernel on the reference and on WebAssembly with one and with all threads, in one run, as ratios;
// on a clone, research/bench.mjs adds SciPy and PyTorch. Medians of warm repeats; absolute times depend on the machine.

import type { Command } from 'commander';
import type { Kernels } from '../engine/kernels.ts';
import { type EngineOptions, openKernels } from '../engine/open.ts';
import { type BenchCase, benchCases } from './bench-cases.ts';
import { parseWhole } from './options.ts';
import { type Terminal, textTable } from './terminal.ts';

export interface BenchOptions {
  readonly threads?: number;
  readonly only?: string;
  readonly json?: true;
}

/** A contestant from outside this program, which runs some of the cases. */
export interface Rival {
  /** By the key of a case: what to call the contestant. */
  readonly libraries: Readonly<Record<string, string>>;
  /** The milliseconds of each call in a round that lasts about so long. */
  round(key: string, milliseconds: number): Promise<number[]>;
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
  benchCommand(program.command('bench'))
    .addHelpText('after', '\nExamples:\n  $ tagloom bench\n  $ tagloom bench --only GEMM --threads 4\n')
    .action((options: BenchOptions) => runBench(options, terminal));
}

/** A command with the options of `runBench`. */
export function benchCommand(command: Command): Command {
  return command
    .description('measure the kernels on this machine, as ratios to the plain reference')
    .option('--threads <n>', 'threads for the last column (default: all cores)', parseWhole)
    .option('--only <text>', 'only cases whose name holds this text')
    .option('--json', 'print one JSON document');
}

export async function runBench(
  options: BenchOptions,
  terminal: Terminal,
  rival?: Rival,
  all = benchCases(),
): Promise<void> {
  const cases = all.filter(({ name }) => name.includes(options.only ?? ''));
  const measured: Measured[] = [];
  for (const one of cases) {
    terminal.note(`measuring ${one.name}`);
    measured.push(await measure(one, options.threads, rival));
  }
  if (options.json) terminal.printJson({ cases: measured });
  else terminal.print(kernelTable(measured));
}

/** Whoever takes part in a case: `round` gives the times of some calls, the first round after a warm-up. */
interface Contestant {
  readonly name: string;
  readonly times: number[];
  round(isFirst: boolean): number[] | Promise<number[]>;
  close(): void;
}

async function measure(one: BenchCase, threads: number | undefined, rival?: Rival): Promise<Measured> {
  const contestants: Contestant[] = [];
  if (!one.isLong) contestants.push(await backend(one, { backend: 'reference', threads: 1 }));
  const { key } = one;
  if (rival !== undefined && key !== undefined && Object.hasOwn(rival.libraries, key)) {
    const name = rival.libraries[key];
    contestants.push({ name, times: [], round: () => rival.round(key, MEASURE_MS), close() {} });
  }
  contestants.push(await backend(one, { backend: 'cpu', threads: 1 }));
  contestants.push(await backend(one, { backend: 'cpu', ...(threads === undefined ? {} : { threads }) }));

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
  return kernels.name === 'reference' ? 'reference' : `cpu ${kernels.numThreads}`;
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
