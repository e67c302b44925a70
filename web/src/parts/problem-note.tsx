// A problem where the answer should be: what happened, the cure, and a button to try again.

import type { ApiProblem } from '../api/problem.ts';
import { Link } from '../navigation/link.tsx';

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
