// Changes of the vocabulary as the page makes them: a notice with the way back, and a number that says when lists are stale.

import { deleteChange, postChange } from '../api/calls.ts';
import { asProblem } from '../api/problem.ts';
import { forgetAll } from '../api/recall.ts';
import type { Declaration, VocabularyChange } from '../api/shapes.ts';
import { signature } from '../state/me.ts';
import { say, tell, tellFault } from '../state/notices.ts';
import { queue, reloadQueue } from '../state/queue-state.ts';
import { Store } from '../store.ts';

/** Grows with each change: lists that were loaded before are loaded again. */
export const round = new Store(0);

export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Whether it was made. */
export async function makeChange(declaration: Declaration): Promise<boolean> {
  try {
    const change = await postChange(declaration, signature());
    const text = `Done: ${change.summary}`;
    refresh();
    tell({ text, action: { label: 'Undo', run: () => void undoChange(change) } });
    say(text);
    return true;
  } catch (error) {
    const problem = asProblem(error);
    tellFault(problem, { text: problem.detail });
    return false;
  }
}

export async function undoChange({ id, declarations, numDeclarations, summary }: VocabularyChange): Promise<void> {
  try {
    await deleteChange(id, signature());
    refresh();
    const text = `Undone: ${summary}`;
    const [first] = declarations;
    const again = numDeclarations === 1 ? { label: 'Do it again', run: () => void makeChange(first) } : undefined;
    tell({ text, action: again });
    say(text);
  } catch (error) {
    const problem = asProblem(error);
    tellFault(problem, { text: problem.detail });
  }
}

function refresh(): void {
  forgetAll();
  if (queue.get().filter !== undefined) reloadQueue();
  round.set(round.get() + 1);
}
