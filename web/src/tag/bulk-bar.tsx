// Choosing many, and what to do with them.

import { useState } from 'preact/hooks';
import type { Decision } from '../api/shapes.ts';
import { Icon } from '../parts/icon.tsx';
import { counted, whole } from '../parts/numbers.ts';

interface BulkBarProps {
  readonly tag: string;
  readonly numSelected: number;
  readonly isBusy: boolean;
  readonly hasConfidence: boolean;
  selectAbove(least: number): Promise<void>;
  selectNone(): void;
  apply(decision: Decision): void;
}

export function BulkBar({ tag, numSelected, isBusy, hasConfidence, selectAbove, selectNone, apply }: BulkBarProps) {
  const [least, setLeast] = useState('80');
  const [isChoosing, setChoosing] = useState(false);
  const share = Number(least) / 100;
  const isUsable = least !== '' && share >= 0 && share <= 1;
  const choose = async () => {
    setChoosing(true);
    await selectAbove(share);
    setChoosing(false);
  };
  return (
    <div class="bulk-bar">
      {hasConfidence && (
        <form
          class="select-above"
          onSubmit={(event) => {
            event.preventDefault();
            if (isUsable) void choose();
          }}
        >
          <button type="submit" class="quiet" disabled={!isUsable || isChoosing || isBusy}>
            Select all above
          </button>
          <label>
            <span class="unseen">Least confidence in percent</span>
            <input
              type="number"
              min="0"
              max="100"
              inputMode="numeric"
              value={least}
              onInput={(event) => setLeast(event.currentTarget.value)}
            />{' '}
            %
          </label>
        </form>
      )}
      <p class="num-selected" aria-live="polite">
        {isChoosing ? 'Looking…' : `${whole(numSelected)} selected`}
      </p>
      {numSelected > 0 && (
        <button type="button" class="quiet" onClick={selectNone}>
          None
        </button>
      )}
      <div class="bulk-actions">
        <button type="button" class="accept" disabled={numSelected === 0 || isBusy} onClick={() => apply('accept')}>
          <Icon name="accept" />
          <span>
            Give “{tag}” to {numSelected === 0 ? 'those selected' : counted(numSelected, 'object')}
          </span>
        </button>
        <button type="button" class="reject" disabled={numSelected === 0 || isBusy} onClick={() => apply('reject')}>
          <Icon name="reject" />
          Reject
        </button>
      </div>
    </div>
  );
}
