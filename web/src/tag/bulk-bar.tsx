// The bar above the objects that miss a tag: select many at once, then add the tag to them or reject it.

import { useState } from 'preact/hooks';
import type { Decision } from '../api/shapes.ts';
import { counted, whole } from '../numbers.ts';
import { Icon } from '../parts/icon.tsx';

interface BulkBarProps {
  readonly numSelected: number;
  readonly isBusy: boolean;
  readonly hasConfidence: boolean;
  selectAtLeast(confidence: number): Promise<void>;
  selectNone(): void;
  apply(decision: Decision): void;
}

export function BulkBar({ numSelected, isBusy, hasConfidence, selectAtLeast, selectNone, apply }: BulkBarProps) {
  const [isSelecting, setSelecting] = useState(false);
  const select = async (confidence: number) => {
    setSelecting(true);
    await selectAtLeast(confidence);
    setSelecting(false);
  };
  const isOff = numSelected === 0 || isBusy;
  return (
    <div class="bulk-bar">
      {hasConfidence && <SelectAtLeast isOff={isSelecting || isBusy} select={select} />}
      <p class="num-selected" aria-live="polite">
        {isSelecting ? 'Loading…' : `${whole(numSelected)} selected`}
      </p>
      {numSelected > 0 && (
        <button type="button" class="quiet" onClick={selectNone}>
          Clear selection
        </button>
      )}
      <div class="bulk-actions">
        <button type="button" class="accept" disabled={isOff} onClick={() => apply('accept')}>
          <Icon name="accept" />
          <span>Add tag{numSelected === 0 ? '' : ` to ${counted(numSelected, 'object')}`}</span>
        </button>
        <button type="button" class="reject" disabled={isOff} onClick={() => apply('reject')}>
          <Icon name="reject" />
          Reject
        </button>
      </div>
    </div>
  );
}

function SelectAtLeast({ isOff, select }: { readonly isOff: boolean; select(confidence: number): void }) {
  const [percent, setPercent] = useState('80');
  const share = Number(percent) / 100;
  const isUsable = percent !== '' && share >= 0 && share <= 1;
  return (
    <form
      class="select-at-least"
      onSubmit={(event) => {
        event.preventDefault();
        if (isUsable) select(share);
      }}
    >
      <button type="submit" class="quiet" disabled={!isUsable || isOff}>
        Select all ≥ {isUsable ? `${percent} %` : '…'}
      </button>
      <label>
        <span class="unseen">Minimum confidence in percent</span>
        <input
          type="number"
          min="0"
          max="100"
          inputMode="numeric"
          value={percent}
          onInput={(event) => setPercent(event.currentTarget.value)}
        />{' '}
        %
      </label>
    </form>
  );
}
