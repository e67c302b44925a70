// All rows of the queue, those in sight in the document, with a heading above each group. A click or an arrow brings one into
// focus.

import { useId, useMemo } from 'preact/hooks';
import type { OpenSuggestion } from '../api/shapes.ts';
import type { QueueAddress } from '../navigation/route.ts';
import { ConfidenceBand } from '../parts/confidence-band.tsx';
import { Icon } from '../parts/icon.tsx';
import { WindowList } from '../parts/window-list.tsx';
import { WORDS } from '../state/decision-notices.ts';
import { holderOf, shownHolder } from '../state/held.ts';
import { loadMore, moveTo, queue } from '../state/queue-state.ts';
import { type Decided, isDecided, keyOf, standingOf } from '../state/standings.ts';
import { useStore } from '../store.ts';

interface QueueListProps {
  readonly rows: readonly OpenSuggestion[];
  readonly active: number;
  readonly group: QueueAddress['group'];
}

const ROW_HEIGHT = 46;

export function QueueList({ rows, active, group }: QueueListProps) {
  const id = useId();
  const { lines, lineOf } = useMemo(() => linesOf(rows, group), [rows, group]);
  const skipped = new Set(useStore(queue, (state) => state.skipped));
  const isThere = active < rows.length;
  const box = {
    class: 'queue-list',
    role: 'listbox',
    tabIndex: 0,
    'aria-label': 'Open suggestions',
    'aria-activedescendant': isThere ? `${id}-${active}` : undefined,
  } as const;
  return (
    <WindowList
      count={lines.length}
      rowHeight={ROW_HEIGHT}
      active={isThere ? lineOf[active] : undefined}
      box={box}
      onNearEnd={loadMore}
      renderRow={(line) => {
        const index = lines[line];
        if (typeof index === 'string') return <GroupName name={index} />;
        return (
          <Row
            {...{ rows, index }}
            id={`${id}-${index}`}
            isActive={index === active}
            isSkipped={skipped.has(keyOf(rows[index]))}
          />
        );
      }}
    />
  );
}

/** The index of a row, or the name of the group that begins below; and the line of each row. */
function linesOf(rows: readonly OpenSuggestion[], group: QueueAddress['group']) {
  const lines: (number | string)[] = [];
  const lineOf: number[] = [];
  for (const [index, row] of rows.entries()) {
    const isFirst = group !== '' && row[group] !== rows[index - 1]?.[group];
    if (isFirst) lines.push(group === 'tag' ? row.tag : row.title);
    lineOf.push(lines.length);
    lines.push(index);
  }
  return { lines, lineOf };
}

/** Each row names its group, too: this is for the eye. */
function GroupName({ name }: { readonly name: string }) {
  return (
    <div class="queue-group" aria-hidden="true">
      {name}
    </div>
  );
}

interface RowProps {
  readonly id: string;
  readonly rows: readonly OpenSuggestion[];
  readonly index: number;
  readonly isActive: boolean;
  readonly isSkipped: boolean;
}

function Row({ id, rows, index, isActive, isSkipped }: RowProps) {
  const row = rows[index];
  const standing = standingOf(row);
  const holder = holderOf(row);
  const look = isDecided(standing)
    ? `queue-row ${standing.state} ${standing.decision}`
    : `queue-row ${holder === undefined ? '' : 'held'}`.trim();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are heard by the list
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays on the list
    <div
      id={id}
      class={look}
      role="option"
      aria-selected={isActive}
      aria-disabled={holder !== undefined && !isDecided(standing) ? 'true' : undefined}
      aria-posinset={index + 1}
      aria-setsize={rows.length}
      onClick={() => moveTo(index)}
    >
      <span class="row-title">{row.title}</span>
      <span class="row-tag">{row.tag}</span>
      {isDecided(standing) ? (
        <DecisionMark standing={standing} />
      ) : holder !== undefined ? (
        <span class="row-decision held-by">{shownHolder(holder)}</span>
      ) : isSkipped ? (
        <span class="row-decision">
          skipped
          <Icon name="skip" />
        </span>
      ) : (
        <ConfidenceBand {...row} among={rows} index={index} />
      )}
    </div>
  );
}

const STATES = { saving: '', saved: '', failed: 'not saved', taken: 'taken' } as const;

export function DecisionMark({ standing }: { readonly standing: Decided }) {
  return (
    <span class="row-decision">
      {STATES[standing.state]}
      <span class="unseen"> {WORDS[standing.decision].was}</span>
      <Icon name={standing.decision} />
    </span>
  );
}
