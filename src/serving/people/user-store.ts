// Users, kept beside the reviews. A token is shown once and only its hash is kept. Who is removed stays in the table, so that the
// name in old decisions means one person: adding the same name again brings that user back.

import { cleanName } from '../../data/name.ts';
import { InputError } from '../../errors.ts';
import type { Database, Queries } from '../reviews/database.ts';
import { inTurn } from '../reviews/writing.ts';
import { record } from './log-store.ts';
import { isRole, ROLES, type Role } from './roles.ts';
import { digestOf, newToken } from './user-tokens.ts';

/** Someone with a token of their own. */
export interface User {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** When the user was removed. */
  readonly disabledAt?: string;
}

/** A user with the hash of the token, for checking. */
export interface KnownUser extends User {
  readonly tokenSha256: Buffer;
}

/** A user with a token that was just made. */
export interface UserWithToken {
  readonly user: User;
  readonly token: string;
}

/** A change that would leave nobody who may administrate. */
export class LastAdministratorError extends InputError {}

/** There is no such user; or there is one already. */
export class UserNameError extends InputError {}

export const MAX_USER_NAME = 200; // characters

interface Row {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly created_at: Date;
  readonly disabled_at: Date | null;
  readonly token_sha256: Uint8Array;
}

const COLUMNS = 'id::text, name, role, created_at, disabled_at, token_sha256';

/** Who asks for a change, and whether someone could administrate without any user of that role. */
export interface ChangeOptions {
  readonly by: string;
  readonly mayLeaveNone: boolean;
}

/** Users and the hashes of their tokens. */
export class UserStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** All there ever were, by name. */
  async all(): Promise<KnownUser[]> {
    const rows = await this.#database.query<Row>(`select ${COLUMNS} from tagloom.users order by name`);
    return rows.map((row) => ({ ...toUser(row), tokenSha256: Buffer.from(row.token_sha256) }));
  }

  /** A user with a new token. The first must be able to administrate, unless somebody else is. */
  async add(name: string, role: Role, { by, mayLeaveNone }: ChangeOptions): Promise<UserWithToken> {
    const clean = checkedName(name);
    return this.#changing(async (queries, token) => {
      const [row] = await queries.query<Row>(
        `insert into tagloom.users (name, role, token_sha256) values ($1, $2, $3)
        on conflict (name) do update set role = excluded.role, token_sha256 = excluded.token_sha256, disabled_at = null
        where users.disabled_at is not null returning ${COLUMNS}`,
        [clean, checkedRole(role), digestOf(token)],
      );
      if (row === undefined) {
        const got = `the name ${JSON.stringify(clean)}, which a user has`;
        throw new UserNameError({ got, expected: 'a new name', cure: 'Choose another, or change that user.' });
      }
      if (!mayLeaveNone) await requireAdministrator(queries);
      await record(queries, [{ who: by, action: 'user.add', detail: { user: clean, role } }]);
      return { user: toUser(row), token };
    });
  }

  async setRole(name: string, role: Role, { by, mayLeaveNone }: ChangeOptions): Promise<User> {
    return this.#changing(async (queries) => {
      const user = await change(queries, 'role = $2', [name, checkedRole(role)]);
      if (!mayLeaveNone) await requireAdministrator(queries);
      await record(queries, [{ who: by, action: 'user.role', detail: { user: user.name, role } }]);
      return user;
    });
  }

  /** A new token; the one before counts no more. */
  renewToken(name: string, by: string): Promise<UserWithToken> {
    return this.#changing(async (queries, token) => {
      const user = await change(queries, 'token_sha256 = $2', [name, digestOf(token)]);
      await record(queries, [{ who: by, action: 'user.token', detail: { user: user.name } }]);
      return { user, token };
    });
  }

  remove(name: string, { by, mayLeaveNone }: ChangeOptions): Promise<User> {
    return this.#changing(async (queries) => {
      const user = await change(queries, 'disabled_at = clock_timestamp()', [name]);
      if (!mayLeaveNone) await requireAdministrator(queries);
      await record(queries, [{ who: by, action: 'user.remove', detail: { user: user.name } }]);
      return user;
    });
  }

  #changing<Result>(work: (queries: Queries, token: string) => Promise<Result>): Promise<Result> {
    return inTurn(this.#database, (queries) => work(queries, newToken()));
  }
}

/** Of a user that is not removed, by name ($1). */
async function change({ query }: Queries, what: string, [name, ...rest]: readonly [string, ...unknown[]]) {
  const [row] = await query<Row>(
    `update tagloom.users set ${what} where name = $1 and disabled_at is null returning ${COLUMNS}`,
    [cleanName(name), ...rest],
  );
  if (row !== undefined) return toUser(row);
  const got = `the name ${JSON.stringify(name.slice(0, 100))}, which no user has`;
  throw new UserNameError({
    got,
    expected: 'the name of a user',
    cure: 'List them: GET /v1/users, or tagloom users list.',
  });
}

async function requireAdministrator({ query }: Queries): Promise<void> {
  const rows = await query("select 1 from tagloom.users where role = 'administrate' and disabled_at is null limit 1");
  if (rows.length > 0) return;
  throw new LastAdministratorError({
    got: 'a change after which nobody could administrate',
    expected: 'one user with the role administrate',
    cure: 'Add a user with the role administrate first.',
  });
}

function toUser({ id, name, role, created_at, disabled_at }: Row): User {
  return {
    ...{ id, name, role, createdAt: created_at.toISOString() },
    ...(disabled_at !== null && { disabledAt: disabled_at.toISOString() }),
  };
}

function checkedName(name: string): string {
  const clean = name.includes('\0') ? '' : cleanName(name);
  if (clean !== '' && clean.length <= MAX_USER_NAME) return clean;
  const expected = `a name of 1 to ${MAX_USER_NAME} characters`;
  const got = clean === '' ? 'a blank name' : `a name of ${clean.length} characters`;
  throw new InputError({ got, expected, cure: 'Choose another name.' });
}

function checkedRole(role: string): Role {
  if (isRole(role)) return role;
  throw new InputError({
    got: `the role ${JSON.stringify(role)}`,
    expected: ROLES.join(', '),
    cure: 'Choose one of them.',
  });
}
