// Empty stores for tests of what several people do: on a PostgreSQL server where there is one, which takes a tenth of the time that an
// embedded database takes to start.

import { ReviewStore, type StoreOptions } from '../../../src/serving/reviews/review-store.ts';
import { atEndOfFile } from '../../end-of-file.ts';
import { copyOfEmptyStore } from '../reviews/embedded.ts';
import { type PostgresServer, startPostgres, whyNoPostgres } from '../reviews/postgres.ts';

let server: Promise<PostgresServer> | undefined;
let numStores = 0;

/** The URL of an empty database; only where there is a server. */
export async function emptyDatabase(): Promise<string> {
  server ??= startPostgres().then((started) => {
    atEndOfFile(() => {
      server = undefined;
      return started.remove();
    });
    return started;
  });
  return (await server).database(`store${++numStores}`);
}

export async function emptyStore(options: StoreOptions = {}): Promise<ReviewStore> {
  const store = await ReviewStore.open(
    whyNoPostgres === undefined ? await emptyDatabase() : await copyOfEmptyStore(),
    options,
  );
  atEndOfFile(() => store.close());
  return store;
}
