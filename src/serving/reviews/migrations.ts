// How the tables of the reviews came to be: numbered steps, each applied once, in a schema of their own beside whatever else a
// database holds. Instances that start at once take turns.

import { InputError } from '../../errors.ts';
import type { Database, Queries } from './database.ts';

/** The names of our advisory locks begin with it: "tagl" as a number. */
export const LOCK_SPACE = 0x7461676c;
const MIGRATION_LOCK = 0;

/** Never change one that was released: add another. */
export const MIGRATIONS: readonly (readonly string[])[] = [
  [
    'create sequence tagloom.revisions',
    `create table tagloom.reviews (
      id bigint generated always as identity primary key,
      object text not null,
      tag text not null,
      decision text not null check (decision in ('accept', 'reject')),
      curator text not null,
      decided_at timestamptz not null default clock_timestamp(),
      undone_at timestamptz,
      revision bigint not null default nextval('tagloom.revisions')
    )`,
    'create unique index reviews_first_wins on tagloom.reviews (object, tag) where undone_at is null',
    'create index reviews_by_tag on tagloom.reviews (tag, id) where undone_at is null',
    'create unique index reviews_by_revision on tagloom.reviews (revision)',
  ],
  // "not sure" and notes
  [
    'alter table tagloom.reviews drop constraint reviews_decision_check',
    `alter table tagloom.reviews add constraint reviews_decision_check
      check (decision in ('accept', 'reject', 'unsure'))`,
    "alter table tagloom.reviews add column note text not null default ''",
    'create index reviews_by_time on tagloom.reviews (decided_at) where undone_at is null',
  ],
  // several people at once: users, who did what, cards in someone's hands, how far webhooks are
  [
    'alter table tagloom.reviews add column undone_by text',
    `create table tagloom.users (
      id bigint generated always as identity primary key,
      name text not null unique,
      role text not null check (role in ('read', 'review', 'administrate')),
      token_sha256 bytea not null unique,
      created_at timestamptz not null default clock_timestamp(),
      disabled_at timestamptz
    )`,
    `create table tagloom.log (
      id bigint generated always as identity primary key,
      at timestamptz not null default clock_timestamp(),
      who text not null,
      action text not null,
      object text,
      tag text,
      detail jsonb not null default '{}'
    )`,
    'create index log_by_who on tagloom.log (who, id)',
    'create index log_by_action on tagloom.log (action, id)',
    'create index log_by_object on tagloom.log (object, id)',
    'create index log_by_tag on tagloom.log (tag, id)',
    'create index log_by_time on tagloom.log (at)',
    `create table tagloom.claims (
      object text not null,
      tag text not null,
      session text not null,
      who text not null,
      until timestamptz not null,
      primary key (object, tag)
    )`,
    'create index claims_by_session on tagloom.claims (session)',
    `create table tagloom.webhooks (
      url text primary key,
      position bigint not null,
      holder text,
      held_until timestamptz,
      gone_at timestamptz
    )`,
  ],
  // what is declared about tags
  [
    `create table tagloom.vocabulary_changes (
      id bigint generated always as identity primary key,
      kind text not null,
      declarations jsonb not null,
      curator text not null,
      note text not null,
      at timestamptz not null default clock_timestamp(),
      undone_at timestamptz,
      undone_by text not null default '',
      revision bigint not null default nextval('tagloom.revisions')
    )`,
    'create unique index vocabulary_by_revision on tagloom.vocabulary_changes (revision)',
  ],
];

export async function migrate(database: Database, migrations = MIGRATIONS): Promise<void> {
  await database.transaction(async (queries) => {
    await queries.query('select pg_advisory_xact_lock($1, $2)', [LOCK_SPACE, MIGRATION_LOCK]);
    const version = await versionOf(queries);
    if (version > migrations.length) {
      throw new InputError({
        got: `reviews of version ${version}`,
        expected: `version ${migrations.length} or less`,
        cure: 'A newer tagloom wrote them: use that one.',
      });
    }
    for (let next = version; next < migrations.length; next++) {
      for (const statement of migrations[next]) await queries.query(statement);
      await queries.query('insert into tagloom.migrations (version) values ($1)', [next + 1]);
    }
  });
}

/** Asks before it creates: who may only read can still open what is there. */
async function versionOf({ query }: Queries): Promise<number> {
  const [{ schema, migrations }] = await query<{ schema: string | null; migrations: string | null }>(
    "select to_regnamespace('tagloom')::text as schema, to_regclass('tagloom.migrations')::text as migrations",
  );
  if (schema === null) await query('create schema tagloom');
  if (migrations === null) {
    await query(`create table tagloom.migrations (
      version integer primary key, applied_at timestamptz not null default clock_timestamp()
    )`);
  }
  const [{ version }] = await query<{ version: number | null }>(
    'select max(version) as version from tagloom.migrations',
  );
  return version ?? 0;
}
