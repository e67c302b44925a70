// The key of a command, beside its name. It is not read out: a button's name is what it does.

import { preferences } from '../state/preferences.ts';
import { useStore } from '../state/store.ts';

export function KeyHint({ keyName }: { readonly keyName: string }) {
  const hasKeys = useStore(preferences, (chosen) => chosen.hasKeys);
  return hasKeys ? (
    <span class="hint" aria-hidden="true">
      {keyName}
    </span>
  ) : null;
}
