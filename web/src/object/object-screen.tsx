// One object: its tags, the tags it may be missing, similar objects.

import { useState } from 'preact/hooks';
import { getSimilarObjects, getSuggestions } from '../api/calls.ts';
import { recallObject } from '../api/recall.ts';
import type { ObjectFacts, SimilarObjects } from '../api/shapes.ts';
import { Link } from '../navigation/link.tsx';
import { objectPath, reviewsPath } from '../navigation/route.ts';
import { counted, sharePercent } from '../numbers.ts';
import { LoadedPart } from '../parts/loaded-part.tsx';
import { MarkedWords } from '../parts/marked-words.tsx';
import { ObjectBody } from '../parts/object-body.tsx';
import { marksIn, strongest } from '../parts/readable-text.ts';
import { Screen } from '../parts/screen.tsx';
import { standings } from '../state/standings.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { useMarks } from '../state/use-marks.ts';
import { useStore } from '../store.ts';
import { NextObject } from './next-object.tsx';
import { OwnTags, RejectedTags, UnsureTags } from './object-tags.tsx';
import { SuggestionList } from './suggestion-list.tsx';

const NUM_SUGGESTIONS = 15;
const NUM_SIMILAR = 12;

export function ObjectScreen({ id }: { readonly id: string }) {
  const loaded = useLoaded(id, () => recallObject(id));
  const [tag, setTag] = useState<string>(); // of the suggestion in focus: the words that count for it are marked
  const marks = useMarks(id, tag);
  const title = loaded.value?.title ?? id;
  return (
    <Screen
      title={title}
      heading={<MarkedWords isName text={title} marks={marksIn(marks, undefined)} most={strongest(marks)} />}
      facts={<HeadFacts id={id} facts={loaded.value} />}
      class="object-screen"
    >
      <LoadedPart loaded={loaded}>
        {(facts) => (
          <>
            <ObjectBody of={facts} marks={marks} tag={tag} />
            <ObjectParts facts={facts} onActive={setTag} />
          </>
        )}
      </LoadedPart>
    </Screen>
  );
}

function HeadFacts({ id, facts }: { readonly id: string; readonly facts: ObjectFacts | undefined }) {
  return (
    <div class="head-facts">
      {facts !== undefined && facts.title !== id && <code class="id">{id}</code>}
      {facts?.numUsers !== undefined && facts.numUsers > 0 && (
        <span class="soft">{counted(facts.numUsers, 'user')}</span>
      )}
      <Link to={reviewsPath({ object: id })}>Reviews of this object</Link>
      <NextObject id={id} />
    </div>
  );
}

interface ObjectPartsProps {
  readonly facts: ObjectFacts;
  onActive(tag: string | undefined): void;
}

function ObjectParts({ facts, onActive }: ObjectPartsProps) {
  useStore(standings, (all) => all);
  const { id } = facts;
  const [round, setRound] = useState(0); // suggestions are requested again only when the curator refreshes them
  const suggestions = useLoaded(`${id} ${round}`, (signal) => getSuggestions(id, NUM_SUGGESTIONS, signal));
  return (
    <div class="columns">
      <div class="main-column">
        <OwnTags facts={facts} />
        <section aria-labelledby="suggestions">
          <h2 id="suggestions">Suggestions</h2>
          <LoadedPart loaded={suggestions}>
            {({ suggestions: found }) => (
              <SuggestionList
                facts={facts}
                suggestions={found}
                refresh={() => setRound((count) => count + 1)}
                onActive={onActive}
              />
            )}
          </LoadedPart>
        </section>
        <UnsureTags facts={facts} />
        <RejectedTags facts={facts} />
      </div>
      <Similar id={id} />
    </div>
  );
}

function Similar({ id }: { readonly id: string }) {
  const loaded = useLoaded(id, (signal) => getSimilarObjects(id, NUM_SIMILAR, signal));
  return (
    <aside class="side-column" aria-labelledby="similar">
      <h2 id="similar">Similar objects</h2>
      <LoadedPart loaded={loaded}>
        {({ objects }) =>
          objects.length === 0 ? (
            <p class="soft">None: it shares nothing with other objects.</p>
          ) : (
            <ul class="plain lines">
              {objects.map((one) => (
                <li key={one.id}>
                  <Link to={objectPath(one.id)}>{one.title}</Link>
                  <small>{sharesOf(one).join(', ')}</small>
                </li>
              ))}
            </ul>
          )
        }
      </LoadedPart>
    </aside>
  );
}

/** What is nothing is not worth a word; where both are, it is similar by what cannot be rounded to a percent. */
function sharesOf({ byUsers = 0, byTags }: SimilarObjects['objects'][number]): string[] {
  const shares = [
    { share: byUsers, by: 'users' },
    { share: byTags, by: 'tags' },
  ];
  const told = shares.filter(({ share }) => sharePercent(share) !== sharePercent(0));
  return told.length === 0 ? ['< 1 %'] : told.map(({ share, by }) => `${sharePercent(share)} by ${by}`);
}
