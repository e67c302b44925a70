// The users of a store, in memory, so that every request is checked without asking the database. Where other instances share the
// store, their changes are read again and again; while the store is away, the users it last had count.

import { timingSafeEqual } from 'node:crypto';
import type { Actor } from './roles.ts';
import type { KnownUser, UserStore } from './user-store.ts';
import { digestOf } from './user-tokens.ts';

const POLL_MS = 750; // a change counts after a second at most, with the time that reading takes

export interface DirectoryOptions {
  /** Whether others may change users meanwhile. */
  readonly isShared: boolean;
  readonly pollMs?: number | undefined;
}

export class UserDirectory {
  readonly #store: UserStore;
  #users: readonly KnownUser[] = [];
  #byName = new Map<string, KnownUser>();
  #reading: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  private constructor(store: UserStore) {
    this.#store = store;
  }

  static async open(store: UserStore, { isShared, pollMs = POLL_MS }: DirectoryOptions): Promise<UserDirectory> {
    const directory = new UserDirectory(store);
    await directory.#read();
    if (isShared) directory.#poll(pollMs);
    return directory;
  }

  /** Whether there are users, or have been: a service that had some never opens to everyone by itself. */
  get hasUsers(): boolean {
    return this.#users.length > 0;
  }

  /** Those that were not removed, by name. */
  get users(): readonly KnownUser[] {
    return this.#users.filter(({ disabledAt }) => disabledAt === undefined);
  }

  /** Removed ones as well, by name. */
  get everyone(): readonly KnownUser[] {
    return this.#users;
  }

  /** Removed ones as well. */
  named(name: string): KnownUser | undefined {
    return this.#byName.get(name);
  }

  /** Whose token it is. Compares with all of them, each in the same time, so that the time tells nothing. */
  ofToken(token: string): Actor | undefined {
    const given = digestOf(token);
    let found: Actor | undefined;
    for (const { name, role, tokenSha256, disabledAt } of this.#users) {
      if (timingSafeEqual(given, tokenSha256) && disabledAt === undefined) found = { name, role };
    }
    return found;
  }

  /** A change by this instance counts as soon as it is done. */
  async change<Result>(work: (store: UserStore) => Promise<Result>): Promise<Result> {
    const result = await work(this.#store);
    await this.#read();
    return result;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#reading;
  }

  /** After what is being read now, which may be older than a change. */
  #read(): Promise<void> {
    const reading = this.#reading.then(async () => {
      this.#users = await this.#store.all();
      this.#byName = new Map(this.#users.map((user) => [user.name, user]));
    });
    this.#reading = reading.catch(() => {});
    return reading;
  }

  #poll(pollMs: number): void {
    this.#timer = setTimeout(() => {
      this.#read()
        .catch(() => {}) // the store is away: it is asked again
        .then(() => {
          if (!this.#isClosed) this.#poll(pollMs);
        });
    }, pollMs);
    this.#timer.unref();
  }
}
