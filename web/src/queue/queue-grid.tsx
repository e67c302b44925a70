// The queue as a grid: small cards with picture, title, tag and how sure it is, each with its buttons. One is in focus, and arrows
// move it in four directions.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Decision, OpenSuggestion } from '../api/shapes.ts';
import { Link } from '../navigation/link.tsx';
import { objectPath, tagPath } from '../navigation/route.ts';
import { ConfidenceBand } from '../parts/confidence-band.tsx';
import { DecisionButtons } from '../parts/decision-buttons.tsx';
import { inOneLine, webAddress } from '../parts/readable-text.ts';
import { WindowList } from '../parts/window-list.tsx';
import { undo } from '../state/decisions.ts';
import { holderOf, shownHolder } from '../state/held.ts';
import type { KeyBindings } from '../state/keys.ts';
import { loadMore, moveTo, queue } from '../state/queue-state.ts';
import { isDecided, standingOf } from '../state/standings.ts';
import { decideAt, step } from './queue-moves.ts';

const ROW_HEIGHT = { plain: 172, described: 236 }; // with the gap; objects with texts or pictures need more
const MIN_WIDTH = 264; // pixels of a card

/** How many cards stand in a row, and the arrows that go by it. */
export function useGridKeys() {
  const [numColumns, setNumColumns] = useState(1);
  const bindings: KeyBindings = {
    j: () => step(1),
    k: () => step(-1),
    ArrowRight: () => step(1),
    ArrowLeft: () => step(-1),
    ArrowDown: () => stepDown(numColumns),
    ArrowUp: () => queue.get().active >= numColumns && step(-numColumns),
  };
  return { numColumns, setNumColumns, bindings };
}

/** To the card below, or to the last one where the row below is shorter. */
function stepDown(numColumns: number): void {
  const { rows, active } = queue.get();
  const isLastRow = Math.floor(active / numColumns) === Math.floor((rows.length - 1) / numColumns);
  if (!isLastRow) step(numColumns);
}

interface QueueGridProps {
  readonly rows: readonly OpenSuggestion[];
  readonly active: number;
  readonly numColumns: number;
  setNumColumns(count: number): void;
}

export function QueueGrid({ rows, active, numColumns, setNumColumns }: QueueGridProps) {
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const measure = () => setNumColumns(Math.max(1, Math.floor(element.clientWidth / MIN_WIDTH)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const indices = (line: number) =>
    Array.from({ length: Math.min(numColumns, rows.length - line * numColumns) }, (_, i) => line * numColumns + i);
  return (
    <div ref={frame} class="grid-frame">
      <WindowList
        count={Math.ceil(rows.length / numColumns)}
        rowHeight={rows.some(isDescribed) ? ROW_HEIGHT.described : ROW_HEIGHT.plain}
        active={active < rows.length ? Math.floor(active / numColumns) : undefined}
        box={{ class: 'queue-grid', role: 'list', 'aria-label': 'Open suggestions' }}
        onNearEnd={loadMore}
        renderRow={(line) => (
          <div
            class="grid-line"
            role="presentation"
            style={{ gridTemplateColumns: `repeat(${numColumns}, minmax(0, 1fr))` }}
          >
            {indices(line).map((index) => (
              <GridCard key={index} {...{ rows, index }} isActive={index === active} />
            ))}
          </div>
        )}
      />
    </div>
  );
}

function isDescribed({ texts, image }: OpenSuggestion): boolean {
  return texts !== undefined || image !== undefined;
}

interface GridCardProps {
  readonly rows: readonly OpenSuggestion[];
  readonly index: number;
  readonly isActive: boolean;
}

function GridCard({ rows, index, isActive }: GridCardProps) {
  const row = rows[index];
  const { object, title, tag, texts = {}, image } = row;
  const standing = standingOf(row);
  const holder = isDecided(standing) ? undefined : holderOf(row);
  const look = [
    'grid-card',
    holder !== undefined && 'held',
    isActive && 'active',
    isDecided(standing) && `decided ${standing.decision}`,
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a windowed list are placed one by one
    <div
      class={look.filter(Boolean).join(' ')}
      role="listitem"
      aria-current={isActive ? 'true' : undefined}
      aria-posinset={index + 1}
      aria-setsize={rows.length}
      onFocusIn={() => holder === undefined && moveTo(index)}
    >
      <div class="grid-object">
        <div class="grid-words">
          <Link to={objectPath(object)} class="grid-title" title={title}>
            {title}
          </Link>
          <p class="grid-text">{inOneLine(Object.values(texts)[0] ?? '')}</p>
        </div>
        <GridPicture address={webAddress(image)} />
      </div>
      <Link to={tagPath(tag)} class="grid-tag" title={tag}>
        {tag}
      </Link>
      <ConfidenceBand {...row} among={rows} index={index} />
      {holder === undefined ? (
        <DecisionButtons
          standing={standing}
          of={`${tag} for ${title}`}
          hasHints={false}
          isSmall
          onDecide={(decision: Decision) => decideAt(index, decision)}
          undo={() => undo(row)}
        />
      ) : (
        <p class="held-by">{shownHolder(holder)} is at work on it</p>
      )}
    </div>
  );
}

function GridPicture({ address }: { readonly address: string | undefined }) {
  const [isBroken, setBroken] = useState(false);
  if (address === undefined || isBroken) return null;
  return (
    <img
      class="grid-picture"
      src={address}
      alt=""
      width="64"
      height="64"
      loading="lazy"
      decoding="async"
      referrerpolicy="no-referrer"
      onError={() => setBroken(true)}
    />
  );
}
