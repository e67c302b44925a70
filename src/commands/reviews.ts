// tagloom reviews export STORE: what curators decided, as a table that tagloom reads. And what other commands need to read
// reviews: the option, opening and closing the store, and training data with the decisions counted.

import { stat } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { readTagMapping } from '../data/merge-tags.ts';
import { InputError } from '../errors.ts';
import { refuseExistingFile, writeFile } from '../files.ts';
import type { Listener } from '../listener.ts';
import { UnavailableError } from '../serving/reviews/database.ts';
import { InUseError } from '../serving/reviews/embedded-database.ts';
import { type Review, ReviewStore, type Verdict } from '../serving/reviews/review-store.ts';
import { type ReviewedGraph, reviewedGraph } from '../serving/reviews/reviewed-graph.ts';
import { readServiceAddress } from '../serving/reviews/service-address.ts';
import { Declarations } from '../serving/vocabulary/declarations.ts';
import { readingOf, withImplied, withNamesNow } from '../serving/vocabulary/declared-graph.ts';
import type { TagMerging } from './options.ts';
import type { Terminal } from './terminal.ts';

interface Options {
  readonly decision: Verdict;
  readonly output?: string;
  readonly force?: true;
  readonly json?: true;
}

const HELP = `
STORE is what "tagloom serve --reviews" was given: a folder, which no other process may be using, or a postgres:// URL.
While a service uses the folder, ask it instead: curl http://127.0.0.1:8080/v1/reviews/export
The answer is TSV with the columns object and tag, as "tagged" in a data set has them; -o always writes TSV, with tags
by the names they have now (tagloom vocabulary). --json tells what was stored:
who decided, when, and their notes as well. What curators were not sure about is in neither.

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
  const exported = withReviews(where, async (store) => {
    const found = store.all(decision);
    const declarations = Declarations.of(await store.vocabulary.all());
    if (output !== undefined) return writeFile(output, tsvLines(found, declarations));
    return terminal.printChunks(options.json ? jsonLines(found) : tsvLines(found, declarations));
  });
  await exported.catch(async (error) => {
    throw error instanceof InUseError ? await servedInstead(where, options, error) : error;
  });
}

/** The service that has the folder open can tell what is in it. */
async function servedInstead(where: string, options: Options, error: InUseError): Promise<InputError> {
  const { decision, output, json } = options;
  const url = (await readServiceAddress(where)) ?? 'http://ADDRESS';
  const path = json ? `/v1/reviews?decision=${decision}&limit=100` : `/v1/reviews/export?decision=${decision}`;
  const target = output === undefined ? '' : ` -o '${output}'`;
  const cure = `While a service uses the folder, ask it: curl '${url}${path}'${target}`;
  return new InputError({ ...error.problem, cure }, { cause: error });
}

async function* tsvLines(reviews: AsyncIterable<Review>, declarations: Declarations): AsyncGenerator<string> {
  yield 'object\ttag\n';
  for await (const { object, tag } of reviews) yield `${object}\t${declarations.tagOf(tag)}\n`; // names are clean: nothing to escape
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

export interface Reviewing {
  readonly reviews?: string;
}

export const reviewsOption = () =>
  new Option('--reviews <store>', 'count what curators decided: the folder or postgres:// URL of "tagloom serve"');

/** For commands that suggest. */
export const decisionsOption = () =>
  new Option('--reviews <store>', 'respect what curators decided and declared: the folder or URL of "tagloom serve"');

/** Never makes a store: a path with a mistake in it would be an empty one. */
export async function withReviews<Result>(
  where: string,
  use: (store: ReviewStore) => Promise<Result>,
): Promise<Result> {
  if (!where.includes('://') && (await stat(where).catch(() => undefined)) === undefined) {
    throw new InputError({
      file: where,
      got: 'no such folder',
      expected: 'a folder with reviews',
      cure: 'Check the path.',
    });
  }
  try {
    const store = await ReviewStore.open(where);
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    const cure = `Start the database, or try again: ${error.message}`;
    throw new InputError({ got: 'no answer from the reviews', expected: 'one', cure }, { cause: error });
  }
}

/** The data with reviews counted, if any are asked for. */
export async function withDecided(
  graph: KnowledgeGraph,
  { reviews, mergeTags }: Reviewing & TagMerging,
  listening: Listener,
): Promise<Partial<ReviewedGraph> & Pick<ReviewedGraph, 'graph'>> {
  if (reviews === undefined) return { graph };
  const mapping = mergeTags === undefined ? undefined : await readTagMapping(mergeTags);
  const result = await withReviews(reviews, async (store) => {
    const declarations = Declarations.of(await store.vocabulary.all());
    const named = withNamesNow(graph, declarations);
    const decided = { accepted: store.all('accept'), rejected: store.all('reject') };
    const reviewed = await reviewedGraph(named, decided, readingOf(declarations, mapping?.merged));
    if (declarations.isEmpty) return reviewed;
    return { ...reviewed, ...(await withImplied(reviewed.graph, store.all('reject'), declarations)) };
  });
  const { leftOut } = result.counts;
  if (leftOut > 0) listening.warn?.(`Left out ${leftOut} reviews of objects that the data does not have.`);
  return result;
}
