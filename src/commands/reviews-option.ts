// What commands that read reviews share: the option, opening and closing the store, and training data as reviews leave it.

import { stat } from 'node:fs/promises';
import { Option } from 'commander';
import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { readTagMapping } from '../data/merge-tags.ts';
import { InputError } from '../errors.ts';
import type { Listener } from '../listener.ts';
import { UnavailableError } from '../serving/reviews/database.ts';
import { ReviewStore } from '../serving/reviews/review-store.ts';
import { type ReviewedGraph, reviewedGraph } from '../serving/reviews/reviewed-graph.ts';
import type { TagMerging } from './merge-tags-option.ts';

export interface Reviewing {
  readonly reviews?: string;
}

export const reviewsOption = () =>
  new Option('--reviews <store>', 'count what curators decided: the folder or postgres:// URL of "tagloom serve"');

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
  const result = await withReviews(reviews, (store) =>
    reviewedGraph(graph, { accepted: store.all('accept'), rejected: store.all('reject') }, mapping?.merged),
  );
  const { leftOut } = result.counts;
  if (leftOut > 0) listening.warn?.(`Left out ${leftOut} reviews of objects that the data does not have.`);
  return result;
}
