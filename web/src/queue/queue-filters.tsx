// How sure suggestions must be, and of which tag. Both stand in the address, so that a filtered queue can be shared.

import { useEffect, useRef, useState } from 'preact/hooks';
import { replaceWith } from '../navigation/history.ts';
import { queuePath } from '../navigation/route.ts';
import { percent } from '../numbers.ts';
import { Combobox } from '../parts/combobox.tsx';
import { chosen, searchTags } from '../parts/find-options.ts';
import { Icon } from '../parts/icon.tsx';
import { useModel } from '../state/model-facts.ts';
import type { QueueFilter } from '../state/queue-state.ts';

const STEP = 0.05;
const PAUSE = 200; // milliseconds for which a slider rests before it counts

export function QueueFilters({ filter }: { readonly filter: QueueFilter }) {
  const model = useModel();
  const show = (parts: Partial<QueueFilter>) => replaceWith(queuePath({ ...filter, ...parts }));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be taken for a form
    <div class="filters" role="group" aria-label="Filters">
      {model?.knowsConfidence !== false && (
        <MinConfidence value={filter.minConfidence} change={(minConfidence) => show({ minConfidence })} />
      )}
      {filter.tag === '' ? (
        <Combobox
          class="small"
          label="Filter by tag"
          placeholder="Filter by tag"
          search={searchTags}
          choose={(option) => show({ tag: chosen(option).name })}
        />
      ) : (
        <span class="chip filter">
          Tag: {filter.tag}
          <button
            type="button"
            class="bare"
            aria-label={`Remove the filter ${filter.tag}`}
            onClick={() => show({ tag: '' })}
          >
            <Icon name="reject" />
          </button>
        </span>
      )}
    </div>
  );
}

interface MinConfidenceProps {
  readonly value: number;
  change(value: number): void;
}

function MinConfidence({ value, change }: MinConfidenceProps) {
  const [shown, setShown] = useState(value);
  const latest = useRef(change);
  latest.current = change;
  useEffect(() => setShown(value), [value]);
  useEffect(() => {
    if (shown === value) return;
    const timer = setTimeout(() => latest.current(shown), PAUSE);
    return () => clearTimeout(timer);
  }, [shown, value]);
  const words = shown === 0 ? 'any' : `≥ ${percent(shown)}`;
  return (
    <label class="slider">
      <span>Confidence</span>
      <input
        type="range"
        min="0"
        max="0.95"
        step={STEP}
        value={shown}
        aria-label="Minimum confidence"
        aria-valuetext={words}
        onInput={(event) => setShown(Number(event.currentTarget.value))}
      />
      <output>{words}</output>
    </label>
  );
}
