// All changes of the vocabulary, newest first, each with the way back.

import { getVocabularyChanges } from '../api/calls.ts';
import type { VocabularyChange } from '../api/shapes.ts';
import { dayAndTime, longTime } from '../numbers.ts';
import { Icon } from '../parts/icon.tsx';
import { ProblemNote, Waiting } from '../parts/loaded-part.tsx';
import { WindowList } from '../parts/window-list.tsx';
import { usePages } from '../state/use-pages.ts';
import { useStore } from '../store.ts';
import { capitalized, round, undoChange } from './changing.ts';

const PAGE = 100;
const ROW_HEIGHT = 60;

export function HistoryList() {
  const now = useStore(round, (count) => count);
  const { rows, isLoading, isWhole, problem, loadMore, retry } = usePages<VocabularyChange>(
    String(now),
    async (cursor, signal) => {
      const { changes, next } = await getVocabularyChanges({ limit: PAGE, cursor }, signal);
      return { rows: changes, next };
    },
  );
  if (problem !== undefined) return <ProblemNote problem={problem} retry={retry} />;
  if (rows.length === 0) {
    return isLoading || !isWhole ? (
      <Waiting />
    ) : (
      <p class="soft">No changes yet. Select tags under “All tags” to make one.</p>
    );
  }
  return (
    <WindowList
      count={rows.length}
      rowHeight={ROW_HEIGHT}
      onNearEnd={loadMore}
      box={{ class: 'vocabulary-list', role: 'list', 'aria-label': 'Changes, newest first' }}
      renderRow={(index) => <ChangeRow change={rows[index]} place={index + 1} count={isWhole ? rows.length : -1} />}
    />
  );
}

interface ChangeRowProps {
  readonly change: VocabularyChange;
  readonly place: number;
  readonly count: number;
}

function ChangeRow({ change, place, count }: ChangeRowProps) {
  const { summary, curator, note, at, undoneAt, undoneBy = '' } = change;
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a windowed list are placed one by one
    <div
      class={`list-row review ${undoneAt === undefined ? '' : 'undone'}`}
      role="listitem"
      aria-posinset={place}
      aria-setsize={count}
    >
      <div class="review-words">
        <span title={summary}>{capitalized(summary)}</span>
        <small>
          {curator === '' ? '' : `by ${curator} `}
          <time dateTime={at} title={longTime(at)}>
            {dayAndTime(at)}
          </time>
          {undoneAt !== undefined && (
            <>
              {' · '}undone {undoneBy === '' ? '' : `by ${undoneBy} `}
              <time dateTime={undoneAt} title={longTime(undoneAt)}>
                {dayAndTime(undoneAt)}
              </time>
            </>
          )}
          {note !== '' && ` · “${note}”`}
        </small>
      </div>
      {undoneAt === undefined && (
        <button type="button" class="quiet" onClick={() => void undoChange(change)}>
          <Icon name="undo" />
          Undo<span class="unseen"> {summary}</span>
        </button>
      )}
    </div>
  );
}
