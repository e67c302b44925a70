// What can be done with the selected tags, and the form of what was chosen, with its effect shown before it is made.

import { useState } from 'preact/hooks';
import type { Declaration } from '../api/shapes.ts';
import { Icon } from '../parts/icon.tsx';
import { TagChip } from '../parts/tag-chip.tsx';
import { makeChange } from './changing.ts';
import { PreviewView, usePreview } from './preview-view.tsx';

type Kind = Exclude<Declaration['kind'], 'notSynonym'>;

interface Action {
  readonly kind: Kind;
  readonly name: string;
  /** How many tags it is for. */
  readonly least: number;
  readonly most: number;
}

const ACTIONS: readonly Action[] = [
  { kind: 'merge', name: 'Merge', least: 2, most: 50 },
  { kind: 'rename', name: 'Rename', least: 1, most: 1 },
  { kind: 'synonym', name: 'Add labels', least: 1, most: 1 },
  { kind: 'parent', name: 'Implied tags', least: 1, most: 50 },
  { kind: 'exclude', name: 'Exclude each other', least: 2, most: 50 },
  { kind: 'split', name: 'Split', least: 1, most: 1 },
  { kind: 'retire', name: 'Retire', least: 1, most: 50 },
];

interface ChangePanelProps {
  readonly selected: readonly string[];
  select(tags: readonly string[]): void;
}

export function ChangePanel({ selected, select }: ChangePanelProps) {
  const [kind, setKind] = useState<Kind>();
  if (selected.length === 0) {
    return (
      <p class="soft vocabulary-hint">
        Select a tag to rename, relate, split or retire it; select two or more to merge them.
      </p>
    );
  }
  const actions = ACTIONS.filter(({ least, most }) => selected.length >= least && selected.length <= most);
  const chosen = actions.find((one) => one.kind === kind);
  const end = () => {
    setKind(undefined);
    select([]);
  };
  return (
    <section class="change-panel" aria-label="Selected tags">
      <ul class="chips">
        {selected.map((tag) => (
          <li key={tag}>
            <TagChip tag={tag}>
              <button
                type="button"
                class="bare"
                aria-label={`Deselect ${tag}`}
                onClick={() => select(selected.filter((one) => one !== tag))}
              >
                <Icon name="reject" />
              </button>
            </TagChip>
          </li>
        ))}
      </ul>
      <div class="change-actions">
        {actions.map((one) => (
          <button
            key={one.kind}
            type="button"
            aria-pressed={one.kind === kind}
            onClick={() => setKind(one.kind === kind ? undefined : one.kind)}
          >
            {one.name}
          </button>
        ))}
      </div>
      {chosen !== undefined && (
        <ChangeForm key={`${chosen.kind} ${selected.join('\n')}`} action={chosen} selected={selected} end={end} />
      )}
    </section>
  );
}

interface ChangeFormProps {
  readonly action: Action;
  readonly selected: readonly string[];
  end(): void;
}

function ChangeForm({ action, selected, end }: ChangeFormProps) {
  const [text, setText] = useState('');
  const [target, setTarget] = useState(selected.at(-1) ?? '');
  const [takeOff, setTakeOff] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const declaration = declarationOf(action.kind, selected, { text, target, takeOff });
  const preview = usePreview(declaration);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (declaration === undefined) return;
    setBusy(true);
    const isMade = await makeChange(declaration);
    setBusy(false);
    if (isMade) end();
  };
  const isReady = declaration !== undefined && preview.state === 'there' && preview.value.isNew && !isBusy;
  return (
    <form class="change-form" onSubmit={submit}>
      <Fields {...{ action, selected, text, setText, target, setTarget, takeOff, setTakeOff }} />
      {declaration !== undefined && <PreviewView preview={preview} />}
      <div class="change-actions">
        <button type="submit" disabled={!isReady}>
          {action.name}
          <span class="unseen"> {selected.join(', ')}</span>
        </button>
        <button type="button" class="quiet" onClick={end}>
          Cancel
        </button>
      </div>
    </form>
  );
}

interface FieldsProps {
  readonly action: Action;
  readonly selected: readonly string[];
  readonly text: string;
  readonly target: string;
  readonly takeOff: boolean;
  setText(text: string): void;
  setTarget(tag: string): void;
  setTakeOff(takeOff: boolean): void;
}

const LABELS: Partial<Record<Kind, string>> = {
  rename: 'New name',
  synonym: 'Other labels, with commas between',
  parent: 'Tags that carriers have as well, with commas between',
  split: 'Parts, with commas between',
};

function Fields({ action: { kind }, selected, text, setText, target, setTarget, takeOff, setTakeOff }: FieldsProps) {
  const label = LABELS[kind];
  if (label !== undefined) {
    return (
      <label class="change-field">
        <span>{label}</span>
        <input type="text" value={text} autocomplete="off" onInput={(event) => setText(event.currentTarget.value)} />
      </label>
    );
  }
  if (kind === 'merge') {
    return (
      <fieldset class="change-field">
        <legend>The tag that stays</legend>
        <div class="choices">
          {selected.map((tag) => (
            <label key={tag} class="choice">
              <input type="radio" name="target" checked={tag === target} onChange={() => setTarget(tag)} />
              {tag}
            </label>
          ))}
        </div>
      </fieldset>
    );
  }
  if (kind === 'retire') {
    return (
      <label class="check">
        <input type="checkbox" checked={takeOff} onChange={(event) => setTakeOff(event.currentTarget.checked)} />
        Take it off the objects that carry it, too
      </label>
    );
  }
  return <p>No object is suggested one of these tags that carries another.</p>;
}

/** Undefined while something is missing. */
function declarationOf(
  kind: Kind,
  selected: readonly string[],
  given: { readonly text: string; readonly target: string; readonly takeOff: boolean },
): Declaration | undefined {
  const names = given.text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
  const tags = [...selected];
  switch (kind) {
    case 'merge': {
      const rest = tags.filter((tag) => tag !== given.target);
      return rest.length === tags.length ? undefined : { kind, tags: rest, into: [given.target] };
    }
    case 'rename':
      return given.text.trim() === '' ? undefined : { kind, tags, into: [given.text.trim()] };
    case 'synonym':
      return names.length === 0 ? undefined : { kind, tags: names, into: tags };
    case 'parent':
    case 'split':
      return names.length === 0 ? undefined : { kind, tags, into: names };
    case 'exclude':
      return { kind, tags };
    case 'retire':
      return { kind, tags, takeOff: given.takeOff };
    default:
      return kind satisfies never;
  }
}
