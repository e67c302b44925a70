// The suggestion in focus: the object and its tags, the tag in question, how sure the model is, why, and what to do.

import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
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
import { keyOf, standingOf } from '../state/standings.ts';
import { tagsNow } from '../state/tags-now.ts';
import { type Loaded, useLoaded } from '../state/use-loaded.ts';
import { useMarks } from '../state/use-marks.ts';
import { NoteField } from './note-field.tsx';
import { skipAndSay } from './queue-moves.ts';

interface QueueCardProps {
  readonly rows: readonly OpenSuggestion[];
  /** Of the row in focus. */
  readonly index: number;
  readonly isWhyOpen: boolean;
  toggleWhy(): void;
  readonly isNoteOpen: boolean;
  setNoteOpen(isOpen: boolean): void;
  onDecide(decision: Decision): void;
  undo(): void;
}

const AHEAD = 3; // cards whose objects are asked for before they are looked at

export function QueueCard(props: QueueCardProps) {
  const { rows, index, isWhyOpen, toggleWhy, isNoteOpen, setNoteOpen, onDecide, undo } = props;
  const row = rows[index];
  const { object, title, tag } = row;
  useEffect(() => {
    for (const next of rows.slice(index + 1, index + 1 + AHEAD)) {
      recallObject(next.object).catch(() => {});
      recallExplanation(next.object, next.tag).catch(() => {});
    }
  }, [row]);
  const loaded = useLoaded(object, () => recallObject(object));
  const marks = useMarks(object, tag);
  return (
    <article class="card" aria-label={`Suggestion: ${tag} for ${title}`}>
      <CardScroll row={row} isWhyOpen={isWhyOpen}>
        <h2>
          <Link to={objectPath(object)}>
            <MarkedWords isName text={title} marks={marksIn(marks, undefined)} most={strongest(marks)} />
          </Link>
        </h2>
        {title !== object && <code class="id">{object}</code>}
        <ObjectBody key={object} of={loaded.value ?? row} marks={marks} tag={tag} />
        <PresentTags loaded={loaded} />
      </CardScroll>
      <div class="card-foot">
        <p class="question">
          <span class="soft">Add tag</span>
          <Link to={tagPath(tag)} class="question-tag" title={tag}>
            {tag}
          </Link>
          <span class="soft">?</span>
        </p>
        <ConfidenceBand {...row} among={rows} index={index} />
        {isNoteOpen && <NoteField key={keyOf(row)} row={row} close={() => setNoteOpen(false)} />}
        <div class="card-more">
          <button type="button" class="quiet" aria-expanded={isWhyOpen} onClick={toggleWhy}>
            <Icon name="why" />
            Why
            <KeyHint keyName="w" />
          </button>
          <button type="button" class="quiet" aria-expanded={isNoteOpen} onClick={() => setNoteOpen(!isNoteOpen)}>
            <Icon name="note" />
            Note
            <KeyHint keyName="c" />
          </button>
          <Link to={objectPath(object)} class="button quiet">
            <Icon name="open" />
            Open object
            <KeyHint keyName="o" />
          </Link>
        </div>
        <DecisionButtons standing={standingOf(row)} onDecide={onDecide} undo={undo} skip={skipAndSay} />
      </div>
    </article>
  );
}

interface CardScrollProps {
  readonly row: OpenSuggestion;
  readonly isWhyOpen: boolean;
  readonly children: ComponentChildren;
}

/** What there is to read: it scrolls above the buttons, which stay where they are. */
function CardScroll({ row, isWhyOpen, children }: CardScrollProps) {
  const box = useRef<HTMLDivElement>(null);
  const why = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (box.current !== null) box.current.scrollTop = isWhyOpen ? (why.current?.offsetTop ?? 0) : 0;
  }, [row, isWhyOpen]);
  return (
    <div ref={box} class="card-scroll">
      <div class="card-object">{children}</div>
      {isWhyOpen && (
        <div ref={why}>
          <Explanation object={row.object} tag={row.tag} />
        </div>
      )}
    </div>
  );
}

function PresentTags({ loaded }: { readonly loaded: Loaded<ObjectFacts> }) {
  if (loaded.state === 'failed') return <p class="present soft">Its tags could not be loaded.</p>;
  if (loaded.state === 'loading') return <p class="present waiting-line" aria-hidden="true" />;
  const tags = tagsNow(loaded.value);
  if (tags.length === 0) return <p class="present soft">It has no tags yet.</p>;
  return (
    <ul class="present chips" aria-label="Its tags">
      {tags.map(({ tag, isNew, isUnknown }) => (
        <li key={tag}>
          <TagChip tag={tag} isNew={isNew} isUnknown={isUnknown} />
        </li>
      ))}
    </ul>
  );
}
