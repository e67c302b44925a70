// Opening a store of reviews for one command and closing it again, and what to ask instead where a service has it open.

import { stat } from 'node:fs/promises';
import { InputError } from '../errors.ts';
import { UnavailableError } from '../serving/reviews/database.ts';
import type { InUseError } from '../serving/reviews/embedded-database.ts';
import { ReviewStore } from '../serving/reviews/review-store.ts';
import { readServiceAddress } from '../serving/reviews/service-address.ts';

/** Makes no store unless told to: a path with a mistake in it would be an empty one. */
export async function withReviews<Result>(
  where: string,
  use: (store: ReviewStore) => Promise<Result>,
  { makes = false } = {},
): Promise<Result> {
  if (!makes && !where.includes('://') && (await stat(where).catch(() => undefined)) === undefined) {
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

/** The service that has a folder open can be asked for the same. `request`: how, by its URL. */
export async function insteadOfFolder(
  where: string,
  error: InUseError,
  request: (url: string) => string,
): Promise<InputError> {
  const url = (await readServiceAddress(where)) ?? 'http://ADDRESS';
  const cure = `While a service uses the folder, ask it: ${request(url)}`;
  return new InputError({ ...error.problem, cure }, { cause: error });
}

/** What curl needs where a service asks for a token. */
export const SIGNED_IN = '-H "Authorization: Bearer $TAGLOOM_TOKEN"';

/** As one word of a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
