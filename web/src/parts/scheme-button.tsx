// Light, dark or as the system has it.

import { prefer, preferences, type Scheme } from '../state/preferences.ts';
import { useStore } from '../store.ts';
import { Icon } from './icon.tsx';

const NEXT_SCHEME: Record<Scheme, Scheme> = { system: 'light', light: 'dark', dark: 'system' };
const SCHEME_NAMES: Record<Scheme, string> = { system: 'as the system', light: 'light', dark: 'dark' };

export function SchemeButton() {
  const scheme = useStore(preferences, (all) => all.scheme);
  const name = `Colours: ${SCHEME_NAMES[scheme]}`;
  return (
    <button
      type="button"
      class="bare"
      title={name}
      aria-label={name}
      onClick={() => prefer({ scheme: NEXT_SCHEME[scheme] })}
    >
      <Icon name={scheme} />
    </button>
  );
}
