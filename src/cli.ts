#!/usr/bin/env node
// The command line: the only file that touches the process. It names the commands, hands each a Terminal, and turns
// what they throw into an exit code: 0 done, 1 bad input (one line with its cure), 2 a bug (with its stack), 130 Ctrl-C.

import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { addBench } from './commands/bench.ts';
import { addCompare } from './commands/compare.ts';
import { addDemo } from './commands/demo.ts';
import { addExplain } from './commands/explain.ts';
import { addExport } from './commands/export.ts';
import { addImport } from './commands/import.ts';
import { addMissing } from './commands/missing.ts';
import { addModels } from './commands/models.ts';
import { addReviews } from './commands/reviews.ts';
import { addServe } from './commands/serve.ts';
import { addSimilar } from './commands/similar.ts';
import { addSplit } from './commands/split.ts';
import { addStats } from './commands/stats.ts';
import { addSuggest } from './commands/suggest.ts';
import { Terminal } from './commands/terminal.ts';
import { addTrain } from './commands/train.ts';
import { addTune } from './commands/tune.ts';
import { CancelledError, InputError } from './errors.ts';

const COMMANDS = [
  addDemo,
  addTrain,
  addSuggest,
  addExplain,
  addMissing,
  addSimilar,
  addServe,
  addModels,
  addCompare,
  addTune,
  addReviews,
  addExport,
  addStats,
  addImport,
  addSplit,
  addBench,
];

const HELP = `
Examples:
  $ tagloom demo                                   see it work on the embedded npm data
  $ tagloom import lastfm hetrec2011-lastfm-2k -o lastfm
  $ tagloom stats lastfm
  $ tagloom train lastfm -o lastfm.tagloom
  $ tagloom suggest lastfm.tagloom Radiohead
  $ tagloom explain lastfm.tagloom Radiohead shoegaze
  $ tagloom missing lastfm.tagloom shoegaze
  $ tagloom serve lastfm.tagloom                   a page to review suggestions on, and an API
  $ tagloom compare lastfm --models popularity,itemknn,dge,loom
  $ tagloom tune lastfm --model ease --budget 5m -o ease.json

A data set is a folder of tables (.tsv, .csv or .parquet, each optionally .gz):
  interact  user, object     who interacted with what
  tagged    object, tag      which tags the objects carry
  objects   object, title    optional: what to show a person
`;

async function main(): Promise<number> {
  const stop = new AbortController();
  // the first Ctrl-C lets the work clean up behind itself, the second ends the process
  const onSignal = () => (stop.signal.aborted ? process.exit(130) : stop.abort());
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0); // tagloom … | head
    process.stderr.write(`tagloom: got ${error.message} on standard output, expected to write there. Make room.\n`);
    process.exit(1);
  });
  process.stderr.on('error', () => {}); // nobody listens to the progress any more: the work goes on

  const terminal = new Terminal({
    out: process.stdout,
    err: process.stderr,
    signal: stop.signal,
    now: () => performance.now(),
    onHangup: (listener) => process.on('SIGHUP', listener),
    program: programName(),
  });
  const program = new Command('tagloom')
    .description('Finds the tags your objects are missing.')
    .version(packageVersion())
    .showHelpAfterError('(add --help for usage and examples)')
    .exitOverride()
    .addHelpText('after', HELP);
  for (const add of COMMANDS) add(program, terminal);

  try {
    await program.parseAsync(process.argv);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1;
    if (error instanceof InputError) {
      terminal.note(`tagloom: ${error.message}`);
      return 1;
    }
    if (error instanceof CancelledError) {
      terminal.note('tagloom: stopped; nothing half-written is left behind.');
      return 130;
    }
    terminal.note(`tagloom: this is a bug, please report it.\n${(error as Error).stack ?? error}`);
    return 2;
  }
}

/** What a person types to get here: on a clone, npm run says so itself. */
function programName(): string {
  return process.env.TAGLOOM_PROGRAM ?? (process.env.npm_command === 'exec' ? 'npx tagloom' : 'tagloom');
}

function packageVersion(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}

process.exitCode = await main();
