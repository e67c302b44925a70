// The words for what became of decisions.

import { ApiProblem } from '../api/problem.ts';
import type { Decision, Review } from '../api/shapes.ts';
import { counted, dayAndTime } from '../numbers.ts';
import { dismiss, say, tell, tellFault } from './notices.ts';
import type { Pair, Standing } from './standings.ts';

const UNSAVED = 'unsaved';

export function pastTense(decision: Decision): string {
  return decision === 'accept' ? 'Accepted' : 'Rejected';
}

/** Who decided, for a sentence. */
export function nameOf({ curator }: Review): string {
  return curator === '' ? 'Someone' : curator;
}

export function tellOf({ title, tag }: Pair, decision: Decision, undo: () => void): void {
  const text = `${pastTense(decision)} “${tag}” for ${title}`;
  tell({ text, action: { label: 'Undo', key: 'u', run: undo } });
}

export function tellUndone({ title, tag }: Pair, decision: Decision, again: () => void): void {
  const text = `“${tag}” for ${title} is open again`;
  tell({ text, action: { label: `${decision === 'accept' ? 'Add tag' : 'Reject'} again`, run: again } });
  say(text);
}

export function tellTaken(pair: Pair, review: Review): void {
  const verb = review.decision === 'accept' ? 'accepted' : 'rejected';
  const text = `${nameOf(review)} was first: ${verb} “${pair.tag}” for ${pair.title} on ${dayAndTime(review.decidedAt)}.`;
  const to = `/reviews?object=${encodeURIComponent(pair.object)}`;
  dismiss(({ kind }) => kind === 'done');
  tellFault(TAKEN, { text, cure: 'Your decision was not saved.', link: { label: 'See reviews', to } });
}

const TAKEN = new ApiProblem({ status: 409, detail: '', cure: '' });

/** One notice for all that failed, however many; none where nothing did. */
export function tellFailures(failed: readonly Extract<Standing, { state: 'failed' }>[], retry: () => void): void {
  const last = failed.at(-1);
  if (last === undefined) {
    dismiss(({ subject }) => subject === UNSAVED);
    return;
  }
  const { pair, problem } = last;
  const what =
    failed.length === 1 ? `“${pair.tag}” for ${pair.title} was` : `${counted(failed.length, 'decision')} were`;
  dismiss(({ kind }) => kind === 'done');
  tellFault(problem, {
    subject: UNSAVED,
    text: `${what} not saved: ${problem.detail}`,
    action: { label: failed.length === 1 ? 'Try again' : 'Try all again', run: retry },
  });
}

export function tellUndoFailure({ title, tag }: Pair, problem: ApiProblem, again: () => void): void {
  dismiss(({ kind }) => kind === 'done');
  tellFault(problem, {
    subject: `undo ${tag} ${title}`,
    text: `“${tag}” for ${title} could not be undone: ${problem.detail}`,
    action: { label: 'Try again', run: again },
  });
}
