// Who is at work: a name that signs decisions, and the token where the service asks for one.

import { say, tell } from '../state/notices.ts';
import { prefer, preferences } from '../state/preferences.ts';
import { useStore } from '../store.ts';

export function YouPart({ isGuarded }: { readonly isGuarded: boolean }) {
  const { curator, token, hasKeys } = useStore(preferences, (all) => all);
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    prefer({ curator: String(form.get('curator')).trim(), token: String(form.get('token')).trim() });
    tell({ text: 'Saved in this browser.' });
    say('Saved in this browser.');
  };
  return (
    <section aria-labelledby="you">
      <h2 id="you">You</h2>
      <form class="you" onSubmit={save}>
        <label>
          Your name
          <input name="curator" maxLength={200} autocomplete="name" defaultValue={curator} />
          <small>Signs your decisions. Kept in this browser.</small>
        </label>
        <label>
          Token
          <input name="token" type="password" autocomplete="off" defaultValue={token} />
          <small>
            {isGuarded ? 'This service takes decisions only with its token.' : 'This service needs none.'} Kept until
            the tab is closed.
          </small>
        </label>
        <button type="submit">Save</button>
      </form>
      <label class="check">
        <input
          type="checkbox"
          checked={hasKeys}
          onChange={(event) => prefer({ hasKeys: event.currentTarget.checked })}
        />
        Single letters are commands
      </label>
    </section>
  );
}
