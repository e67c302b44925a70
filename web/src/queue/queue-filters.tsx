// How sure suggestions must be, and of which tag. Both stand in the address, so that a filtered queue can be shared.

import { replaceWith } from '../navigation/history.ts';
import { queuePath } from '../navigation/route.ts';
import { Combobox } from '../parts/combobox.tsx';
import { chosen, searchTags } from '../parts/find-options.ts';
import { Icon } from '../parts/icon.tsx';
import { MinConfidence } from '../parts/min-confidence.tsx';
import { useModel } from '../state/model-facts.ts';
import type { QueueFilter } from '../state/queue-state.ts';

export function QueueFilters({ filter }: { readonly filter: QueueFilter }) {
  const { value: model } = useModel();
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
