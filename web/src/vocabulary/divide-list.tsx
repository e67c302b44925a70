// The objects of a tag that is split, until each carries one of its parts.

import { useState } from 'preact/hooks';
import { getToDivide, postReview } from '../api/calls.ts';
import { asProblem } from '../api/problem.ts';
import { forgetObject } from '../api/recall.ts';
import type { ToDivide } from '../api/shapes.ts';
import { Link } from '../navigation/link.tsx';
import { objectPath } from '../navigation/route.ts';
import { sharePercent } from '../numbers.ts';
import { ProblemNote, Waiting } from '../parts/loaded-part.tsx';
import { signature } from '../state/me.ts';
import { say, tellFault } from '../state/notices.ts';
import { usePages } from '../state/use-pages.ts';
import { useStore } from '../store.ts';
import { round } from './changing.ts';

const PAGE = 50;
type Row = ToDivide['objects'][number] & { readonly parts: readonly string[] };

export function DivideList({ tag }: { readonly tag: string }) {
  const now = useStore(round, (count) => count);
  const [given, setGiven] = useState<ReadonlyMap<string, string>>(new Map());
  const { rows, isLoading, isWhole, problem, loadMore, retry } = usePages<Row>(
    JSON.stringify([tag, now]),
    async (cursor, signal) => {
      const { objects, parts, next } = await getToDivide(tag, { limit: PAGE, cursor }, signal);
      return { rows: objects.map((one) => ({ ...one, parts })), next };
    },
  );
  const give = async (object: string, part: string) => {
    try {
      await postReview({ object, tag: part, decision: 'accept', curator: signature() });
      forgetObject(object);
      setGiven((before) => new Map(before).set(object, part));
      say(`${object} gets ${part}`);
    } catch (error) {
      const found = asProblem(error);
      tellFault(found, { text: found.detail });
    }
  };
  return (
    <section aria-labelledby="divide">
      <h2 id="divide">Divide “{tag}” among its parts</h2>
      {problem !== undefined && <ProblemNote problem={problem} retry={retry} />}
      {rows.length === 0 && isLoading && <Waiting />}
      {rows.length === 0 && isWhole && <p class="soft">All objects of it carry a part.</p>}
      <ul class="plain divide-list">
        {rows.map((row) => (
          <li key={row.id}>
            <Link to={objectPath(row.id)}>{row.title}</Link>
            {given.has(row.id) ? (
              <span class="soft">{given.get(row.id)}</span>
            ) : (
              <Parts row={row} give={(part) => void give(row.id, part)} />
            )}
          </li>
        ))}
      </ul>
      {rows.length > 0 && !isWhole && (
        <button type="button" disabled={isLoading} onClick={loadMore}>
          Show more
        </button>
      )}
    </section>
  );
}

/** The likeliest first, then those without evidence. */
function Parts({ row, give }: { readonly row: Row; give(part: string): void }) {
  const known = row.suggestions.map(({ tag }) => tag);
  const parts = [...known, ...row.parts.filter((part) => !known.includes(part))];
  return (
    <span class="change-actions">
      {parts.map((part) => {
        const confidence = row.suggestions.find(({ tag }) => tag === part)?.confidence;
        return (
          <button key={part} type="button" onClick={() => give(part)}>
            {part}
            {confidence !== undefined && <small>{sharePercent(confidence)}</small>}
            <span class="unseen"> for {row.title}</span>
          </button>
        );
      })}
    </span>
  );
}
