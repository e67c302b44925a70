// One suggestion to decide about: the tag in question, how sure the model is, and what there is to see of the object.

import { useEffect, useRef } from 'preact/hooks';
import type { OpenSuggestion } from '../../../src/serving/curation/open-suggestions.ts';
import { ConfidenceBand } from '../parts/confidence-band.tsx';
import { MarkedWords } from '../parts/marked-words.tsx';
import { ObjectBody } from '../parts/object-body.tsx';
import { marksIn, strongest } from '../parts/readable-text.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { ask } from './train-state.ts';
import type { ObjectView } from './worker/messages.ts';

interface ReviewCardProps {
  readonly suggestion: OpenSuggestion;
  /** Asked for ahead. */
  readonly next: OpenSuggestion | undefined;
}

export function ReviewCard({ suggestion, next }: ReviewCardProps) {
  const { object, title, tag, score, confidence } = suggestion;
  const ahead = useRef(new Map<string, Promise<ObjectView>>());
  const viewOf = (name: string) => {
    const known = ahead.current.get(name) ?? ask('view', [name]);
    ahead.current = new Map([[name, known]]);
    return known;
  };
  const view = useLoaded(object, () => viewOf(object));
  const why = useLoaded(`${object}\t${tag}`, () => ask('explain', [object, tag]));
  useEffect(() => {
    if (next === undefined || next.object === object) return;
    const coming = ask('view', [next.object]);
    coming.catch(() => {}); // told when it is looked at
    ahead.current.set(next.object, coming);
  }, [next, object]);
  const marks = why.state === 'loading' ? undefined : (why.value?.marks ?? []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so that what is below stays in its place
    <article class="review-card" tabIndex={0} aria-label={`Suggestion: ${tag} for ${title}`}>
      <p class="review-question">
        <span class="soft">Add tag</span> <strong>{tag}</strong> <span class="soft">?</span>
      </p>
      <ConfidenceBand confidence={confidence} score={score} />
      <h3>
        <MarkedWords isName text={title} marks={marksIn(marks, undefined)} most={strongest(marks)} />{' '}
        {title !== object && <small class="id">{object}</small>}
      </h3>
      <ObjectBody key={object} of={view.value ?? { title }} marks={marks} tag={tag} />
      <p class="chips">
        {view.value?.tags.length === 0 && <span class="soft">It has no tags yet.</span>}
        {view.value?.tags.map((own) => (
          <span key={own} class="chip">
            {own}
          </span>
        ))}
      </p>
    </article>
  );
}
