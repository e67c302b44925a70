// Suggestions for a text: type or paste, and the tags it may carry follow, with the words that make the difference marked.

import { useEffect } from 'preact/hooks';
import type { ModelFacts } from '../api/shapes.ts';
import { ProblemNote } from '../parts/loaded-part.tsx';
import { strongest } from '../parts/readable-text.ts';
import { Screen } from '../parts/screen.tsx';
import { useModel } from '../state/model-facts.ts';
import { useStore } from '../store.ts';
import { MarkedField } from './marked-field.tsx';
import {
  clearText,
  ignoreConfidence,
  isEmpty,
  type SuggestState,
  suggestState,
  write,
  writeText,
} from './suggest-state.ts';
import { SuggestedTags } from './suggested-tags.tsx';
import { marksFor, movedMarks } from './text-marks.ts';
import '../style/suggest.css';

const MOST_FIELDS = 4; // for columns of text

export function SuggestScreen() {
  const loaded = useModel();
  const model = loaded.value;
  const state = useStore(suggestState, (all) => all);
  const knowsConfidence = model?.knowsConfidence !== false;
  useEffect(() => {
    if (!knowsConfidence) ignoreConfidence();
  }, [knowsConfidence]);
  return (
    <Screen title="Suggest" heading="Suggest tags for a text" class="suggest-screen">
      {loaded.state === 'failed' && <ProblemNote problem={loaded.problem} retry={loaded.retry} />}
      {model?.foldsIn === false ? (
        <p>
          This {model.name} model suggests tags only for the objects it was trained on. Train loom, which is the
          default, to suggest tags for a text.
        </p>
      ) : (
        <div class="columns">
          <TextFields model={model} state={state} />
          <SuggestedTags state={state} knowsConfidence={knowsConfidence} />
        </div>
      )}
    </Screen>
  );
}

interface TextFieldsProps {
  readonly model: ModelFacts | undefined;
  readonly state: SuggestState;
}

function TextFields({ model, state }: TextFieldsProps) {
  const { title, texts, found, chosen } = state;
  const columns = model?.textColumns.slice(0, MOST_FIELDS) ?? [];
  const marks = marksFor(found?.suggestions ?? [], chosen);
  const most = strongest(marks);
  const field = (column: string | undefined, then: string, now: string) => ({
    marks: movedMarks(
      marks.filter((mark) => mark.column === column),
      then,
      now,
    ),
    most,
    value: now,
    isOff: model === undefined,
  });
  return (
    <section class="main-column" aria-label="Text">
      <MarkedField
        {...field(undefined, found?.written.title ?? '', title)}
        label="Title"
        placeholder="What it is called"
        isLong={false}
        change={(value) => write({ title: value })}
      />
      {(columns.length === 0 ? [''] : columns).map((column) => (
        <MarkedField
          key={column}
          {...field(column || 'text', textIn(found?.written.texts ?? {}, column), textIn(texts, column))}
          label={columns.length > 1 ? capital(column) : 'Text'}
          hint={columns.length === 1 ? `read as ${column}` : undefined}
          placeholder="Type or paste a text"
          isLong={true}
          change={(value) => writeText(column, value)}
        />
      ))}
      <div class="text-actions">
        <button type="button" class="quiet" disabled={isEmpty(state)} onClick={clearText}>
          Clear
        </button>
        {model !== undefined && <p class="note">{looksAt(model)}</p>}
      </div>
    </section>
  );
}

/** A column may be called anything. */
function textIn(texts: Readonly<Record<string, string>>, column: string): string {
  return Object.hasOwn(texts, column) ? texts[column] : '';
}

function looksAt({ textColumns }: ModelFacts): string {
  if (textColumns.length === 0) {
    return 'This model was trained without texts: it knows words of titles, and reads the text as part of the title.';
  }
  const [shown, others] = [textColumns.slice(0, MOST_FIELDS), textColumns.slice(MOST_FIELDS)];
  const without = others.length === 0 ? '' : `, here without ${listed(others)}`;
  return `This model reads the title and ${listed(shown)}${without}. Words unlike any in the data it was trained on count for nothing.`;
}

function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(names);
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
