// One object that misses the tag, with its check box.

import type { MissingObject } from '../api/shapes.ts';
import { Link } from '../navigation/link.tsx';
import { objectPath } from '../navigation/route.ts';
import { ConfidenceBand } from '../parts/confidence-band.tsx';
import { Icon } from '../parts/icon.tsx';
import { inOneLine } from '../parts/readable-text.ts';
import { WORDS } from '../state/decision-notices.ts';
import { isDecided, standingOf } from '../state/standings.ts';

interface MissingRowProps {
  readonly rows: readonly MissingObject[];
  readonly index: number;
  readonly tag: string;
  /** −1 where it is not known yet. */
  readonly count: number;
  readonly isSelected: boolean;
  select(isOn: boolean, isRange: boolean): void;
}

export function MissingRow({ rows, index, tag, count, isSelected, select }: MissingRowProps) {
  const row = rows[index];
  const { id, title, texts = {} } = row;
  const text = inOneLine(Object.values(texts)[0] ?? '');
  const standing = standingOf({ object: id, tag });
  const isRowDecided = isDecided(standing);
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a windowed list are placed one by one
    <div
      class={`list-row ${isRowDecided ? `decided ${standing.decision}` : ''} ${isSelected ? 'selected' : ''}`}
      role="listitem"
      aria-posinset={index + 1}
      aria-setsize={count}
    >
      <label class="check">
        <input
          type="checkbox"
          checked={isSelected}
          disabled={isRowDecided}
          onClick={(event) => select(event.currentTarget.checked, event.shiftKey)}
        />
        <span class="row-title">
          {title} {text !== '' && <small>{text}</small>}
        </span>
      </label>
      {isRowDecided ? (
        <span class="row-decision">
          {standing.state === 'taken' ? 'decided by others' : WORDS[standing.decision].was}
          <Icon name={standing.decision} />
        </span>
      ) : (
        <ConfidenceBand {...row} among={rows} index={index} />
      )}
      <Link to={objectPath(id)} class="button bare" aria-label={`Open ${title}`} title="Open">
        <Icon name="open" />
      </Link>
    </div>
  );
}
