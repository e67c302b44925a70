// Where a note on the decision is written before it is made. Enter and Escape lead back to the keys that decide.

import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { OpenSuggestion } from '../api/shapes.ts';
import { MAX_NOTE, noteOf, notes, writeNote } from '../state/notes.ts';
import { isDecided, standingOf } from '../state/standings.ts';
import { useStore } from '../store.ts';

interface NoteFieldProps {
  readonly row: OpenSuggestion;
  close(): void;
}

export function NoteField({ row, close }: NoteFieldProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useStore(notes, (all) => all);
  useLayoutEffect(() => field.current?.focus(), []); // before the next key, which would decide
  const press = (event: KeyboardEvent) => {
    if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    if (event.key === 'Escape' && noteOf(row) === '') close();
    field.current?.blur();
  };
  return (
    <div class="note-field">
      <label for={id}>Note, saved with your decision</label>
      <input
        id={id}
        ref={field}
        type="text"
        maxLength={MAX_NOTE}
        autocomplete="off"
        disabled={isDecided(standingOf(row))}
        value={noteOf(row)}
        onInput={(event) => writeNote(row, event.currentTarget.value)}
        onKeyDown={press}
      />
    </div>
  );
}
