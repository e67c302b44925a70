// How far each webhook is in the log, and which instance delivers to it: a lease by the clock of the database, which another
// instance takes when it runs out.

import type { Database } from '../reviews/database.ts';
import { inTurn } from '../reviews/writing.ts';

/** How far each webhook is, and who delivers to it. */
export class WebhookStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** A new one begins at the end of the log; one that was switched off is switched on again. */
  begin(url: string): Promise<void> {
    return inTurn(this.#database, async ({ query }) => {
      await query(
        `insert into tagloom.webhooks (url, position) select $1, coalesce(max(id), 0) from tagloom.log
        on conflict (url) do update set gone_at = null`,
        [url],
      );
    });
  }

  /** The position behind which to deliver; undefined while another instance does, or where it was switched off. */
  async lease(url: string, holder: string, leaseMs: number): Promise<string | undefined> {
    const [row] = await this.#database.query<{ position: string }>(
      `update tagloom.webhooks set holder = $2, held_until = clock_timestamp() + $3::float8 * interval '1 ms'
      where url = $1 and gone_at is null
        and (holder is null or holder = $2 or held_until <= clock_timestamp())
      returning position::text`,
      [url, holder, leaseMs],
    );
    return row?.position;
  }

  /** After a delivery. Nothing where the lease was lost meanwhile. */
  async advance(url: string, holder: string, position: string): Promise<void> {
    await this.#database.query(
      'update tagloom.webhooks set position = $3 where url = $1 and holder = $2 and position < $3',
      [url, holder, position],
    );
  }

  /** For an instance that closes: the next one need not wait. */
  async leave(url: string, holder: string): Promise<void> {
    await this.#database.query(
      'update tagloom.webhooks set holder = null, held_until = null where url = $1 and holder = $2',
      [url, holder],
    );
  }

  async switchOff(url: string): Promise<void> {
    await this.#database.query('update tagloom.webhooks set gone_at = clock_timestamp() where url = $1', [url]);
  }

  /** How many entries of these kinds wait to be delivered. */
  async numWaiting(url: string, actions: readonly string[]): Promise<number> {
    const [{ count }] = await this.#database.query<{ count: string }>(
      `select count(*)::text as count from tagloom.log, tagloom.webhooks
      where url = $1 and gone_at is null and log.id > position and action = any($2)`,
      [url, actions],
    );
    return Number(count);
  }
}
