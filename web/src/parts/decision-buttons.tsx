// The buttons that decide on a suggested tag; once decided, what was decided and the way to undo it.

import type { ComponentChild } from 'preact';
import type { Decision } from '../api/shapes.ts';
import { dayAndTime } from '../numbers.ts';
import { nameOf, WORDS } from '../state/decision-notices.ts';
import { decide } from '../state/decisions.ts';
import { identity, mayDecide, READING } from '../state/me.ts';
import { type Decided, isDecided, type Standing } from '../state/standings.ts';
import { useStore } from '../store.ts';
import { Icon } from './icon.tsx';
import { KeyHint } from './key-help.tsx';

interface DecisionButtonsProps {
  readonly standing: Standing | undefined;
  /** In a list, names for those who do not see beside what a button stands. */
  readonly of?: string;
  readonly hasHints?: boolean;
  /** Where there is little room, what is not needed for every suggestion is a drawing alone. */
  readonly isSmall?: boolean;
  onDecide(decision: Decision): void;
  undo(): void;
  /** Where there is an order to put it off in. */
  readonly skip?: (() => void) | undefined;
}

export function DecisionButtons(props: DecisionButtonsProps) {
  const { standing, of, hasHints = true, isSmall = false, onDecide, undo, skip } = props;
  const what = of === undefined ? '' : <span class="unseen"> {of}</span>;
  const isReader = useStore(identity, () => !mayDecide());
  if (isDecided(standing)) return <DecidedActions {...{ standing, what, hasHints, undo }} />;
  if (isReader) return <p class="soft">{READING}</p>;
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
      {isSmall ? (
        <button
          type="button"
          class="bare unsure"
          title="Not sure (d)"
          aria-label={`Not sure ${of ?? ''}`.trim()}
          onClick={() => onDecide('unsure')}
        >
          <Icon name="unsure" />
        </button>
      ) : (
        <button type="button" class="unsure" onClick={() => onDecide('unsure')}>
          <Icon name="unsure" />
          Not sure{what}
          {hasHints && <KeyHint keyName="d" />}
        </button>
      )}
      {skip !== undefined && (
        <button type="button" class="skip-button" onClick={skip}>
          <Icon name="skip" />
          Skip{what}
          {hasHints && <KeyHint keyName="s" />}
        </button>
      )}
    </div>
  );
}

interface DecidedActionsProps extends Required<Pick<DecisionButtonsProps, 'hasHints' | 'undo'>> {
  readonly standing: Decided;
  readonly what: ComponentChild;
}

function DecidedActions({ standing, what, hasHints, undo }: DecidedActionsProps) {
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

function describe(standing: Decided): string {
  if (standing.state === 'failed') return `Not saved: ${standing.problem.detail}`;
  const { past } = WORDS[standing.decision];
  if (standing.state === 'saving') return past;
  const { review } = standing;
  const note = review.note === '' ? '' : `: “${review.note}”`;
  if (standing.state === 'saved') return `${past}${note}`;
  return `${past} by ${nameOf(review)} on ${dayAndTime(review.decidedAt)}${note}`;
}
