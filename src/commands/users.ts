// tagloom users: who may do what at "tagloom serve", kept in the store of the reviews.

import { type Command, Option } from 'commander';
import { ROLES, type Role } from '../serving/people/roles.ts';
import type { User, UserStore, UserWithToken } from '../serving/people/user-store.ts';
import { InUseError } from '../serving/reviews/embedded-database.ts';
import type { Terminal } from './terminal.ts';
import { insteadOfFolder, quoted, SIGNED_IN, withReviews } from './with-reviews.ts';

interface Options {
  readonly role?: Role;
  readonly removed?: true;
  readonly json?: true;
}

const HELP = `
STORE is what "tagloom serve --reviews" was given (default there: FILE.reviews): a folder, or a postgres:// URL. A service on the
same database hears of a change within a second. While a service uses a folder, ask it instead, as the message says.
Roles: read; review decides, too; administrate changes users and reloads the model, too. A token is shown once. A user that was
removed cannot sign in; the name stays in what was decided, and adding it again brings the user back.

Examples:
  $ tagloom users add npm.tagloom.reviews ann --role administrate
  $ tagloom users add npm.tagloom.reviews bob
  $ tagloom users list npm.tagloom.reviews
  $ tagloom users role npm.tagloom.reviews bob read
  $ tagloom users token npm.tagloom.reviews bob
  $ tagloom users remove npm.tagloom.reviews bob
`;

const NOBODY =
  'warning: nobody can administrate through the service. Add a user with --role administrate, or serve with --token.';

/** Whoever can open the store may do all with it. */
const BY_COMMAND = { by: '', mayLeaveNone: true };

/** The request that does the same at a service. */
interface AtService {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly name?: string;
  readonly body?: object;
}

export function addUsers(program: Command, terminal: Terminal): void {
  const users = program.command('users').description('who may do what at a service').addHelpText('after', HELP);
  const verb = (name: string, description: string) =>
    users
      .command(name)
      .description(description)
      .argument('<store>', 'a folder or a postgres:// URL')
      .option('--json', 'print one JSON document')
      .addHelpText('after', HELP);
  verb('add', 'add a user, and show the token once')
    .argument('<name>', 'as it will stand beside decisions')
    .addOption(new Option('--role <role>', 'what the user may do').choices(ROLES).default('review'))
    .action(async (store: string, name: string, { role = 'review', ...options }: Options) => {
      const at: AtService = { method: 'POST', body: { name, role } };
      const { done, all } = await changeAmong(store, at, (users) => users.add(name, role, BY_COMMAND));
      printToken(done, options, terminal);
      noteNobody(all, terminal);
    });
  verb('list', 'list users and their roles')
    .option('--removed', 'also those that were removed')
    .action(async (store: string, options: Options) => {
      printList(await change(store, { method: 'GET' }, (found) => found.all()), options, terminal);
    });
  verb('role', 'change what a user may do')
    .argument('<name>', 'of the user')
    .argument('<role>', ROLES.join(', '))
    .action(async (store: string, name: string, role: Role, options: Options) => {
      const at: AtService = { method: 'PATCH', name, body: { role } };
      const { done, all } = await changeAmong(store, at, (users) => users.setRole(name, role, BY_COMMAND));
      printUser(done, options, terminal);
      noteNobody(all, terminal);
    });
  verb('token', 'give a user a new token; the one before counts no more')
    .argument('<name>', 'of the user')
    .action(async (store: string, name: string, options: Options) => {
      const at: AtService = { method: 'PATCH', name, body: { renewToken: true } };
      printToken(await change(store, at, (all) => all.renewToken(name, '')), options, terminal);
    });
  verb('remove', 'remove a user: the token counts no more')
    .argument('<name>', 'of the user')
    .action(async (store: string, name: string, options: Options) => {
      const at: AtService = { method: 'DELETE', name };
      const { done, all } = await changeAmong(store, at, (users) => users.remove(name, BY_COMMAND));
      printUser(done, options, terminal);
      noteNobody(all, terminal);
    });
}

/** Where a service has the folder open, the error says what to ask it. */
async function change<Result>(
  where: string,
  at: AtService,
  work: (users: UserStore) => Promise<Result>,
): Promise<Result> {
  try {
    return await withReviews(where, ({ users }) => work(users), { makes: at.method === 'POST' });
  } catch (error) {
    if (!(error instanceof InUseError)) throw error;
    throw await insteadOfFolder(where, error, (url) => requestOf(url, at));
  }
}

/** With all users as they are then. */
function changeAmong<Result>(where: string, at: AtService, work: (users: UserStore) => Promise<Result>) {
  return change(where, at, async (users) => ({ done: await work(users), all: await users.all() }));
}

function noteNobody(all: readonly User[], terminal: Terminal): void {
  if (!all.some(({ role, disabledAt }) => role === 'administrate' && disabledAt === undefined)) terminal.note(NOBODY);
}

function requestOf(url: string, { method, name, body }: AtService): string {
  const path = name === undefined ? '/v1/users' : `/v1/users/${encodeURIComponent(name)}`;
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  const sent = body === undefined ? '' : ` -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`;
  return `curl${verb} ${SIGNED_IN}${sent} ${quoted(`${url}${path}`)}`;
}

function printToken({ user, token }: UserWithToken, { json }: Options, terminal: Terminal): void {
  if (json) terminal.print(JSON.stringify({ user: shown(user), token }));
  else terminal.print(`${user.name} (${user.role})\n${token}\nThis token is not shown again.`);
}

function printUser(user: User, { json }: Options, terminal: Terminal): void {
  if (json) terminal.print(JSON.stringify({ user: shown(user) }));
  else terminal.print(`${user.name} (${user.role})${user.disabledAt === undefined ? '' : ': removed'}`);
}

function printList(all: readonly User[], { removed, json }: Options, terminal: Terminal): void {
  const users = all.filter(({ disabledAt }) => removed || disabledAt === undefined);
  if (json) {
    terminal.print(JSON.stringify({ users: users.map(shown) }));
    return;
  }
  if (all.length === 0) terminal.print('There are no users: without --token, anyone who can connect may do all.');
  else if (users.length === 0) terminal.print('All users were removed: a service does not open to everyone again.');
  const widthOf = (texts: readonly string[]) => Math.max(...texts.map((text) => text.length));
  const names = widthOf(users.map(({ name }) => name));
  const roles = widthOf(users.map(({ role }) => role));
  for (const { name, role, createdAt, disabledAt } of users) {
    const since = `since ${createdAt.slice(0, 10)}`;
    const until = disabledAt === undefined ? '' : `, removed ${disabledAt.slice(0, 10)}`;
    terminal.print(`${name.padEnd(names)}  ${role.padEnd(roles)}  ${since}${until}`);
  }
}

function shown({ name, role, createdAt, disabledAt }: User) {
  return { name, role, createdAt, ...(disabledAt !== undefined && { removedAt: disabledAt }) };
}
