// Who may do what: users and their roles, for those who administrate. A token is shown once, when it is made.

import { useState } from 'preact/hooks';
import { addUser, changeUser, getUsers, removeUser } from '../api/people-calls.ts';
import type { Role, User, UserToken } from '../api/people-shapes.ts';
import { asProblem } from '../api/problem.ts';
import { Link } from '../navigation/link.tsx';
import { logPath } from '../navigation/route.ts';
import { LoadedPart } from '../parts/loaded-part.tsx';
import { Screen } from '../parts/screen.tsx';
import { askWhoIAm, identity } from '../state/me.ts';
import { say, tell, tellFault } from '../state/notices.ts';
import { prefer, preferences } from '../state/preferences.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { useStore } from '../store.ts';
import { NewToken } from './new-token.tsx';
import '../style/people.css';

const ROLES = [
  ['read', 'read'],
  ['review', 'review'],
  ['administrate', 'administrate'],
] as const satisfies readonly (readonly [Role, string])[];

export function PeopleScreen() {
  const me = useStore(identity, (now) => (now.state === 'known' ? now.me : undefined));
  const [round, setRound] = useState(0);
  const [made, setMade] = useState<UserToken>();
  const loaded = useLoaded(`${round} ${me?.name ?? ''}`, getUsers);
  const act = async (work: () => Promise<string>) => {
    try {
      const done = await work();
      tell({ text: done });
      say(done);
    } catch (error) {
      const problem = asProblem(error);
      tellFault(problem, { subject: 'people', text: problem.detail });
    }
    setRound((count) => count + 1); // what was refused is shown as it is, too
  };
  const show = (answer: UserToken) => setMade(answer);
  const forget = (name: string) => setMade((known) => (known?.user.name === name ? undefined : known));
  return (
    <Screen title="People" heading="People" class="people-screen">
      {me?.isOpen && (
        <p class="open-note">
          Anyone who can connect may review and administrate here. As soon as there is a user, everyone needs a token.
          The first one must be able to administrate.
        </p>
      )}
      <AddUser isFirst={me?.isOpen ?? false} act={act} show={show} />
      {made?.token !== undefined && (
        <NewToken
          name={made.user.name}
          token={made.token}
          isUnsigned={me?.isOpen ?? false}
          close={() => setMade(undefined)}
        />
      )}
      {/* the first user closes the service: who is not signed in cannot list */}
      {!(me?.isOpen && made !== undefined) && (
        <LoadedPart loaded={loaded}>
          {(users) => <UserTable users={users} me={me?.name} act={act} show={show} forget={forget} />}
        </LoadedPart>
      )}
    </Screen>
  );
}

interface ActProps {
  act(work: () => Promise<string>): Promise<void>;
  show(answer: UserToken): void;
}

function AddUser({ isFirst, act, show }: ActProps & { readonly isFirst: boolean }) {
  const add = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const given = new FormData(form);
    const name = String(given.get('name')).trim();
    if (name === '') return;
    void act(async () => {
      show(await addUser(name, (given.get('role') ?? 'administrate') as Role));
      for (const field of form.querySelectorAll('input')) field.value = '';
      return `${name} was added.`;
    });
  };
  return (
    <form class="add-user" onSubmit={add} aria-label="Add a user">
      <label>
        Name
        <input name="name" maxLength={200} autocomplete="off" required />
      </label>
      <label>
        Role
        <select name="role" key={String(isFirst)} disabled={isFirst} defaultValue={isFirst ? 'administrate' : 'review'}>
          {ROLES.map(([role, words]) => (
            <option key={role} value={role} selected={role === (isFirst ? 'administrate' : 'review')}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">Add user</button>
    </form>
  );
}

interface RowProps extends ActProps {
  /** A token of somebody who was removed is not shown any longer. */
  forget(name: string): void;
}

interface UserTableProps extends RowProps {
  readonly users: readonly User[];
  readonly me: string | undefined;
}

function UserTable({ users, me, ...row }: UserTableProps) {
  if (users.length === 0) return <p class="soft">There are no users yet.</p>;
  return (
    <ul class="users" aria-label="Users">
      {users.map((user) => (
        <UserRow key={user.name} user={user} isMe={user.name === me} {...row} />
      ))}
    </ul>
  );
}

function UserRow({ user, isMe, act, show, forget }: RowProps & { readonly user: User; readonly isMe: boolean }) {
  const { name, role, createdAt } = user;
  const [isSure, setSure] = useState(false);
  const change = (chosen: Role) =>
    act(async () => {
      await changeUser(name, { role: chosen });
      if (isMe) await askWhoIAm();
      return `${name} may ${chosen} now.`;
    });
  const renew = () =>
    act(async () => {
      const answer = await changeUser(name, { renewToken: true });
      if (isMe && answer.token !== undefined && preferences.get().token !== '') prefer({ token: answer.token });
      show(answer);
      return `${name} has a new token.`;
    });
  const remove = () =>
    act(async () => {
      await removeUser(name);
      forget(name);
      return `${name} was removed.`;
    });
  return (
    <li class="user">
      <div class="user-name">
        <strong>{name}</strong>
        {isMe && <span class="soft"> (you)</span>}
        <small>
          since {createdAt.slice(0, 10)} · <Link to={logPath({ who: name })}>log</Link>
        </small>
      </div>
      <select
        aria-label={`Role of ${name}`}
        value={role}
        onChange={(event) => void change(event.currentTarget.value as Role)}
      >
        {ROLES.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
      <button type="button" class="quiet" onClick={() => void renew()}>
        New token<span class="unseen"> for {name}</span>
      </button>
      {isSure ? (
        <button type="button" class="danger" onClick={() => void remove()} onBlur={() => setSure(false)}>
          Yes, remove<span class="unseen"> {name}</span>
        </button>
      ) : (
        <button type="button" class="quiet" onClick={() => setSure(true)}>
          Remove<span class="unseen"> {name}</span>
        </button>
      )}
    </li>
  );
}
