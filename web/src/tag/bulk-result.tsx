// How far many decisions have come, what came of them, and the way back.

import { useEffect } from 'preact/hooks';
import { counted, whole } from '../numbers.ts';
import { Icon } from '../parts/icon.tsx';
import { nameOf, WORDS } from '../state/decision-notices.ts';
import { say } from '../state/notices.ts';
import type { Bulk } from './bulk.ts';

interface BulkResultProps {
  readonly bulk: Bulk;
  readonly tag: string;
  goOn(): void;
  undo(): void;
  close(): void;
}

export function BulkResult({ bulk, tag, goOn, undo, close }: BulkResultProps) {
  const { state, done, total, ours, taken, left, problem } = bulk;
  const isBusy = state === 'running' || state === 'undoing';
  const text = wordsFor(bulk, tag);
  useEffect(() => {
    if (!isBusy) say(text);
  }, [isBusy, text]);
  return (
    <div class={problem === undefined ? 'bulk-result' : 'bulk-result problem'}>
      <p>
        {text} {problem !== undefined && `${problem.detail} ${problem.cure}`}
      </p>
      {isBusy && <progress max={total} value={done} aria-label={text} />}
      {taken.length > 0 && !isBusy && (
        <details>
          <summary>{counted(taken.length, 'was', 'were')} decided by others before</summary>
          <ul class="plain">
            {taken.slice(0, 50).map((review) => (
              <li key={review.id}>
                {review.object}: {WORDS[review.decision].was} by {nameOf(review)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {!isBusy && (
        <div class="bulk-actions">
          {left.length > 0 && (
            <button type="button" onClick={goOn}>
              Retry {counted(left.length, 'object')}
            </button>
          )}
          {ours.length > 0 && (
            <button type="button" class="quiet" onClick={undo}>
              <Icon name="undo" />
              Undo all {whole(ours.length)}
            </button>
          )}
          <button type="button" class="quiet" onClick={close}>
            Close
          </button>
        </div>
      )}
    </div>
  );
}

function wordsFor({ state, decision, done, total, ours, left }: Bulk, tag: string): string {
  const verb = decision === 'accept' ? 'Added' : 'Rejected';
  const link = decision === 'accept' ? 'to' : 'for';
  switch (state) {
    case 'running':
      return `Saving ${whole(done)} of ${whole(total)}…`;
    case 'undoing':
      return `Undoing ${whole(done)} of ${whole(total)}…`;
    case 'undone':
      return `Undone: ${counted(total, 'object is', 'objects are')} open again.`;
    case 'stopped':
      return `${verb} “${tag}” ${link} ${counted(ours.length, 'object')}; ${counted(left.length, 'was', 'were')} not saved.`;
    case 'finished':
      return `${verb} “${tag}” ${link} ${counted(ours.length, 'object')}.`;
    default:
      return state satisfies never;
  }
}
