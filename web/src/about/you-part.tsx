// Who is at work: a name that signs decisions, and the token where the service asks for one.

import { askWhoIAm, identity } from '../state/me.ts';
import { say, tell } from '../state/notices.ts';
import { prefer, preferences } from '../state/preferences.ts';
import { useStore } from '../store.ts';

export function YouPart({ isGuarded }: { readonly isGuarded: boolean }) {
  const { curator, token, hasKeys } = useStore(preferences, (all) => all);
  const name = useStore(identity, (now) => (now.state === 'known' ? now.me.name : undefined));
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    prefer({
      ...(form.has('curator') && { curator: String(form.get('curator')).trim() }),
      token: String(form.get('token')).trim(),
    });
    void askWhoIAm();
    tell({ text: 'Saved in this browser.' });
    say('Saved in this browser.');
  };
  return (
    <section aria-labelledby="you">
      <h2 id="you">You</h2>
      <form class="you" onSubmit={save}>
        <label>
          Your name
          <input
            name="curator"
            maxLength={200}
            autocomplete="name"
            defaultValue={name ?? curator}
            disabled={name !== undefined}
          />
          <small>
            {name === undefined
              ? 'Signs your decisions. Kept in this browser.'
              : 'Signs your decisions, as the service knows you.'}
          </small>
        </label>
        <label>
          Token
          <input name="token" type="password" autocomplete="off" defaultValue={token} />
          <small>
            {isGuarded ? 'This service takes decisions only with a token.' : 'This service needs none.'} Kept in this
            browser.
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
