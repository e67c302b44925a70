// The head of every screen: where one is, where one can go, the search.

import { goTo } from '../navigation/history.ts';
import { Link } from '../navigation/link.tsx';
import { objectPath, type Route, tagPath } from '../navigation/route.ts';
import { useKeys } from '../state/keys.ts';
import { prefer, preferences, type Scheme } from '../state/preferences.ts';
import { useStore } from '../state/store.ts';
import { Combobox } from './combobox.tsx';
import { chosen, searchAll } from './find-options.ts';
import { isHelpOpen } from './help-dialog.tsx';
import { Icon } from './icon.tsx';
import { Mark } from './mark.tsx';

const PLACES = [
  { screen: 'queue', name: 'Queue', to: '/' },
  { screen: 'map', name: 'Map', to: '/map' },
  { screen: 'reviews', name: 'Reviews', to: '/reviews' },
  { screen: 'about', name: 'About', to: '/about' },
] as const;

const NEXT_SCHEME: Record<Scheme, Scheme> = { system: 'light', light: 'dark', dark: 'system' };
const SCHEME_NAMES: Record<Scheme, string> = { system: 'as the system', light: 'light', dark: 'dark' };
const SEARCH = 'search';

export function TopBar({ screen }: { readonly screen: Route['screen'] }) {
  const scheme = useStore(preferences, (all) => all.scheme);
  useKeys({
    '/': () => document.getElementById(SEARCH)?.focus(),
    '?': () => isHelpOpen.set(true),
  });
  const schemeName = `Colours: ${SCHEME_NAMES[scheme]}`;
  return (
    <header class="top">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <div class="top-row">
        <Link to="/" class="brand" aria-label="tagloom, to the queue">
          <Mark size={26} />
          <span class="wordmark">tagloom</span>
        </Link>
        <nav aria-label="Screens">
          <ul>
            {PLACES.map(({ screen: there, name, to }) => (
              <li key={there}>
                <Link to={to} aria-current={there === screen ? 'page' : undefined}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <search class="top-search">
          <Combobox
            id={SEARCH}
            label="Search objects and tags"
            placeholder="Search objects and tags"
            search={searchAll}
            choose={(option) => {
              const { kind, name } = chosen(option);
              goTo(kind === 'object' ? objectPath(name) : tagPath(name));
            }}
          />
        </search>
        <button
          type="button"
          class="bare"
          title={schemeName}
          aria-label={schemeName}
          onClick={() => prefer({ scheme: NEXT_SCHEME[scheme] })}
        >
          <Icon name={scheme} />
        </button>
        <button
          type="button"
          class="bare keys-button"
          title="Keys (?)"
          aria-label="Keys"
          onClick={() => isHelpOpen.set(true)}
        >
          <Icon name="keys" />
        </button>
      </div>
    </header>
  );
}
