// Users and their roles: who am I, list, add, change, remove. A token is answered once, when it is made.

import type { User as StoredUser, UserWithToken } from '../people/user-store.ts';
import { LastAdministratorError, UserNameError } from '../people/user-store.ts';
import { type Access, needs } from './access.ts';
import { type Api, type ApiContext, problems, problemsOfWrites } from './api.ts';
import { Me, NewUserBody, User, UserBody, UserList, UserPath, UsersQuery, UserToken } from './people-schemas.ts';
import { refuse } from './problem.ts';
import { the } from './schemas.ts';

const tags = ['people'];

export function addUsers(app: Api, context: ApiContext): void {
  for (const add of [addMe, addList, addNew, addChange, addRemove]) add(app, context);
}

function addMe(app: Api, { access }: ApiContext): void {
  app.get(
    '/v1/me',
    {
      config: needs('read', { isPersonal: true }),
      schema: {
        operationId: 'getMe',
        summary: 'Who asks, and what they may do',
        tags,
        response: { 200: the(Me), ...problems() },
      },
    },
    async ({ actor: { name, role } }, reply) => {
      reply.header('cache-control', 'no-store');
      return { ...(name !== undefined && { name }), role, isOpen: access.isOpen };
    },
  );
}

function addList(app: Api, { access }: ApiContext): void {
  app.get(
    '/v1/users',
    {
      config: needs('administrate'),
      schema: {
        operationId: 'listUsers',
        summary: 'Users, by name',
        tags,
        querystring: UsersQuery,
        response: { 200: the(UserList), ...problems() },
      },
    },
    async ({ query: { removed } }) => ({
      users: (removed ? access.users.everyone : access.users.users).map(shown),
    }),
  );
}

function addNew(app: Api, { access }: ApiContext): void {
  app.post(
    '/v1/users',
    {
      config: needs('administrate'),
      schema: {
        operationId: 'addUser',
        summary: 'Add a user, or bring back one that was removed. As soon as there are users, everything needs a token',
        tags,
        body: NewUserBody,
        response: { 201: the(UserToken), ...problemsOfWrites(409, 503) },
      },
    },
    async ({ body: { name, role }, actor }, reply) => {
      const added = await changing(() =>
        access.users.change((users) => users.add(name, role, optionsOf(access, actor))),
      );
      reply.code(201).header('location', `/v1/users/${encodeURIComponent(added.user.name)}`);
      return withToken(added);
    },
  );
}

function addChange(app: Api, { access }: ApiContext): void {
  app.patch(
    '/v1/users/:name',
    {
      config: needs('administrate'),
      schema: {
        operationId: 'changeUser',
        summary: 'Change the role of a user, or give a new token; it counts at once',
        tags,
        params: UserPath,
        body: UserBody,
        response: { 200: the(UserToken), ...problemsOfWrites(404, 409, 503) },
      },
    },
    async ({ params: { name }, body: { role, renewToken }, actor }) => {
      if (role === undefined && !renewToken)
        refuse(400, 'Nothing is asked for.', 'Send a role, "renewToken": true, or both.');
      let changed: { user: StoredUser; token?: string } = { user: requireUser(access, name) };
      await changing(() =>
        access.users.change(async (users) => {
          // even where it seems the same: another instance may have changed it just now
          if (role !== undefined) changed = { user: await users.setRole(name, role, optionsOf(access, actor)) };
          if (renewToken) changed = await users.renewToken(name, actor.name ?? '');
        }),
      );
      return withToken(changed);
    },
  );
}

function addRemove(app: Api, { access }: ApiContext): void {
  app.delete(
    '/v1/users/:name',
    {
      config: needs('administrate'),
      schema: {
        operationId: 'removeUser',
        summary: 'Remove a user: the token counts no more, the name stays in what was decided',
        tags,
        params: UserPath,
        response: { 200: the(User), ...problemsOfWrites(404, 409, 503) },
      },
    },
    async ({ params: { name }, actor }) => {
      requireUser(access, name);
      return shown(await changing(() => access.users.change((users) => users.remove(name, optionsOf(access, actor)))));
    },
  );
}

function optionsOf(
  { hasOtherAdministrators }: ApiContext['access'],
  { name = '' }: { readonly name: string | undefined },
) {
  return { by: name, mayLeaveNone: hasOtherAdministrators };
}

function requireUser({ users }: Pick<Access, 'users'>, name: string): StoredUser {
  const user = users.named(name);
  if (user !== undefined && user.disabledAt === undefined) return user;
  return refuse(404, `There is no user ${JSON.stringify(name.slice(0, 100))}.`, 'List them: GET /v1/users.');
}

async function changing<Result>(change: () => Promise<Result>): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof LastAdministratorError || error instanceof UserNameError)) throw error;
    const { got, expected, cure } = error.problem;
    return refuse(409, `Got ${got}, expected ${expected}.`, cure);
  }
}

function withToken({ user, token }: Partial<UserWithToken> & Pick<UserWithToken, 'user'>) {
  return { user: shown(user), ...(token !== undefined && { token }) };
}

function shown({ name, role, createdAt, disabledAt }: StoredUser) {
  return { name, role, createdAt, ...(disabledAt !== undefined && { removedAt: disabledAt }) };
}
