// The buttons that add or reject a suggested tag; once decided, what was decided and the way to undo it.

import type { Decision } from '../api/shapes.ts';
import { dayAndTime } from '../numbers.ts';
import { nameOf, pastTense } from '../state/decision-notices.ts';
import { decide } from '../state/decisions.ts';
import { type Decided, isDecided, type Standing } from '../state/standings.ts';
import { Icon } from './icon.tsx';
import { KeyHint } from './key-help.tsx';

interface DecisionButtonsProps {
  readonly standing: Standing | undefined;
  /** In a list, names for those who do not see beside what a button stands. */
  readonly of?: string;
  readonly hasHints?: boolean;
  onDecide(decision: Decision): void;
  undo(): void;
}

export function DecisionButtons({ standing, of, hasHints = true, onDecide, undo }: DecisionButtonsProps) {
  const what = of === undefined ? '' : <span class="unseen"> {of}</span>;
  if (isDecided(standing)) {
    return (
      <div class={`actions decided ${standing.decision} ${standing.state}`}>
        <p class="decision">
          <Icon name={standing.decision} />
          <span>{describe(standing)}</span>
        </p>
        {standing.state === 'failed' && (
          <button type="button" onClick={() => decide(standing.pair, standing.decision)}>
            Try again{what}
          </button>
        )}
        {standing.state !== 'taken' && (
          <button type="button" class="quiet" onClick={undo}>
            <Icon name="undo" />
            Undo{what}
            {hasHints && <KeyHint keyName="u" />}
          </button>
        )}
      </div>
    );
  }
  return (
    <div class="actions">
      <button type="button" class="accept" onClick={() => onDecide('accept')}>
        <Icon name="accept" />
        Add tag{what}
        {hasHints && <KeyHint keyName="a" />}
      </button>
      <button type="button" class="reject" onClick={() => onDecide('reject')}>
        <Icon name="reject" />
        Reject{what}
        {hasHints && <KeyHint keyName="r" />}
      </button>
    </div>
  );
}

function describe(standing: Decided): string {
  if (standing.state === 'failed') return `Not saved: ${standing.problem.detail}`;
  if (standing.state !== 'taken') return pastTense(standing.decision);
  const { review } = standing;
  return `${pastTense(review.decision)} by ${nameOf(review)} on ${dayAndTime(review.decidedAt)}`;
}
