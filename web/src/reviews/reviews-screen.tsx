// What was decided, newest first, with filters, the way back, and the accepted links to take away.

import { EXPORT_ADDRESS, getReviews } from '../api/calls.ts';
import type { Review } from '../api/shapes.ts';
import { replaceWith } from '../navigation/history.ts';
import { Link } from '../navigation/link.tsx';
import { type ReviewsAddress, reviewsPath } from '../navigation/route.ts';
import { Combobox } from '../parts/combobox.tsx';
import { DownloadButton } from '../parts/download-button.tsx';
import { chosen, searchCurators, searchObjects, searchTags } from '../parts/find-options.ts';
import { Icon } from '../parts/icon.tsx';
import { ProblemNote, Waiting } from '../parts/loaded-part.tsx';
import { Screen } from '../parts/screen.tsx';
import { WindowList } from '../parts/window-list.tsx';
import { standings } from '../state/standings.ts';
import { usePages } from '../state/use-pages.ts';
import { useStore } from '../store.ts';
import { ReviewRow } from './review-row.tsx';

const PAGE = 100;
const ROW_HEIGHT = 60;
const KINDS = [
  ['', 'All'],
  ['accept', 'Accepted'],
  ['reject', 'Rejected'],
  ['unsure', 'Not sure'],
] as const;

export function ReviewsScreen({ decision, object, tag, curator }: ReviewsAddress) {
  useStore(standings, (all) => all);
  const { rows, isLoading, isWhole, problem, loadMore, retry } = usePages<Review>(
    JSON.stringify([decision, object, tag, curator]),
    async (cursor, signal) => {
      const { reviews, next } = await getReviews({ decision, object, tag, curator, limit: PAGE, cursor }, signal);
      return { rows: reviews, next };
    },
  );
  const download = (
    <>
      <Link to="/log">Who did what</Link>
      <DownloadButton address={EXPORT_ADDRESS} file="tagged.tsv" name="Download accepted tags" />
    </>
  );
  return (
    <Screen title="Reviews" heading="Reviews" facts={<div class="head-facts">{download}</div>} class="reviews-screen">
      <Filters filter={{ decision, object, tag, curator }} />
      {problem !== undefined && <ProblemNote problem={problem} retry={retry} />}
      {rows.length === 0 && isLoading && <Waiting />}
      {rows.length === 0 && isWhole && (
        <p class="soft">No reviews match these filters. Decide on suggestions in the queue to see them here.</p>
      )}
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

function Filters({ filter }: { readonly filter: ReviewsAddress }) {
  const show = (parts: Partial<ReviewsAddress>) => replaceWith(reviewsPath({ ...filter, ...parts }));
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
          label="Filter by object"
          placeholder="Filter by object"
          search={searchObjects}
          choose={(option) => show({ object: chosen(option).name })}
        />
      ) : (
        <FilterChip kind="Object" name={filter.object} clear={() => show({ object: '' })} />
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
        <FilterChip kind="Tag" name={filter.tag} clear={() => show({ tag: '' })} />
      )}
      {filter.curator === '' ? (
        <Combobox
          class="small"
          label="Filter by curator"
          placeholder="Filter by curator"
          search={searchCurators}
          choose={(option) => show({ curator: chosen(option).name })}
        />
      ) : (
        <FilterChip kind="By" name={filter.curator} clear={() => show({ curator: '' })} />
      )}
    </div>
  );
}

function FilterChip({ kind, name, clear }: { readonly kind: string; readonly name: string; clear(): void }) {
  return (
    <span class="chip filter">
      {kind}: {name}
      <button type="button" class="bare" aria-label={`Remove the filter ${name}`} onClick={clear}>
        <Icon name="reject" />
      </button>
    </span>
  );
}
