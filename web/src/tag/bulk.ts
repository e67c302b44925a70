// Many decisions at once: sent in chunks, so that there is progress to show and a failure loses little.

import { deleteReview, postReviews } from '../api/calls.ts';
import { type ApiProblem, asProblem } from '../api/problem.ts';
import type { Decision, Review } from '../api/shapes.ts';
import { noteReviews, noteUndone } from '../state/decisions.ts';
import { myName, signature } from '../state/me.ts';
import type { Pair } from '../state/standings.ts';
import { countDecision, uncountDecision } from '../state/tally.ts';
import { whileWriting } from '../state/today.ts';

export interface Bulk {
  readonly decision: Decision;
  readonly total: number;
  /** Sent and answered. */
  readonly done: number;
  readonly state: 'running' | 'stopped' | 'finished' | 'undoing' | 'undone';
  /** What came of it and can be undone. */
  readonly ours: readonly { readonly pair: Pair; readonly review: Review }[];
  /** What others had decided before. */
  readonly taken: readonly Review[];
  /** What was not sent because something went wrong. */
  readonly left: readonly Pair[];
  readonly problem?: ApiProblem | undefined;
}

type Report = (bulk: Bulk) => void;

const CHUNK = 200;
const AT_ONCE = 4; // undoing goes one by one

export async function applyAll(
  pairs: readonly Pair[],
  decision: Decision,
  report: Report,
  before?: Bulk,
): Promise<void> {
  const curator = signature();
  const total = pairs.length + (before?.done ?? 0);
  let bulk: Bulk = {
    ours: [],
    taken: [],
    done: 0,
    ...before,
    decision,
    total,
    state: 'running',
    left: pairs,
    problem: undefined,
  };
  report(bulk);
  while (bulk.left.length > 0) {
    const chunk = bulk.left.slice(0, CHUNK);
    try {
      const reviews = chunk.map(({ object, tag }) => ({ object, tag, decision, ...(curator !== '' && { curator }) }));
      const { results } = await whileWriting(postReviews(reviews));
      const decided = chunk.map((pair, i) => {
        const { review, isNew } = results[i];
        return { pair, review, isOurs: isNew || (review.curator === myName() && review.decision === decision) };
      });
      noteReviews(decided);
      const ours = decided.filter(({ isOurs }) => isOurs);
      countDecision(decision, ours.length);
      const taken = decided.filter(({ isOurs }) => !isOurs).map(({ review }) => review);
      const left = bulk.left.slice(chunk.length);
      bulk = {
        ...bulk,
        ours: [...bulk.ours, ...ours],
        taken: [...bulk.taken, ...taken],
        left,
        done: total - left.length,
      };
      report(bulk);
    } catch (error) {
      return report({ ...bulk, state: 'stopped', problem: asProblem(error) });
    }
  }
  report({ ...bulk, state: 'finished' });
}

export async function undoAll(finished: Bulk, report: Report): Promise<void> {
  let bulk: Bulk = { ...finished, state: 'undoing', total: finished.ours.length, done: 0, problem: undefined };
  report(bulk);
  for (let first = 0; first < finished.ours.length; first += AT_ONCE) {
    const few = finished.ours.slice(first, first + AT_ONCE);
    const problems = await whileWriting(Promise.all(few.map(({ review }) => problemOfUndoing(review.id))));
    const gone = few.filter((_, i) => problems[i] === undefined);
    noteUndone(gone.map(({ pair }) => pair));
    for (const { review } of gone) uncountDecision(review.decision);
    bulk = { ...bulk, ours: bulk.ours.filter((one) => !gone.includes(one)), done: bulk.done + gone.length };
    const problem = problems.find((one) => one !== undefined);
    if (problem !== undefined) return report({ ...bulk, state: 'finished', problem });
    report(bulk);
  }
  report({ ...bulk, state: 'undone' });
}

/** Undefined where it is gone, by us or by someone else. */
async function problemOfUndoing(id: string): Promise<ApiProblem | undefined> {
  try {
    await deleteReview(id);
    return undefined;
  } catch (error) {
    const problem = asProblem(error);
    return problem.status === 404 ? undefined : problem;
  }
}
