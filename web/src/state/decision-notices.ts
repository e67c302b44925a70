// The words for what became of decisions.

import { ApiProblem } from '../api/problem.ts';
import type { Decision, Review } from '../api/shapes.ts';
import { counted, dayAndTime } from '../numbers.ts';
import { dismiss, say, tell, tellFault } from './notices.ts';
import type { Pair, Standing } from './standings.ts';

const UNSAVED = 'unsaved';

interface DecisionWords {
  /** Of itself. */
  readonly past: string;
  /** Before “by Kim”. */
  readonly was: string;
  /** On the button that decides so once more. */
  readonly again: string;
}

export const WORDS: Readonly<Record<Decision, DecisionWords>> = {
  accept: { past: 'Accepted', was: 'accepted', again: 'Add tag again' },
  reject: { past: 'Rejected', was: 'rejected', again: 'Reject again' },
  unsure: { past: 'Not sure', was: 'put aside', again: 'Put aside again' },
};

/** What was done to a pair, and what undoing it leaves. */
function sentencesOf({ title, tag, origin }: Pair, decision: Decision) {
  if (origin === 'data' && decision === 'reject') {
    return {
      done: `Removed “${tag}” from ${title}`,
      undone: `“${tag}” is a tag of ${title} again`,
      again: 'Remove again',
    };
  }
  if (origin === 'hand' && decision === 'accept') {
    const undone = `“${tag}” is no tag of ${title} any more`;
    return { done: `Added “${tag}” to ${title}`, undone, again: WORDS.accept.again };
  }
  const { past, again } = WORDS[decision];
  const done = decision === 'unsure' ? `Put “${tag}” for ${title} aside` : `${past} “${tag}” for ${title}`;
  return { done, undone: `“${tag}” for ${title} is open again`, again };
}

/** Who decided, for a sentence. */
export function nameOf({ curator }: Review): string {
  return curator === '' ? 'Someone' : curator;
}

export function tellOf(pair: Pair, decision: Decision, undo: () => void): void {
  tell({ text: sentencesOf(pair, decision).done, action: { label: 'Undo', key: 'u', run: undo } });
}

export function tellUndone(pair: Pair, decision: Decision, again: () => void): void {
  const { undone, again: label } = sentencesOf(pair, decision);
  tell({ text: undone, action: { label, run: again } });
  say(undone);
}

export function tellTaken(pair: Pair, review: Review): void {
  const { was } = WORDS[review.decision];
  const text = `${nameOf(review)} was first: ${was} “${pair.tag}” for ${pair.title} on ${dayAndTime(review.decidedAt)}.`;
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
