// tagloom reviews export STORE: what curators decided, as a table that tagloom reads.

import { type Command, Option } from 'commander';
import { refuseExistingFile } from '../data/staging.ts';
import type { Decision, Review } from '../serving/reviews/review-store.ts';
import { printChunks, writeChunks } from './output-file.ts';
import { withReviews } from './reviews-option.ts';
import type { Terminal } from './terminal.ts';

interface Options {
  readonly decision: Decision;
  readonly output?: string;
  readonly force?: true;
  readonly json?: true;
}

const HELP = `
STORE is what "tagloom serve --reviews" was given: a folder, which no other process may be using, or a postgres:// URL.
The answer is TSV with the columns object and tag, as "tagged" in a data set has them; -o always writes TSV. --json tells
who decided, and when, as well.

Examples:
  $ tagloom reviews export reviews -o accepted.tsv
  $ tagloom reviews export postgres://curator@localhost/reviews --decision reject --json
`;

export function addReviews(program: Command, terminal: Terminal): void {
  const reviews = program.command('reviews').description('what curators decided').addHelpText('after', HELP);
  reviews
    .command('export')
    .description('write accepted, or rejected, pairs of object and tag')
    .argument('<store>', 'a folder or a postgres:// URL')
    .addOption(new Option('--decision <decision>', 'which ones').choices(['accept', 'reject']).default('accept'))
    .option('-o, --output <file>', 'write TSV here')
    .option('--force', 'replace the file if it is already there')
    .option('--json', 'print one JSON document')
    .addHelpText('after', HELP)
    .action((store: string, options: Options) => run(store, options, terminal));
}

async function run(where: string, options: Options, terminal: Terminal): Promise<void> {
  const { decision, output } = options;
  if (output !== undefined) await refuseExistingFile(output, options.force ?? false);
  await withReviews(where, (store) => {
    const found = store.all(decision);
    if (output !== undefined) return writeChunks(output, tsvLines(found));
    return printChunks(terminal, options.json ? jsonLines(found) : tsvLines(found));
  });
}

async function* tsvLines(reviews: AsyncIterable<Review>): AsyncGenerator<string> {
  yield 'object\ttag\n';
  for await (const { object, tag } of reviews) yield `${object}\t${tag}\n`; // names are clean: nothing to escape
}

/** One document, a review at a time: a large one never lies in memory as a whole. */
async function* jsonLines(reviews: AsyncIterable<Review>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const { revision: _, ...review } of reviews) {
    yield `${before}  ${JSON.stringify(review)}`;
    before = ',\n';
  }
  yield before === '[\n' ? '[\n]\n' : '\n]\n';
}
