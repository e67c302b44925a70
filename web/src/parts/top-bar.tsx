// The head of every screen: where one is, where one can go, the search.

import { goTo } from '../navigation/history.ts';
import { Link } from '../navigation/link.tsx';
import { objectPath, type Route, tagPath } from '../navigation/route.ts';
import { useKeys } from '../state/keys.ts';
import { Combobox } from './combobox.tsx';
import { chosen, searchAll } from './find-options.ts';
import { Icon } from './icon.tsx';
import { isHelpOpen } from './key-help.tsx';
import { Mark } from './mark.tsx';
import { SchemeButton } from './scheme-button.tsx';
import { WhoButton } from './who-button.tsx';

const PLACES = [
  { screen: 'queue', name: 'Queue', to: '/' },
  { screen: 'suggest', name: 'Suggest', to: '/suggest' },
  { screen: 'map', name: 'Map', to: '/map' },
  { screen: 'reviews', name: 'Reviews', to: '/reviews' },
  { screen: 'vocabulary', name: 'Vocabulary', to: '/vocabulary' },
  { screen: 'train', name: 'Train', to: '/train/' }, // a document of its own
  { screen: 'about', name: 'About', to: '/about' },
] as const;

const SEARCH = 'search';

export function TopBar({ screen }: { readonly screen: Route['screen'] }) {
  useKeys({
    '/': () => document.getElementById(SEARCH)?.focus(),
    '?': () => isHelpOpen.set(true),
  });
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
                {there === 'train' ? (
                  <a href={to}>{name}</a>
                ) : (
                  <Link to={to} aria-current={there === screen ? 'page' : undefined}>
                    {name}
                  </Link>
                )}
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
        <WhoButton />
        <SchemeButton />
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
