// Who works here, in the head of every screen: a name, what it may do, where people are kept, and the way out.

import { Link } from '../navigation/link.tsx';
import { letGo } from '../state/claims.ts';
import { forgetAll } from '../state/decision-history.ts';
import { identity, signOut } from '../state/me.ts';
import { preferences } from '../state/preferences.ts';
import { clearTally } from '../state/tally.ts';
import { useStore } from '../store.ts';
import { Icon } from './icon.tsx';

const MAY = { read: 'May read', review: 'May review', administrate: 'May administrate' } as const;

/** Nothing where the service knows nobody. */
export function WhoButton() {
  const now = useStore(identity, (who) => who);
  const hasToken = useStore(preferences, ({ token }) => token !== '');
  if (now.state !== 'known' || now.me.isOpen || (now.me.name === undefined && !hasToken)) return null;
  const { name = 'Administrator', role } = now.me;
  const leave = () => {
    letGo();
    forgetAll();
    clearTally();
    signOut();
  };
  return (
    <div class="who">
      <button type="button" class="quiet who-button" popovertarget="who" aria-label={`Signed in as ${name}`}>
        <Icon name="person" />
        <span class="who-name">{name}</span>
      </button>
      {/* biome-ignore lint/a11y: a link inside leads to another screen, which it would cover */}
      <div id="who" class="who-menu" popover="auto" onClick={(event) => event.currentTarget.hidePopover()}>
        <p>
          <strong>{name}</strong>
          <br />
          <span class="soft">{MAY[role]}</span>
        </p>
        {role === 'administrate' && (
          <Link to="/people" class="button quiet">
            People
          </Link>
        )}
        {role !== 'read' && (
          <Link to="/log" class="button quiet">
            Who did what
          </Link>
        )}
        {hasToken && (
          <button type="button" onClick={leave}>
            Sign out
          </button>
        )}
      </div>
    </div>
  );
}
