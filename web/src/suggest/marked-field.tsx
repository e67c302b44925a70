// A field for a text in which words are marked while one types. The marks lie in a copy of the text behind the field, which is
// transparent; the copy also makes the field as high as its text.

import type { TargetedInputEvent } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Mark } from '../../../src/serving/recommend/marks.ts';
import { whole } from '../numbers.ts';
import { lookOf } from '../parts/marked-words.tsx';
import { LEAST } from '../parts/readable-text.ts';

interface MarkedFieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly placeholder: string;
  readonly value: string;
  readonly marks: readonly Mark[];
  /** The amount of the strongest mark of all fields. */
  readonly most: number;
  readonly isLong: boolean;
  readonly isOff: boolean;
  change(value: string): void;
}

const MOST_CHARACTERS = { title: 10_000, text: 100_000 }; // what the service takes

export function MarkedField(props: MarkedFieldProps) {
  const { label, hint, placeholder, value, marks, most, isLong, isOff, change } = props;
  const id = useId();
  const limit = isLong ? MOST_CHARACTERS.text : MOST_CHARACTERS.title;
  const [isCut, setCut] = useState(false); // browsers cut what is pasted without a word
  return (
    <div class={isLong ? 'marked-field long' : 'marked-field'}>
      <label for={id}>
        {label} {hint !== undefined && <small>{hint}</small>}
      </label>
      <div class="field-frame">
        <div class="field-copy" aria-hidden="true">
          <Copy text={value} marks={marks} most={most} />
        </div>
        <textarea
          id={id}
          rows={1} // its copy makes the room
          maxLength={limit}
          placeholder={placeholder}
          value={value}
          disabled={isOff}
          onBeforeInput={(event) => setCut(lengthWith(event) > limit)}
          onInput={(event) => change(isLong ? event.currentTarget.value : oneLine(event.currentTarget.value))}
          onKeyDown={(event) => {
            if (!isLong && event.key === 'Enter') event.preventDefault();
          }}
        />
      </div>
      {isCut && value !== '' && (
        <p class="note" role="alert">
          Only the first {whole(limit)} characters fit. The rest is left out.
        </p>
      )}
    </div>
  );
}

/** How long the text would be with what is typed or pasted. */
function lengthWith({ currentTarget: field, data }: TargetedInputEvent<HTMLTextAreaElement>): number {
  return field.value.length - (field.selectionEnd - field.selectionStart) + (data?.length ?? 0);
}

/** The text as it is, mark-up and all: every character must stand behind its twin. */
function Copy({
  text,
  marks,
  most,
}: {
  readonly text: string;
  readonly marks: readonly Mark[];
  readonly most: number;
}) {
  const shown = marks.filter(({ end, amount }) => end <= text.length && amount >= LEAST * most);
  return (
    <>
      {shown.map(({ start, end, amount }, i) => (
        <>
          {text.slice(shown[i - 1]?.end ?? 0, start)}
          <mark class={`word ${lookOf(amount / most)}`}>{text.slice(start, end)}</mark>
        </>
      ))}
      {`${text.slice(shown.at(-1)?.end ?? 0)}\u200b`}
    </>
  );
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ');
}
