// Decisions of this tab. A decision counts at once and is sent behind the curator's back; undoing one that is still on its way
// waits for it. What became of each is kept, so that every screen shows the same. There is one history of what can be undone:
// a notice undoes the decision it names, the key the last one, and both take it out of the history.

import { deleteReview, postReview } from '../api/calls.ts';
import { type ApiProblem, asProblem } from '../api/problem.ts';
import { forgetObject } from '../api/recall.ts';
import type { Decision, Review } from '../api/shapes.ts';
import { forget, lastEntry, remember, rememberId } from './decision-history.ts';
import { tellFailures, tellOf, tellTaken, tellUndoFailure, tellUndone } from './decision-notices.ts';
import { signature } from './me.ts';
import { noteOf } from './notes.ts';
import { type Decided, isDecided, keyOf, type Pair, type Standing, standingOf, standings } from './standings.ts';
import { countDecision, uncountDecision } from './tally.ts';
import { whileWriting } from './today.ts';

const atService = new Map<string, Review>(); // what the service holds, as far as this tab knows
const ours = new Set<string>(); // ids of reviews that this tab made
const lastWrites = new Map<string, Promise<void>>(); // writes of one pair go one after the other
let onUndone: ((pair: Pair) => void) | undefined;

/** Told of each pair that is open again by a notice or a key, so that a screen can show it. Gives what ends it. */
export function hearOfUndone(hear: (pair: Pair) => void): () => void {
  onUndone = hear;
  return () => {
    if (onUndone === hear) onUndone = undefined;
  };
}

export function decide(pair: Pair, decision: Decision): void {
  const before = standingOf(pair);
  if (isDecided(before)) {
    if (before.state === 'taken' || (before.state !== 'failed' && before.decision === decision)) return;
    undo(pair, false);
  }
  remember([{ pair, decision }]);
  countDecision(decision);
  tellOf(pair, decision, () => undoAndTell(pair));
  send(pair, decision);
}

/** Decides on what a review stands for that this tab may not have made. */
export function decideInstead(pair: Pair, decision: Decision, earlier: EarlierReview | undefined): void {
  if (earlier !== undefined && standingOf(pair) === undefined) {
    const review = reviewFrom(pair, earlier);
    atService.set(keyOf(pair), review);
    put({ pair, state: 'saved', decision: earlier.decision, review });
  }
  decide(pair, decision);
}

/** Everything that could not be saved, once more. */
export function retryFailed(): void {
  for (const { pair, decision } of unsaved()) {
    remember([{ pair, decision }]);
    send(pair, decision);
  }
  tellFailures(unsaved(), retryFailed);
}

/** Gives whether there was something to take back. */
export function undo(pair: Pair, isTold = true): boolean {
  const standing = standingOf(pair);
  if (!isDecided(standing)) return false;
  takeBack(standing, isTold);
  return true;
}

interface EarlierReview {
  readonly id: string;
  readonly decision: Decision;
}

/** As far as it is known. */
function reviewFrom({ object, tag }: Pair, known: EarlierReview): Review {
  return { curator: '', decidedAt: '', note: '', object, tag, ...known };
}

/** A review that this tab may not have made. */
export function undoReview(pair: Pair, review: EarlierReview): void {
  const known = reviewFrom(pair, review);
  atService.set(keyOf(pair), known);
  takeBack({ pair, state: 'saved', decision: known.decision, review: known }, true);
}

/** The last decision of this browser that was not taken back. Gives the pair that is open again, if there is one. */
export function undoLast(): Pair | undefined {
  for (let entry = lastEntry(); entry !== undefined; entry = lastEntry()) {
    const { pair, decision, id } = entry;
    const standing = standingOf(pair);
    forget([pair]);
    if (standing === undefined && id !== undefined) undoReview(pair, { id, decision });
    else if (isDecided(standing) && standing.state !== 'taken') takeBack(standing, true);
    else continue; // taken back already, or never saved
    onUndone?.(pair);
    return pair;
  }
  return undefined;
}

/** What a notice offers. */
function undoAndTell(pair: Pair): void {
  if (undo(pair)) onUndone?.(pair);
}

/** What the service said of decisions sent by other means. */
export function noteReviews(decided: readonly { pair: Pair; review: Review; isOurs: boolean }[]): void {
  const all = new Map(standings.get());
  const ours = decided.filter(({ isOurs }) => isOurs);
  remember(ours.map(({ pair, review: { decision, id } }) => ({ pair, decision, id })));
  for (const { pair, review, isOurs } of decided) {
    const key = keyOf(pair);
    atService.set(key, review);
    forgetObject(pair.object);
    all.set(key, { pair, state: isOurs ? 'saved' : 'taken', decision: review.decision, review });
  }
  standings.set(all);
}

export function noteUndone(pairs: readonly Pair[]): void {
  forget(pairs);
  const all = new Map(standings.get());
  for (const pair of pairs) {
    atService.delete(keyOf(pair));
    forgetObject(pair.object);
    all.set(keyOf(pair), { pair, state: 'open' });
  }
  standings.set(all);
}

/** What was decided and undone elsewhere, as the service tells it. What this tab did itself it knows already. */
export function hearOfOthers(changes: readonly { readonly review: Review; readonly isUndone: boolean }[]): void {
  if (changes.length === 0) return;
  const all = new Map(standings.get());
  for (const { review, isUndone } of changes) {
    const [key, standing] = [keyOf(review), standingOf(review)];
    const pair = standing?.pair ?? { object: review.object, title: review.object, tag: review.tag };
    const isSame = isDecided(standing) && 'review' in standing && standing.review.id === review.id;
    if (isUndone && isSame) {
      atService.delete(key);
      forget([pair]);
      all.set(key, { pair, state: 'open' });
    } else if (
      !isUndone &&
      !ours.has(review.id) &&
      !lastWrites.has(key) &&
      !isSame &&
      (standing?.state ?? 'open') === 'open'
    ) {
      all.set(key, { pair, state: 'taken', decision: review.decision, review });
    } else continue;
    forgetObject(review.object);
  }
  if (all.size !== standings.get().size || [...all].some(([key, one]) => standings.get().get(key) !== one))
    standings.set(all);
}

/** What would be lost if the page were closed now. */
export function hasUnsaved(): boolean {
  return [...standings.get().values()].some(({ state }) => state === 'saving' || state === 'failed');
}

function unsaved() {
  return [...standings.get().values()].filter((standing) => standing.state === 'failed');
}

function put(standing: Standing): void {
  standings.set(new Map(standings.get()).set(keyOf(standing.pair), standing));
}

function isStill(standing: Standing): boolean {
  return standingOf(standing.pair) === standing;
}

function send(pair: Pair, decision: Decision): void {
  const curator = signature();
  const note = noteOf(pair).trim();
  const standing: Standing = { pair, state: 'saving', decision };
  put(standing);
  inTurn(pair, async () => {
    if (!isStill(standing)) return; // taken back before it was sent
    try {
      const { object, tag } = pair;
      const review = await postReview({
        ...{ object, tag, decision },
        ...(curator !== '' && { curator }),
        ...(note !== '' && { note }),
      });
      ours.add(review.id);
      atService.set(keyOf(pair), review);
      rememberId(pair, review.id);
      forgetObject(object);
      if (isStill(standing)) put({ pair, state: 'saved', decision, review });
    } catch (error) {
      if (isStill(standing)) notSaved(standing, asProblem(error));
    }
  });
}

function notSaved({ pair, decision }: Extract<Standing, { state: 'saving' }>, problem: ApiProblem): void {
  if (problem.status === 409 && problem.review !== undefined) {
    const { review } = problem;
    put({ pair, state: 'taken', decision: review.decision, review });
    forget([pair]);
    uncountDecision(decision);
    forgetObject(pair.object);
    tellTaken(pair, review);
  } else {
    put({ pair, state: 'failed', decision, problem });
    tellFailures(unsaved(), retryFailed);
  }
}

function takeBack(standing: Decided, isTold: boolean): void {
  const { pair, decision } = standing;
  const key = keyOf(pair);
  const back: Standing = { pair, state: 'open' };
  put(back);
  forget([pair]);
  if (standing.state !== 'taken') uncountDecision(decision);
  if (isTold) tellUndone(pair, decision, () => decide(pair, decision));
  if (standing.state === 'failed') tellFailures(unsaved(), retryFailed);
  inTurn(pair, async () => {
    const review = atService.get(key);
    if (review === undefined) return; // it never got there
    try {
      await deleteReview(review.id, signature());
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status !== 404) return notUndone(back, review, problem); // 404: gone is what was wanted
    }
    atService.delete(key);
    forgetObject(pair.object);
  });
}

function notUndone(back: Standing, review: Review, problem: ApiProblem): void {
  const { pair } = back;
  if (isStill(back)) {
    put({ pair, state: 'saved', decision: review.decision, review });
    remember([{ pair, decision: review.decision, id: review.id }]);
    countDecision(review.decision);
  }
  tellUndoFailure(pair, problem, () => undo(pair));
}

function inTurn(pair: Pair, work: () => Promise<void>): void {
  const key = keyOf(pair);
  const turn = whileWriting((lastWrites.get(key) ?? Promise.resolve()).then(work));
  lastWrites.set(key, turn);
  turn.then(() => lastWrites.get(key) === turn && lastWrites.delete(key));
}
