// The tags of the vocabulary, each with its other labels, what it implies and excludes, and how many objects carry it.

import { getVocabulary } from '../api/calls.ts';
import type { VocabularyTag } from '../api/shapes.ts';
import { Link } from '../navigation/link.tsx';
import { tagPath, vocabularyPath } from '../navigation/route.ts';
import { counted } from '../numbers.ts';
import { ProblemNote, Waiting } from '../parts/loaded-part.tsx';
import { WindowList } from '../parts/window-list.tsx';
import { usePages } from '../state/use-pages.ts';
import { useStore } from '../store.ts';
import { round } from './changing.ts';

const PAGE = 100;
const ROW_HEIGHT = 60;

interface TagRowsProps {
  readonly show: 'all' | 'declared' | 'retired';
  readonly query: string;
  readonly selected: readonly string[];
  select(tags: readonly string[]): void;
}

export function TagRows({ show, query, selected, select }: TagRowsProps) {
  const now = useStore(round, (count) => count);
  const { rows, isLoading, isWhole, problem, loadMore, retry } = usePages<VocabularyTag>(
    JSON.stringify([show, query, now]),
    async (cursor, signal) => {
      const { tags, next } = await getVocabulary({ show, query, limit: PAGE, cursor }, signal);
      return { rows: tags, next };
    },
  );
  const toggle = (tag: string) =>
    select(selected.includes(tag) ? selected.filter((one) => one !== tag) : [...selected, tag]);
  if (problem !== undefined) return <ProblemNote problem={problem} retry={retry} />;
  if (rows.length === 0) return isLoading || !isWhole ? <Waiting /> : <p class="soft">{emptyText(show, query)}</p>;
  return (
    <WindowList
      count={rows.length}
      rowHeight={ROW_HEIGHT}
      onNearEnd={loadMore}
      box={{ class: 'vocabulary-list', role: 'list', 'aria-label': 'Tags' }}
      renderRow={(index) => {
        const one = rows[index];
        return (
          // biome-ignore lint/a11y/useSemanticElements: rows of a windowed list are placed one by one
          <div
            class={`list-row vocabulary-row ${selected.includes(one.tag) ? 'selected' : ''}`}
            role="listitem"
            aria-posinset={index + 1}
            aria-setsize={isWhole ? rows.length : -1}
          >
            <label class="row-check">
              <span class="unseen">Select {one.tag}</span>
              <input type="checkbox" checked={selected.includes(one.tag)} onChange={() => toggle(one.tag)} />
            </label>
            <TagWords tag={one} />
            <small>{counted(one.numObjects, 'object')}</small>
          </div>
        );
      }}
    />
  );
}

function TagWords({ tag }: { readonly tag: VocabularyTag }) {
  const { labels, implies, excludes, state, parts = [], isUnknown } = tag;
  const words = [
    ...(state === 'retired' ? ['retired'] : []),
    ...(isUnknown ? ['new to the model'] : []),
    ...(labels.length > 0 ? [`also ${labels.join(', ')}`] : []),
    ...(implies.length > 0 ? [`implies ${implies.join(', ')}`] : []),
    ...(excludes.length > 0 ? [`never with ${excludes.join(', ')}`] : []),
  ];
  return (
    <div class="review-words">
      <span>{isUnknown ? tag.tag : <Link to={tagPath(tag.tag)}>{tag.tag}</Link>}</span>
      {state === 'split' ? (
        <small>
          <Link to={vocabularyPath({ show: 'divide', tag: tag.tag })}>divide among {parts.join(', ')}</Link>
        </small>
      ) : (
        words.length > 0 && <small title={words.join(' · ')}>{words.join(' · ')}</small>
      )}
    </div>
  );
}

function emptyText(show: string, query: string): string {
  if (query !== '') return 'No tag has such a name or label.';
  if (show === 'retired') return 'No tag is retired. Select tags under “All tags” to retire them.';
  return 'Nothing is declared yet. Select tags under “All tags” to merge, rename or relate them.';
}
