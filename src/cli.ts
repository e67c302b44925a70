#!/usr/bin/env node
// The command line: the only file that touches the process. It names the commands, hands each a Terminal, and turns
// what they throw into an exit code: 0 done, 1 bad input (one line with its cure), 2 a bug (with its stack), 130 Ctrl-C.

import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { Terminal } from './commands/terminal.ts';
import { CancelledError, InputError } from './errors.ts';

/** In the order of the help. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  demo: async () => (await import('./commands/demo.ts')).addDemo,
  train: async () => (await import('./commands/train.ts')).addTrain,
  suggest: async () => (await import('./commands/suggest.ts')).addSuggest,
  merge: async () => (await import('./commands/merge.ts')).addMerge,
  explain: async () => (await import('./commands/explain.ts')).addExplain,
  missing: async () => (await import('./commands/missing.ts')).addMissing,
  similar: async () => (await import('./commands/similar.ts')).addSimilar,
  apply: async () => (await import('./commands/apply.ts')).addApply,
  serve: async () => (await import('./commands/serve.ts')).addServe,
  models: async () => (await import('./commands/models.ts')).addModels,
  compare: async () => (await import('./commands/compare.ts')).addCompare,
  tune: async () => (await import('./commands/tune.ts')).addTune,
  reviews: async () => (await import('./commands/reviews.ts')).addReviews,
  vocabulary: async () => (await import('./commands/vocabulary.ts')).addVocabulary,
  export: async () => (await import('./commands/export.ts')).addExport,
  stats: async () => (await import('./commands/stats.ts')).addStats,
  import: async () => (await import('./commands/import.ts')).addImport,
  split: async () => (await import('./commands/split.ts')).addSplit,
  bench: async () => (await import('./commands/bench.ts')).addBench,
};
type AddCommand = (program: Command, terminal: Terminal) => void;

const HELP = `
Examples:
  $ tagloom demo                                   see it work on the embedded npm data
  $ tagloom train products.csv -o shop.tagloom     learn from your file: id, title, description, tags
  $ tagloom apply shop.tagloom products.csv -o products.csv    add the tags it is sure of to the file
  $ tagloom suggest shop.tagloom --text "Sleeps two, 1.4 kg"
  $ tagloom import lastfm hetrec2011-lastfm-2k -o lastfm
  $ tagloom stats lastfm
  $ tagloom train lastfm -o lastfm.tagloom
  $ tagloom suggest lastfm.tagloom Radiohead
  $ tagloom explain lastfm.tagloom Radiohead shoegaze
  $ tagloom missing lastfm.tagloom shoegaze
  $ tagloom serve lastfm.tagloom                   a page to review suggestions on, and an API
  $ tagloom compare lastfm --models popularity,itemknn,dge,loom
  $ tagloom tune lastfm --model ease --budget 5m -o ease.json

A data set is one file (CSV, TSV, JSON Lines, JSON or Parquet, optionally .gz; id, title, texts and tags in columns), or a
folder of tables (.tsv, .csv or .parquet, each optionally .gz):
  tagged    object, tag                           which tags the objects carry
  interact  user, object                          optional: who interacted with what
  objects   object, title, texts, url, image      optional: what is written about them
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
    input: standardInput(stop.signal),
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
  // the one that is asked for: all together take a fifth of a second to load
  const asked = process.argv[2] ?? '';
  const commands = Object.hasOwn(COMMANDS, asked) ? [COMMANDS[asked]] : Object.values(COMMANDS);
  for (const load of commands) (await load())(program, terminal);

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

/** Not touched before it is asked for; Ctrl-C ends the waiting. */
async function* standardInput(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stop = () => process.stdin.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of process.stdin) yield chunk as Uint8Array;
  } catch (error) {
    throw signal.aborted ? new CancelledError() : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  if (signal.aborted) throw new CancelledError();
}

/** What a person types to get here: on a clone, npm run says so itself. */
function programName(): string {
  return process.env.TAGLOOM_PROGRAM ?? (process.env.npm_command === 'exec' ? 'npx tagloom' : 'tagloom');
}

function packageVersion(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}

process.exitCode = await main();
