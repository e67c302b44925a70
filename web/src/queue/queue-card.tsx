// The suggestion in focus: the object and its tags, the tag in question, how sure the model is, why, and what to do.

import { useEffect } from 'preact/hooks';
import { recallExplanation, recallObject } from '../api/recall.ts';
import type { Decision, ObjectFacts, OpenSuggestion } from '../api/shapes.ts';
import { Link } from '../navigation/link.tsx';
import { objectPath, tagPath } from '../navigation/route.ts';
import { ConfidenceBand } from '../parts/confidence-band.tsx';
import { DecisionButtons } from '../parts/decision-buttons.tsx';
import { Explanation } from '../parts/explanation.tsx';
import { Icon } from '../parts/icon.tsx';
import { KeyHint } from '../parts/key-help.tsx';
import { MarkedWords } from '../parts/marked-words.tsx';
import { ObjectBody } from '../parts/object-body.tsx';
import { marksIn, strongest } from '../parts/readable-text.ts';
import { TagChip } from '../parts/tag-chip.tsx';
import { queue } from '../state/queue-state.ts';
import { standingOf } from '../state/standings.ts';
import { tagsNow } from '../state/tags-now.ts';
import { type Loaded, useLoaded } from '../state/use-loaded.ts';
import { useMarks } from '../state/use-marks.ts';

interface QueueCardProps {
  readonly row: OpenSuggestion;
  readonly isWhyOpen: boolean;
  toggleWhy(): void;
  onDecide(decision: Decision): void;
  undo(): void;
}

const AHEAD = 3; // cards whose objects are asked for before they are looked at

export function QueueCard({ row, isWhyOpen, toggleWhy, onDecide, undo }: QueueCardProps) {
  const { object, title, tag, confidence, score } = row;
  useEffect(() => {
    const { rows, active } = queue.get();
    for (const next of rows.slice(active + 1, active + 1 + AHEAD)) {
      recallObject(next.object).catch(() => {});
      recallExplanation(next.object, next.tag).catch(() => {});
    }
  }, [row]);
  const loaded = useLoaded(object, () => recallObject(object));
  const marks = useMarks(object, tag);
  return (
    <article class="card" aria-label={`Suggestion: ${tag} for ${title}`}>
      <div class="card-object">
        <h2>
          <Link to={objectPath(object)}>
            <MarkedWords isName text={title} marks={marksIn(marks, undefined)} most={strongest(marks)} />
          </Link>
        </h2>
        {title !== object && <code class="id">{object}</code>}
        <ObjectBody key={object} of={loaded.value ?? row} marks={marks} tag={tag} />
        <PresentTags loaded={loaded} />
      </div>
      <div class="card-question">
        <p class="question">
          <span class="soft">Add tag</span>
          <Link to={tagPath(tag)} class="question-tag">
            {tag}
          </Link>
          <span class="soft">?</span>
        </p>
        <ConfidenceBand confidence={confidence} score={score} />
      </div>
      <DecisionButtons standing={standingOf(row)} onDecide={onDecide} undo={undo} />
      <div class="card-more">
        <button type="button" class="quiet" aria-expanded={isWhyOpen} onClick={toggleWhy}>
          <Icon name="why" />
          Why
          <KeyHint keyName="w" />
        </button>
        <Link to={objectPath(object)} class="button quiet">
          <Icon name="open" />
          Open object
          <KeyHint keyName="o" />
        </Link>
      </div>
      {isWhyOpen && <Explanation object={object} tag={tag} />}
    </article>
  );
}

function PresentTags({ loaded }: { readonly loaded: Loaded<ObjectFacts> }) {
  if (loaded.state === 'failed') return <p class="present soft">Its tags could not be loaded.</p>;
  if (loaded.state === 'loading') return <p class="present waiting-line" aria-hidden="true" />;
  const tags = tagsNow(loaded.value);
  if (tags.length === 0) return <p class="present soft">It has no tags yet.</p>;
  return (
    <ul class="present chips" aria-label="Its tags">
      {tags.map(({ tag, isNew }) => (
        <li key={tag}>
          <TagChip tag={tag} isNew={isNew} />
        </li>
      ))}
    </ul>
  );
}
