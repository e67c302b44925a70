// What was decided, newest first, with filters, the way back, and the accepted links to take away.

import { EXPORT_ADDRESS, getReviews } from '../api/calls.ts';
import type { Review } from '../api/shapes.ts';
import { replaceWith } from '../navigation/history.ts';
import { reviewsPath } from '../navigation/route.ts';
import { Combobox } from '../parts/combobox.tsx';
import { chosen, searchObjects, searchTags } from '../parts/find-options.ts';
import { Icon } from '../parts/icon.tsx';
import { Waiting } from '../parts/loaded-part.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Screen } from '../parts/screen.tsx';
import { WindowList } from '../parts/window-list.tsx';
import { standings } from '../state/decisions.ts';
import { useStore } from '../state/store.ts';
import { usePages } from '../state/use-pages.ts';
import { ReviewRow } from './review-row.tsx';

interface ReviewFilter {
  readonly decision: '' | 'accept' | 'reject';
  readonly object: string;
  readonly tag: string;
}

const PAGE = 100;
const ROW_HEIGHT = 60;
const KINDS = [
  ['', 'All'],
  ['accept', 'Accepted'],
  ['reject', 'Rejected'],
] as const;

export function ReviewsScreen(filter: ReviewFilter) {
  useStore(standings, (all) => all);
  const { decision, object, tag } = filter;
  const { rows, isLoading, isWhole, problem, loadMore, retry } = usePages<Review>(
    JSON.stringify([decision, object, tag]),
    async (cursor, signal) => {
      const { reviews, next } = await getReviews({ decision, object, tag, limit: PAGE, cursor }, signal);
      return { rows: reviews, next };
    },
  );
  const download = (
    <a class="button" href={EXPORT_ADDRESS} download="tagged.tsv">
      <Icon name="download" />
      Accepted links (TSV)
    </a>
  );
  return (
    <Screen title="Reviews" heading="Reviews" facts={<div class="head-facts">{download}</div>} class="reviews-screen">
      <Filters filter={{ decision, object, tag }} />
      {problem !== undefined && <ProblemNote problem={problem} retry={retry} />}
      {rows.length === 0 && isLoading && <Waiting />}
      {rows.length === 0 && isWhole && <p class="soft">Nothing was decided yet, as far as these filters go.</p>}
      {rows.length > 0 && (
        <WindowList
          count={rows.length}
          rowHeight={ROW_HEIGHT}
          onNearEnd={loadMore}
          box={{ class: 'reviews-list', role: 'list', 'aria-label': 'Reviews, newest first' }}
          renderRow={(index) => <ReviewRow review={rows[index]} place={index + 1} count={isWhole ? rows.length : -1} />}
        />
      )}
    </Screen>
  );
}

function Filters({ filter }: { readonly filter: ReviewFilter }) {
  const show = (parts: Partial<ReviewFilter>) => replaceWith(reviewsPath({ ...filter, ...parts }));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be taken for a form
    <div class="filters" role="group" aria-label="Filters">
      <div class="choices">
        {KINDS.map(([kind, name]) => (
          <label key={kind} class="choice">
            <input
              type="radio"
              name="decision"
              checked={filter.decision === kind}
              onChange={() => show({ decision: kind })}
            />
            {name}
          </label>
        ))}
      </div>
      {filter.object === '' ? (
        <Combobox
          class="small"
          label="Only one object"
          placeholder="Only the object…"
          search={searchObjects}
          choose={(option) => show({ object: chosen(option).name })}
        />
      ) : (
        <FilterChip name={filter.object} clear={() => show({ object: '' })} />
      )}
      {filter.tag === '' ? (
        <Combobox
          class="small"
          label="Only one tag"
          placeholder="Only the tag…"
          search={searchTags}
          choose={(option) => show({ tag: chosen(option).name })}
        />
      ) : (
        <FilterChip name={filter.tag} clear={() => show({ tag: '' })} />
      )}
    </div>
  );
}

function FilterChip({ name, clear }: { readonly name: string; clear(): void }) {
  return (
    <span class="chip filter">
      Only {name}
      <button type="button" class="bare" aria-label={`Not only ${name}`} onClick={clear}>
        <Icon name="reject" />
      </button>
    </span>
  );
}
