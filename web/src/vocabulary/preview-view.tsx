// What a change would do: how many objects gain, lose and keep tags, and a few of them.

import { useEffect, useState } from 'preact/hooks';
import { previewChange } from '../api/calls.ts';
import type { Declaration, VocabularyPreview } from '../api/shapes.ts';
import { Link } from '../navigation/link.tsx';
import { objectPath } from '../navigation/route.ts';
import { counted } from '../numbers.ts';
import { LoadedPart } from '../parts/loaded-part.tsx';
import { type Loaded, useLoaded } from '../state/use-loaded.ts';
import { useStore } from '../store.ts';
import { capitalized, round } from './changing.ts';

const PAUSE = 250; // milliseconds without a key

/** Of the latest declaration, a moment after it was last changed. */
export function usePreview(declaration: Declaration | undefined): Loaded<VocabularyPreview> {
  const now = useStore(round, (count) => count);
  const wish = declaration === undefined ? undefined : JSON.stringify([now, declaration]);
  const [settled, settle] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => settle(wish), PAUSE);
    return () => clearTimeout(timer);
  }, [wish]);
  const loaded = useLoaded(settled, (signal) => previewChange(JSON.parse(settled ?? '[]')[1], signal));
  return settled === wish ? loaded : { state: 'loading' };
}

export function PreviewView({ preview }: { readonly preview: Loaded<VocabularyPreview> }) {
  return (
    <div class="change-preview" aria-live="polite">
      <LoadedPart loaded={preview}>{(found) => <Effect found={found} />}</LoadedPart>
    </div>
  );
}

function Effect({ found }: { readonly found: VocabularyPreview }) {
  const { summary, isNew, numGain, numLose, numKeep, numOpen, examples, numConflicts, conflicts } = found;
  if (!isNew) return <p>This is declared already.</p>;
  const counts = [
    `${counted(numGain, 'object')} would gain a tag`,
    `${whole(numLose)} lose one`,
    `${whole(numKeep)} stay as they are`,
    `${counted(numOpen, 'open suggestion')} concerned`,
  ];
  return (
    <>
      <p>
        <strong>{capitalized(summary)}.</strong> {counts.join(', ')}.
      </p>
      {numConflicts > 0 && (
        <p class="conflicts">
          {counted(numConflicts, 'object')} already {numConflicts === 1 ? 'carries' : 'carry'} two of them and{' '}
          {numConflicts === 1 ? 'keeps' : 'keep'} both:{' '}
          {conflicts.map(({ object, title }, i) => (
            <>
              {i > 0 && ', '}
              <Link to={objectPath(object)}>{title}</Link>
            </>
          ))}
          {numConflicts > conflicts.length && ', …'}
        </p>
      )}
      {examples.length > 0 && (
        <ul class="plain change-examples">
          {examples.map(({ object, title, gains, loses }) => (
            <li key={object}>
              <Link to={objectPath(object)}>{title}</Link>
              {loses.map((tag) => (
                <span key={tag} class="loses">
                  <span class="unseen">loses </span>
                  {tag}
                </span>
              ))}
              {gains.map((tag) => (
                <span key={tag} class="gains">
                  <span class="unseen">gains </span>
                  {tag}
                </span>
              ))}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function whole(count: number): string {
  return count.toLocaleString('en');
}
