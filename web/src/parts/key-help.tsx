// What tells of keys: the hint beside the name of a command, and the dialog that the question mark opens.

import { useEffect, useRef } from 'preact/hooks';
import { prefer, preferences } from '../state/preferences.ts';
import { Store, useStore } from '../store.ts';
import { Icon } from './icon.tsx';

export const isHelpOpen = new Store(false);

const KEYS: readonly { readonly where: string; readonly keys: readonly (readonly [string, string])[] }[] = [
  {
    where: 'Everywhere',
    keys: [
      ['/', 'search'],
      ['u or z', 'undo the last decision'],
      ['?', 'this help'],
    ],
  },
  {
    where: 'In the queue and on an object',
    keys: [
      ['a or Enter', 'add tag'],
      ['r or x', 'reject'],
      ['d', 'not sure: put the suggestion aside'],
      ['s', 'skip: come back to it at the end (queue)'],
      ['c', 'write a note on the decision (queue)'],
      ['j or ↓', 'next'],
      ['k or ↑', 'previous'],
      ['w', 'why: show or hide the explanation'],
      ['o', 'open the object (queue)'],
      ['n', 'next open object (object)'],
      ['v', 'list or grid (queue); in a grid, arrows go four ways'],
    ],
  },
  {
    where: 'On the map, once it has the focus',
    keys: [
      ['arrows', 'pan'],
      ['+ and −', 'zoom'],
      ['0', 'show all'],
      ['Enter', 'open what is in the middle'],
    ],
  },
];

export function HelpDialog() {
  const isOpen = useStore(isHelpOpen, (open) => open);
  const hasKeys = useStore(preferences, (chosen) => chosen.hasKeys);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={() => isHelpOpen.set(false)}>
      <div class="help-head">
        <h2 id="help-title">Keys</h2>
        <button type="button" class="bare" aria-label="Close" onClick={() => isHelpOpen.set(false)}>
          <Icon name="reject" />
        </button>
      </div>
      {KEYS.map(({ where, keys }) => (
        <section key={where}>
          <h3>{where}</h3>
          <dl>
            {keys.map(([key, does]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <label class="check">
        <input
          type="checkbox"
          checked={hasKeys}
          onChange={(event) => prefer({ hasKeys: event.currentTarget.checked })}
        />
        Single letters are commands
      </label>
    </dialog>
  );
}

/** Not read out: a button's name is what it does. */
export function KeyHint({ keyName }: { readonly keyName: string }) {
  const hasKeys = useStore(preferences, (chosen) => chosen.hasKeys);
  return hasKeys ? (
    <span class="hint" aria-hidden="true">
      {keyName}
    </span>
  ) : null;
}
