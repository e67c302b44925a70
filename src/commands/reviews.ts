// tagloom reviews export STORE: what curators decided, as a table that tagloom reads. And what other commands need to read
// reviews: the option, and training data with the decisions counted.

import { type Command, Option } from 'commander';
import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { readTagMapping } from '../data/merge-tags.ts';
import { refuseExistingFile, writeFile } from '../files.ts';
import type { Listener } from '../listener.ts';
import { InUseError } from '../serving/reviews/embedded-database.ts';
import type { Review, Verdict } from '../serving/reviews/review-store.ts';
import { type ReviewedGraph, reviewedGraph } from '../serving/reviews/reviewed-graph.ts';
import { Declarations } from '../serving/vocabulary/declarations.ts';
import { readingOf, withImplied, withNamesNow } from '../serving/vocabulary/declared-graph.ts';
import type { TagMerging } from './options.ts';
import { addReviewsLog } from './reviews-log.ts';
import type { Terminal } from './terminal.ts';
import { insteadOfFolder, withReviews } from './with-reviews.ts';

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
  addReviewsLog(reviews, terminal);
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
    throw error instanceof InUseError ? await insteadOfFolder(where, error, (url) => requestOf(url, options)) : error;
  });
}

function requestOf(url: string, { decision, output, json }: Options): string {
  const path = json ? `/v1/reviews?decision=${decision}&limit=100` : `/v1/reviews/export?decision=${decision}`;
  return `curl '${url}${path}'${output === undefined ? '' : ` -o '${output}'`}`;
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
