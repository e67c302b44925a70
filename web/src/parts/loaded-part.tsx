// A part of a screen that waits for its answer, and the problem that is shown where the answer should be.

import type { ComponentChild } from 'preact';
import type { ApiProblem } from '../api/problem.ts';
import { Link } from '../navigation/link.tsx';
import type { Loaded } from '../state/use-loaded.ts';

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

interface ProblemNoteProps {
  readonly problem: ApiProblem;
  readonly retry?: (() => void) | undefined;
}

export function ProblemNote({ problem, retry }: ProblemNoteProps) {
  return (
    <div class="problem" role="alert">
      <p>
        <strong>{problem.detail}</strong> {problem.cure}
      </p>
      {problem.status === 401 && <Link to="/about">Enter the token</Link>}
      {retry !== undefined && problem.status !== 404 && (
        <button type="button" class="quiet" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
