// The shapes of what is asked and answered about people: users and roles, who did what, claims, who is at work.

import { ROLES } from '../people/roles.ts';
import { MAX_USER_NAME } from '../people/user-store.ts';
import { QueueQuery } from './request-schemas.ts';
import { Queue, ReviewCounts } from './review-schemas.ts';
import { named, Review, the, wordOf } from './schemas.ts';
import { Type } from './typebox.ts';

const strict = { additionalProperties: false };
const MAX_NAME = 10_000; // characters
const MAX_PAIRS = 1000;
const NameText = Type.String({ minLength: 1, maxLength: MAX_NAME });
const UserName = Type.String({ minLength: 1, maxLength: MAX_USER_NAME, examples: ['ann'] });
const role = wordOf(ROLES, { description: 'What it allows: read, review (decide, too), administrate (users, too).' });
const time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

// users

export const Me = named(
  'Me',
  Type.Object({
    name: Type.Optional(Type.String({ description: 'Absent: nobody said, or the token of the service was sent.' })),
    role,
    isOpen: Type.Boolean({ description: 'Whether anyone who can connect may do all.' }),
  }),
);

export const User = named(
  'User',
  Type.Object({
    name: Type.String({ examples: ['ann'] }),
    role,
    createdAt: Type.String({ format: 'date-time' }),
    removedAt: time('Whose tokens count no more; the name stays in old decisions.'),
  }),
);

export const UserList = named('UserList', Type.Object({ users: Type.Array(the(User)) }));

export const UserToken = named(
  'UserToken',
  Type.Object({
    user: the(User),
    token: Type.Optional(
      Type.String({ description: 'A new one. It is shown this once and cannot be asked for again.' }),
    ),
  }),
);

export const UserPath = Type.Object({ name: UserName });
export const UsersQuery = Type.Object(
  { removed: Type.Boolean({ default: false, description: 'Also lists users that were removed.' }) },
  strict,
);
export const NewUserBody = Type.Object({ name: UserName, role }, strict);
export const UserBody = Type.Object(
  {
    role: Type.Optional(role),
    renewToken: Type.Boolean({ default: false, description: 'Gives a new token; the one before counts no more.' }),
  },
  strict,
);

// who did what

export const LogEntry = named(
  'LogEntry',
  Type.Object({
    id: Type.String(),
    at: Type.String({ format: 'date-time' }),
    who: Type.String({ description: 'Empty where nobody said.', examples: ['ann'] }),
    action: Type.String({
      description: 'accept, reject, unsure, undo, user.add, user.role, user.token, user.remove, …',
      examples: ['accept'],
    }),
    object: Type.Optional(Type.String()),
    tag: Type.Optional(Type.String()),
    detail: Type.Record(Type.String(), Type.Unknown(), { description: 'Whatever else belongs to the action.' }),
  }),
);

export const LogList = named(
  'LogList',
  Type.Object({ entries: Type.Array(the(LogEntry)), next: Type.Optional(Type.String()) }),
);

const logFilter = {
  who: Type.Optional(
    Type.String({ maxLength: 200, description: 'An empty text finds entries without a name.', examples: ['ann'] }),
  ),
  action: Type.Optional(
    Type.String({ maxLength: 100, description: 'Such as accept, undo or user.add.', examples: ['accept'] }),
  ),
  object: Type.Optional(NameText),
  tag: Type.Optional(NameText),
  since: time('Only what was done from then on (2026-03-04T00:00:00Z).'),
  until: time('Only what was done before then.'),
};
export const LogQuery = Type.Object(
  {
    ...logFilter,
    limit: Type.Integer({ minimum: 1, maximum: 500, default: 50 }),
    cursor: Type.Optional(Type.String({ maxLength: 100_000, description: 'The `next` of the page before.' })),
  },
  strict,
);
export const LogExportQuery = Type.Object(
  { ...logFilter, format: wordOf(['jsonl', 'tsv'], { default: 'jsonl', description: 'JSON Lines, or a table.' }) },
  strict,
);

// cards in someone's hands

const Pair = Type.Object({ object: NameText, tag: NameText }, strict);
const Session = Type.String({
  pattern: '^[A-Za-z0-9_-]{16,100}$',
  description: 'Names a tab or a program: 128 random bits that it makes for itself.',
  examples: ['4f8a0c2be1d94a7f93c65d0b7e12a8f4'],
});
const { limit: _limit, cursor: _cursor, ...queueFilter } = QueueQuery.properties;
const { group: _group, ...countFilter } = queueFilter;
const curator = Type.Optional(Type.String({ maxLength: 200, description: 'Who works, where no token says it.' }));

export const SessionPath = Type.Object({ session: Session });
export const ClaimBody = Type.Object(
  {
    session: Session,
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 5 }),
    ...queueFilter,
    pairs: Type.Optional(
      Type.Array(Pair, {
        maxItems: MAX_PAIRS,
        description: 'Holds the first of these instead of the next of the queue.',
      }),
    ),
    without: Type.Optional(
      Type.Array(Pair, { maxItems: MAX_PAIRS, description: 'Leaves these out, such as what was skipped.' }),
    ),
    curator,
  },
  strict,
);

const heldPairs = Type.Array(Type.Object({ object: Type.String(), tag: Type.String() }));

export const Claims = named(
  'Claims',
  Type.Object({
    pairs: heldPairs,
    suggestions: Type.Optional(Queue.properties.suggestions),
    at: Type.String({ format: 'date-time', description: 'When, by the clock of the database.' }),
    until: Type.String({ format: 'date-time', description: 'For how long, by the same clock. Ask again to renew.' }),
  }),
);

export const Released = named('Released', Type.Object({ numReleased: Type.Integer() }));

// what goes on

export const LiveQuery = Type.Object(
  {
    session: Type.Optional(Session),
    after: Type.Optional(
      Type.String({ pattern: '^\\d{1,18}$', description: 'The `revision` of the answer before; absent: no changes.' }),
    ),
    today: time('Counts what was decided from then on: the last midnight, where one is.'),
    ...countFilter,
    curator: Type.Optional(
      Type.String({ maxLength: 200, description: 'Whose decisions are mine, where no token says it.' }),
    ),
  },
  strict,
);

export const Live = named(
  'Live',
  Type.Object({
    revision: Type.String(),
    changes: Type.Array(Type.Object({ review: the(Review), isUndone: Type.Boolean() }), {
      description: 'Decisions and undos since `after`, as they are now, in their order; at most 1,000.',
    }),
    numOpen: Type.Integer(),
    numLikely: Type.Optional(Type.Integer()),
    today: Type.Optional(Type.Object({ everyone: the(ReviewCounts), mine: Type.Optional(the(ReviewCounts)) })),
    atWork: Type.Array(Type.Object({ who: Type.String(), numSessions: Type.Integer() }), {
      description: 'Who else holds cards of the queue now, by name.',
    }),
    held: Type.Array(Type.Object({ object: Type.String(), tag: Type.String(), who: Type.String() }), {
      description: 'Cards that others hold.',
    }),
  }),
);

export const NAMED_OF_PEOPLE = [Me, User, UserList, UserToken, LogEntry, LogList, Claims, Released, Live];
