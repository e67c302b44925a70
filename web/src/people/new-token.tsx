// A token that was just made, shown this once: to copy, and where nobody is signed in yet, to sign in with.

import { useState } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { signIn } from '../state/me.ts';
import { say } from '../state/notices.ts';

interface NewTokenProps {
  readonly name: string;
  readonly token: string;
  /** Whether nobody is signed in here yet. */
  readonly isUnsigned: boolean;
  close(): void;
}

export function NewToken({ name, token, isUnsigned, close }: NewTokenProps) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(token);
      setCopied(true);
      say('Copied.');
    } catch {
      say('The browser does not let the page copy. Select the token instead.');
    }
  };
  return (
    <section class="new-token" aria-label={`Token of ${name}`}>
      <p>
        The token of <strong>{name}</strong>. It is shown this once: give it to {name} now.
      </p>
      <code class="token">{token}</code>
      <div class="actions">
        <button type="button" onClick={() => void copy()}>
          <Icon name="copy" />
          {isCopied ? 'Copied' : 'Copy'}
        </button>
        {isUnsigned && (
          <button type="button" onClick={() => void signIn(token).then((isIn) => isIn && close())}>
            Sign in as {name}
          </button>
        )}
        {!isUnsigned && (
          <button type="button" class="quiet" onClick={close}>
            Close
          </button>
        )}
      </div>
    </section>
  );
}
