// Who did what, newest first, with filters and a download.

import { getLog, logAddress } from '../api/people-calls.ts';
import type { LogEntry } from '../api/people-shapes.ts';
import { replaceWith } from '../navigation/history.ts';
import { Link } from '../navigation/link.tsx';
import { type LogAddress, logPath, objectPath, tagPath } from '../navigation/route.ts';
import { dayAndTime, longTime } from '../numbers.ts';
import { DownloadButton } from '../parts/download-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { ProblemNote, Waiting } from '../parts/loaded-part.tsx';
import { Screen } from '../parts/screen.tsx';
import { WindowList } from '../parts/window-list.tsx';
import { usePages } from '../state/use-pages.ts';
import '../style/people.css';

const PAGE = 100;
const ROW_HEIGHT = 60;
const ACTIONS: Readonly<Record<string, string>> = {
  accept: 'accepted',
  reject: 'rejected',
  unsure: 'put aside',
  undo: 'undid',
  'user.add': 'added the user',
  'user.role': 'changed the role of',
  'user.token': 'gave a new token to',
  'user.remove': 'removed the user',
  'vocabulary.merge': 'merged tags',
  'vocabulary.rename': 'renamed a tag',
  'vocabulary.split': 'split a tag',
  'vocabulary.retire': 'retired a tag',
  'vocabulary.synonym': 'declared a synonym',
  'vocabulary.parent': 'declared an implied tag',
  'vocabulary.exclude': 'declared an exclusion',
  'vocabulary.notSynonym': 'said that tags are different',
  'vocabulary.import': 'imported a vocabulary',
  'vocabulary.undo': 'undid a change of the vocabulary',
};

const UNDONE: Readonly<Record<string, string>> = {
  accept: 'undid accepting',
  reject: 'undid rejecting',
  unsure: 'undid putting aside',
};

export function LogScreen({ who, action, object, tag }: LogAddress) {
  const filter = { who, action, object, tag };
  const { rows, isLoading, isWhole, problem, loadMore, retry } = usePages<LogEntry>(
    JSON.stringify(filter),
    async (cursor, signal) => {
      const { entries, next } = await getLog({ ...filter, limit: PAGE, cursor }, signal);
      return { rows: entries, next };
    },
  );
  const download = <DownloadButton address={logAddress(filter)} file="log.tsv" name="Download the log" />;
  return (
    <Screen title="Log" heading="Who did what" facts={<div class="head-facts">{download}</div>} class="log-screen">
      <Filters filter={filter} />
      {problem !== undefined && <ProblemNote problem={problem} retry={retry} />}
      {rows.length === 0 && isLoading && <Waiting />}
      {rows.length === 0 && isWhole && <p class="soft">Nothing matches these filters.</p>}
      {rows.length > 0 && (
        <WindowList
          count={rows.length}
          rowHeight={ROW_HEIGHT}
          onNearEnd={loadMore}
          box={{ class: 'log-list', role: 'list', 'aria-label': 'Actions, newest first' }}
          renderRow={(index) => (
            <LogRow entry={rows[index]} filter={filter} place={index + 1} count={isWhole ? rows.length : -1} />
          )}
        />
      )}
    </Screen>
  );
}

function Filters({ filter }: { readonly filter: LogAddress }) {
  const show = (parts: Partial<LogAddress>) => replaceWith(logPath({ ...filter, ...parts }));
  const chips = [
    ['who', 'By'],
    ['object', 'Object'],
    ['tag', 'Tag'],
  ] as const;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be taken for a form
    <div class="filters" role="group" aria-label="Filters">
      <select
        aria-label="Action"
        value={filter.action}
        onChange={(event) => show({ action: event.currentTarget.value })}
      >
        <option value="">All actions</option>
        {Object.entries(ACTIONS).map(([action, words]) => (
          <option key={action} value={action}>
            {words}
          </option>
        ))}
      </select>
      {chips
        .filter(([field]) => filter[field] !== '')
        .map(([field, kind]) => (
          <span key={field} class="chip filter">
            {kind}: {filter[field]}
            <button
              type="button"
              class="bare"
              aria-label={`Remove the filter ${filter[field]}`}
              onClick={() => show({ [field]: '' })}
            >
              <Icon name="reject" />
            </button>
          </span>
        ))}
    </div>
  );
}

interface LogRowProps {
  readonly entry: LogEntry;
  readonly filter: LogAddress;
  readonly place: number;
  /** −1 where it is not known yet. */
  readonly count: number;
}

function LogRow({ entry: { at, who, action, object, tag, detail }, filter, place, count }: LogRowProps) {
  const { user, role, decision, summary } = detail as Partial<Record<'user' | 'role' | 'decision' | 'summary', string>>;
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a windowed list are placed one by one
    <div class="list-row log-row" role="listitem" aria-posinset={place} aria-setsize={count}>
      <div class="review-words log-words">
        <span>
          {who === '' ? (
            <span class="soft">Someone</span>
          ) : (
            <Link to={logPath({ ...filter, who })} class="log-who">
              {who}
            </Link>
          )}{' '}
          {(action === 'undo' && UNDONE[decision ?? '']) || (ACTIONS[action] ?? action)}{' '}
          {summary !== undefined && <span>({summary})</span>}
          {tag !== undefined && summary === undefined && (
            <Link to={tagPath(tag)} class="row-tag">
              {tag}
            </Link>
          )}
          {object !== undefined && (
            <>
              {' '}
              <span class="soft">for</span> <Link to={objectPath(object)}>{object}</Link>
            </>
          )}
          {user !== undefined && <strong>{user}</strong>}
          {role !== undefined && <span class="soft"> ({role})</span>}
        </span>
        <small>
          <time dateTime={at} title={longTime(at)}>
            {dayAndTime(at)}
          </time>
        </small>
      </div>
    </div>
  );
}
