// What the keys and buttons of the queue do to the suggestion in focus, and the words for those who listen.

import type { Decision } from '../api/shapes.ts';
import { goTo } from '../navigation/history.ts';
import { objectPath } from '../navigation/route.ts';
import { percent } from '../numbers.ts';
import { WORDS } from '../state/decision-notices.ts';
import { decide, undoLast } from '../state/decisions.ts';
import { holderOf, shownHolder } from '../state/held.ts';
import { mayDecide, READING } from '../state/me.ts';
import { say } from '../state/notices.ts';
import { moveOff, moveOn, moveTo, queue, skipActive } from '../state/queue-state.ts';
import { standingOf } from '../state/standings.ts';

/** Decides on the suggestion in focus and moves on to the next. */
export function decideActive(decision: Decision): void {
  const { rows, active } = queue.get();
  const row = rows[active];
  if (row === undefined) return;
  if (!mayDecide()) {
    say(READING);
    return;
  }
  const isTaken = standingOf(row)?.state === 'taken';
  if (!isTaken) decide({ object: row.object, title: row.title, tag: row.tag }, decision);
  moveOn();
  sayMove(isTaken ? 'Decided by others.' : `${WORDS[decision].past}.`);
}

/** On any row, which is in focus from then on. */
export function decideAt(index: number, decision: Decision): void {
  moveTo(index);
  decideActive(decision);
}

export function skipAndSay(): void {
  if (queue.get().rows[queue.get().active] === undefined) return;
  skipActive();
  sayMove('Skipped.');
}

export function undoAndSay(): void {
  if (undoLast() === undefined) say('Nothing to undo.');
}

export function step(by: number): void {
  moveTo(queue.get().active + by);
  sayMove('');
}

/** Away from a card that somebody else holds. */
export function moveOffAndSay(): void {
  const { rows, active } = queue.get();
  const row = rows[active];
  if (!moveOff()) return;
  sayMove(row === undefined ? '' : `${shownHolder(holderOf(row) ?? '')} is at work on ${row.tag} for ${row.title}.`);
}

export function openObject(): void {
  const { rows, active } = queue.get();
  if (rows[active] !== undefined) goTo(objectPath(rows[active].object));
}

/** What came, and what is in focus now. */
function sayMove(before: string): void {
  const { rows, active } = queue.get();
  const row = rows[active];
  const sure = row?.confidence === undefined ? '' : `, ${percent(row.confidence)}`;
  say(row === undefined ? `${before} No open suggestions.` : `${before} ${row.tag} for ${row.title}${sure}?`.trim());
}
