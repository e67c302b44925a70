// How sure suggestions must be, of which tag, what comes first, what stays together, and how they are shown. All of it stands in the address, so
// that a queue can be shared.

import { replaceWith } from '../navigation/history.ts';
import { type QueueAddress, queuePath } from '../navigation/route.ts';
import { Combobox } from '../parts/combobox.tsx';
import { chosen, searchTags } from '../parts/find-options.ts';
import { Icon } from '../parts/icon.tsx';
import { MinConfidence } from '../parts/min-confidence.tsx';
import { useModel } from '../state/model-facts.ts';

export function QueueFilters({ address }: { readonly address: QueueAddress }) {
  const { value: model } = useModel();
  const show = (parts: Partial<QueueAddress>) => replaceWith(queuePath({ ...address, ...parts }));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be taken for a form
    <div class="filters" role="group" aria-label="Filters">
      {model?.knowsConfidence !== false && (
        <MinConfidence value={address.minConfidence} change={(minConfidence) => show({ minConfidence })} />
      )}
      {address.tag === '' ? (
        <Combobox
          class="small"
          label="Filter by tag"
          placeholder="Filter by tag"
          search={searchTags}
          choose={(option) => show({ tag: chosen(option).name })}
        />
      ) : (
        <span class="chip filter">
          Tag: {address.tag}
          <button
            type="button"
            class="bare"
            aria-label={`Remove the filter ${address.tag}`}
            onClick={() => show({ tag: '' })}
          >
            <Icon name="reject" />
          </button>
        </span>
      )}
      <select
        aria-label="Order"
        value={address.order}
        onChange={(event) => show({ order: event.currentTarget.value as QueueAddress['order'] })}
      >
        <option value="">Most confident first</option>
        <option value="useful">What teaches most first</option>
        <option value="covered">Fewest tags first</option>
      </select>
      <select
        aria-label="Group"
        value={address.group}
        onChange={(event) => show({ group: event.currentTarget.value as QueueAddress['group'] })}
      >
        <option value="">No groups</option>
        <option value="object">By object</option>
        <option value="tag">By tag</option>
      </select>
      <ViewSwitch view={address.view} change={(view) => show({ view })} />
    </div>
  );
}

interface ViewSwitchProps {
  readonly view: QueueAddress['view'];
  change(view: QueueAddress['view']): void;
}

const VIEWS = [
  ['list', 'List'],
  ['grid', 'Grid'],
] as const;

function ViewSwitch({ view, change }: ViewSwitchProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be taken for a form
    <div class="view-switch" role="group" aria-label="View">
      {VIEWS.map(([kind, name]) => (
        <button
          key={kind}
          type="button"
          class="bare"
          title={`${name} (v)`}
          aria-label={name}
          aria-pressed={view === kind}
          onClick={() => change(kind)}
        >
          <Icon name={kind} />
        </button>
      ))}
    </div>
  );
}
