// Suggestions for what is typed or pasted: asked for when the keys rest, the newest wish alone counts, and what was found stays
// until something newer is. It outlives the screen, so that coming back finds the text again.

import { suggestToText } from '../api/calls.ts';
import { type ApiProblem, asProblem, wasCancelled } from '../api/problem.ts';
import type { TextSuggestion, WrittenText } from '../api/shapes.ts';
import { say } from '../state/notices.ts';
import { Store } from '../store.ts';

export interface SuggestState extends WrittenText {
  readonly minConfidence: number;
  readonly isLoading: boolean;
  readonly problem: ApiProblem | undefined;
  /** Undefined until there is an answer. */
  readonly found: Found | undefined;
  /** The tag whose words alone are marked; undefined: those of all suggestions. */
  readonly chosen: string | undefined;
}

export interface Found {
  /** What they were found for: it may have changed since. */
  readonly written: WrittenText;
  readonly suggestions: readonly TextSuggestion[];
}

const PAUSE = 250; // milliseconds without a key before suggestions are asked for
const NUM_SUGGESTIONS = 15;
const NUM_SAID = 3;

const EMPTY: SuggestState = {
  title: '',
  texts: {},
  minConfidence: 0.1, // so that what is copied makes sense
  isLoading: false,
  problem: undefined,
  found: undefined,
  chosen: undefined,
};

export const suggestState = new Store<SuggestState>(EMPTY);

let timer: ReturnType<typeof setTimeout> | undefined;
let cancel = new AbortController();

export function write(parts: Partial<WrittenText>): void {
  suggestState.change(parts);
  wish(PAUSE);
}

/** One of the texts. */
export function writeText(column: string, text: string): void {
  write({ texts: { ...suggestState.get().texts, [column]: text } });
}

export function setMinConfidence(minConfidence: number): void {
  suggestState.change({ minConfidence });
  wish(0);
}

/** For a model that knows no confidence. */
export function ignoreConfidence(): void {
  suggestState.change({ minConfidence: 0 });
}

/** A second time: all again. */
export function choose(tag: string): void {
  suggestState.change({ chosen: suggestState.get().chosen === tag ? undefined : tag });
}

export function retry(): void {
  wish(0);
}

export function clearText(): void {
  const { minConfidence } = suggestState.get();
  suggestState.set({ ...EMPTY, minConfidence });
  wish(0);
}

export function isEmpty({ title, texts }: WrittenText): boolean {
  return [title, ...Object.values(texts)].every((text) => text.trim() === '');
}

/** Whatever was on its way is wanted no more. */
function wish(pause: number): void {
  clearTimeout(timer);
  cancel.abort();
  if (isEmpty(suggestState.get())) {
    suggestState.change({ isLoading: false, problem: undefined, found: undefined, chosen: undefined });
    return;
  }
  suggestState.change({ isLoading: true });
  timer = setTimeout(() => void ask(), pause);
}

async function ask(): Promise<void> {
  const control = new AbortController();
  cancel = control;
  const { title, texts, minConfidence } = suggestState.get();
  const written = { title, texts };
  try {
    const { suggestions } = await suggestToText(written, NUM_SUGGESTIONS, minConfidence, control.signal);
    if (control.signal.aborted) return;
    const { chosen } = suggestState.get();
    const isStill = suggestions.some(({ tag }) => tag === chosen);
    suggestState.change({
      isLoading: false,
      problem: undefined,
      found: { written, suggestions },
      chosen: isStill ? chosen : undefined,
    });
    say(spoken(suggestions));
  } catch (error) {
    if (control.signal.aborted || wasCancelled(error)) return;
    suggestState.change({ isLoading: false, problem: asProblem(error), found: undefined });
  }
}

function spoken(suggestions: readonly TextSuggestion[]): string {
  if (suggestions.length === 0) return 'No suggestions.';
  const first = suggestions.slice(0, NUM_SAID).map(({ tag }) => tag);
  const rest = suggestions.length - first.length;
  return `Suggestions: ${first.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}
