// npm run bench -- [--python python3] [--threads N] [--only TEXT] [--json]: `tagloom bench`, with SciPy and PyTorch in the
// same rounds and the same table where the Python has them.

import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import { benchCommand, runBench } from '../dist/commands/bench.js';
import { Terminal } from '../dist/commands/terminal.js';
import { PythonBench } from './bench-python.mjs';

const terminal = new Terminal({
  out: process.stdout,
  err: process.stderr,
  signal: new AbortController().signal,
  now: () => performance.now(),
});

await benchCommand(new Command('bench'))
  .option('--python <command>', 'a Python with SciPy or PyTorch, to measure beside', 'python3')
  .action(async ({ python, ...options }) => {
    const rival = await PythonBench.open(python, options.threads ?? availableParallelism());
    if (rival === undefined) terminal.note(`tagloom: ${python} has neither SciPy nor PyTorch: measuring without them`);
    try {
      await runBench(options, terminal, rival);
    } finally {
      await rival?.close();
    }
  })
  .parseAsync();
