// What is shown where the service tells nothing without a token: the place to enter one.

import { useState } from 'preact/hooks';
import { Mark } from '../parts/mark.tsx';
import { Screen } from '../parts/screen.tsx';
import { identity, signIn, signOut } from '../state/me.ts';
import { preferences } from '../state/preferences.ts';
import { useStore } from '../store.ts';
import '../style/people.css';

export function SignInScreen({ why }: { readonly why: string }) {
  const hasToken = useStore(preferences, ({ token }) => token !== '');
  const [isAsking, setAsking] = useState(false);
  const enter = async (event: SubmitEvent) => {
    event.preventDefault();
    const token = String(new FormData(event.currentTarget as HTMLFormElement).get('token')).trim();
    if (token === '') return;
    setAsking(true);
    await signIn(token);
    setAsking(false);
  };
  const isWrong = hasToken && !isAsking && identity.get().state === 'refused';
  return (
    <Screen
      title="Sign in"
      heading={
        <>
          <Mark size={32} /> Sign in to tagloom
        </>
      }
      class="sign-in-screen"
    >
      <form class="sign-in" onSubmit={enter}>
        <label>
          Token
          <input name="token" type="password" autocomplete="current-password" required />
          <small>Whoever administrates this service gives you one. It stays in this browser until you sign out.</small>
        </label>
        {isWrong && (
          <p class="problem" role="alert">
            {why}
          </p>
        )}
        <div class="actions">
          <button type="submit" disabled={isAsking}>
            Sign in
          </button>
          {isWrong && (
            <button type="button" class="quiet" onClick={signOut}>
              Go on without
            </button>
          )}
        </div>
      </form>
    </Screen>
  );
}
