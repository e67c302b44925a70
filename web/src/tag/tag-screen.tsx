// One tag: similar tags, the objects that may be missing it, the objects that have it.

import { useRef, useState } from 'preact/hooks';
import { getCarriers, getSimilarTags, getTag } from '../api/calls.ts';
import type { ObjectLine, TagLine } from '../api/shapes.ts';
import { Link } from '../navigation/link.tsx';
import { objectPath, queuePath, reviewsPath, vocabularyPath } from '../navigation/route.ts';
import { counted, sharePercent, whole } from '../numbers.ts';
import { LoadedPart, ProblemNote, Waiting } from '../parts/loaded-part.tsx';
import { Screen } from '../parts/screen.tsx';
import { TagChip } from '../parts/tag-chip.tsx';
import { WindowList } from '../parts/window-list.tsx';
import { useLoaded } from '../state/use-loaded.ts';
import { usePages } from '../state/use-pages.ts';
import { MissingObjects } from './missing-objects.tsx';

const NUM_SIMILAR = 12;
const PAGE = 100;
const ROW_HEIGHT = 46;

export function TagScreen({ tag }: { readonly tag: string }) {
  const loaded = useLoaded(tag, (signal) => getTag(tag, signal));
  const [round, setRound] = useState(0); // counts and carriers are asked for again when many decisions were made
  const recounted = useLoaded(round === 0 ? undefined : `${tag} ${round}`, (signal) => getTag(tag, signal));
  const latest = useRef<TagLine>(null);
  latest.current = recounted.value ?? latest.current ?? loaded.value ?? null;
  const numObjects = latest.current?.numObjects;
  const name = latest.current?.tag ?? tag; // it may have been merged or renamed
  const facts = (
    <div class="head-facts">
      {numObjects !== undefined && <span class="soft">on {counted(numObjects, 'object')}</span>}
      <Link to={queuePath({ tag })}>Open in the queue</Link>
      <Link to={reviewsPath({ tag })}>Reviews of this tag</Link>
      <Link to={vocabularyPath({ tag: name, query: name })}>Merge, rename, …</Link>
    </div>
  );
  return (
    <Screen title={name} heading={<span class="tag-heading">{name}</span>} facts={facts} class="tag-screen">
      <LoadedPart loaded={loaded}>
        {(told) => (
          <>
            <SimilarTags tag={tag} />
            <div class="columns">
              <div class="main-column">
                <MissingObjects tag={tag} onApplied={() => setRound((count) => count + 1)} />
              </div>
              <Carriers tag={tag} round={round} numObjects={numObjects ?? told.numObjects} />
            </div>
          </>
        )}
      </LoadedPart>
    </Screen>
  );
}

function SimilarTags({ tag }: { readonly tag: string }) {
  const loaded = useLoaded(tag, (signal) => getSimilarTags(tag, NUM_SIMILAR, signal));
  return (
    <section aria-labelledby="similar" class="similar-tags">
      <h2 id="similar">Similar tags</h2>
      <LoadedPart loaded={loaded}>
        {({ tags }) =>
          tags.length === 0 ? (
            <p class="soft">None.</p>
          ) : (
            <ul class="chips">
              {tags.map((one) => (
                <li key={one.tag}>
                  <TagChip tag={one.tag}>
                    <small>{sharePercent(one.similarity)}</small>
                  </TagChip>
                </li>
              ))}
            </ul>
          )
        }
      </LoadedPart>
    </section>
  );
}

interface CarriersProps {
  readonly tag: string;
  readonly round: number;
  readonly numObjects: number;
}

function Carriers({ tag, round, numObjects }: CarriersProps) {
  const { rows, isLoading, problem, loadMore, retry } = usePages<ObjectLine>(
    `${tag} ${round}`,
    async (cursor, signal) => {
      const { objects, next } = await getCarriers(tag, { limit: PAGE, cursor }, signal);
      return { rows: objects, next };
    },
  );
  return (
    <aside class="side-column" aria-labelledby="carriers">
      <h2 id="carriers">
        Objects with this tag <small>{whole(numObjects)}</small>
      </h2>
      {problem !== undefined && <ProblemNote problem={problem} retry={retry} />}
      {isLoading && rows.length === 0 && <Waiting />}
      {rows.length > 0 && (
        <WindowList
          count={rows.length}
          rowHeight={ROW_HEIGHT}
          onNearEnd={loadMore}
          box={{ class: 'carriers', role: 'list', tabIndex: 0, 'aria-label': `Objects with ${tag}` }}
          renderRow={(index) => (
            // biome-ignore lint/a11y/useSemanticElements: rows of a windowed list are placed one by one
            <div class="list-row" role="listitem" aria-posinset={index + 1} aria-setsize={numObjects}>
              <Link to={objectPath(rows[index].id)}>{rows[index].title}</Link>
              <small>{counted(rows[index].numTags, 'tag')}</small>
            </div>
          )}
        />
      )}
    </aside>
  );
}
