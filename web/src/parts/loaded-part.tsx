// A part of a screen that waits for its answer.

import type { ComponentChild } from 'preact';
import type { Loaded } from '../state/use-loaded.ts';
import { ProblemNote } from './problem-note.tsx';

interface LoadedPartProps<Value> {
  readonly loaded: Loaded<Value>;
  children(value: Value): ComponentChild;
}

export function LoadedPart<Value>({ loaded, children }: LoadedPartProps<Value>) {
  if (loaded.state === 'failed') return <ProblemNote problem={loaded.problem} retry={loaded.retry} />;
  if (loaded.state === 'loading') return <Waiting />;
  return <>{children(loaded.value)}</>;
}

export function Waiting({ text = 'Loading…' }: { readonly text?: string }) {
  return (
    <p class="waiting">
      <span class="shuttle" aria-hidden="true" />
      {text}
    </p>
  );
}
