// All rows of the queue, those in sight in the document. A click or an arrow brings one into focus.

import { useId } from 'preact/hooks';
import type { OpenSuggestion } from '../api/shapes.ts';
import { ConfidenceBand } from '../parts/confidence-band.tsx';
import { Icon } from '../parts/icon.tsx';
import { WindowList } from '../parts/window-list.tsx';
import { loadMore, moveTo } from '../state/queue-state.ts';
import { type Decided, isDecided, standingOf } from '../state/standings.ts';

interface QueueListProps {
  readonly rows: readonly OpenSuggestion[];
  readonly active: number;
}

const ROW_HEIGHT = 46;

export function QueueList({ rows, active }: QueueListProps) {
  const id = useId();
  const box = {
    class: 'queue-list',
    role: 'listbox',
    tabIndex: 0,
    'aria-label': 'Open suggestions',
    'aria-activedescendant': active < rows.length ? `${id}-${active}` : undefined,
  } as const;
  return (
    <WindowList
      count={rows.length}
      rowHeight={ROW_HEIGHT}
      active={active < rows.length ? active : undefined}
      box={box}
      onNearEnd={loadMore}
      renderRow={(index) => (
        <Row id={`${id}-${index}`} row={rows[index]} index={index} count={rows.length} isActive={index === active} />
      )}
    />
  );
}

interface RowProps {
  readonly id: string;
  readonly row: OpenSuggestion;
  readonly index: number;
  readonly count: number;
  readonly isActive: boolean;
}

function Row({ id, row, index, count, isActive }: RowProps) {
  const standing = standingOf(row);
  const look = isDecided(standing) ? `queue-row ${standing.state} ${standing.decision}` : 'queue-row';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are heard by the list
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays on the list
    <div
      id={id}
      class={look}
      role="option"
      aria-selected={isActive}
      aria-posinset={index + 1}
      aria-setsize={count}
      onClick={() => moveTo(index)}
    >
      <span class="row-title">{row.title}</span>
      <span class="row-tag">{row.tag}</span>
      {isDecided(standing) ? <DecisionMark standing={standing} /> : <ConfidenceBand {...row} />}
    </div>
  );
}

const WORDS = { saving: '', saved: '', failed: 'not saved', taken: 'taken' } as const;

function DecisionMark({ standing }: { readonly standing: Decided }) {
  return (
    <span class="row-decision">
      {WORDS[standing.state]}
      <span class="unseen"> {standing.decision === 'accept' ? 'accepted' : 'rejected'}</span>
      <Icon name={standing.decision} />
    </span>
  );
}
