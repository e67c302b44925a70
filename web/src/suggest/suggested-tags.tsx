// The tags suggested for a text: how sure each is and which words make the difference, and all of them to copy.

import { useState } from 'preact/hooks';
import type { TextSuggestion, WrittenText } from '../api/shapes.ts';
import { Link } from '../navigation/link.tsx';
import { tagPath } from '../navigation/route.ts';
import { counted } from '../numbers.ts';
import { ConfidenceBand } from '../parts/confidence-band.tsx';
import { Icon } from '../parts/icon.tsx';
import { ProblemNote, Waiting } from '../parts/loaded-part.tsx';
import { MinConfidence } from '../parts/min-confidence.tsx';
import { say, tell } from '../state/notices.ts';
import { choose, isEmpty, retry, type SuggestState, setMinConfidence } from './suggest-state.ts';
import { strongestWords } from './text-marks.ts';

interface SuggestedTagsProps {
  readonly state: SuggestState;
  readonly knowsConfidence: boolean;
}

const NUM_WORDS = 4;

export function SuggestedTags({ state, knowsConfidence }: SuggestedTagsProps) {
  const { found, problem, isLoading, minConfidence, chosen } = state;
  return (
    <section class="side-column" aria-labelledby="suggested" aria-busy={isLoading}>
      <div class="suggested-head">
        <h2 id="suggested">Suggestions</h2>
        {found !== undefined && found.suggestions.length > 0 && <CopyTags suggestions={found.suggestions} />}
      </div>
      {knowsConfidence && <MinConfidence value={minConfidence} change={setMinConfidence} />}
      {problem !== undefined && <ProblemNote problem={problem} retry={retry} />}
      {found === undefined && problem === undefined && isLoading && <Waiting />}
      {found === undefined && problem === undefined && !isLoading && isEmpty(state) && (
        <p class="soft">Type or paste a title or a text. Suggestions follow as you type.</p>
      )}
      {found !== undefined && found.suggestions.length === 0 && (
        <p class="soft">
          {minConfidence > 0
            ? 'No tag is that likely. Lower the confidence to see more.'
            : 'The model suggests no tag: it knows none of these words.'}
        </p>
      )}
      {found !== undefined && found.suggestions.length > 0 && (
        <>
          <ol class={isLoading ? 'suggested stale' : 'suggested'}>
            {found.suggestions.map((one) => (
              <SuggestedTag key={one.tag} suggestion={one} written={found.written} isChosen={one.tag === chosen} />
            ))}
          </ol>
          <p class="note">{aboutMarks(found.suggestions, chosen)}</p>
        </>
      )}
    </section>
  );
}

/** What the marks mean, or why there are none. */
function aboutMarks(suggestions: readonly TextSuggestion[], chosen: string | undefined): string {
  if (suggestions.every(({ words }) => words?.length === 0)) {
    return 'The model knows none of these words: these are the most common tags.';
  }
  const hasMarks = ({ marks = [] }: TextSuggestion) => marks.length > 0;
  if (chosen !== undefined) {
    const isMarked = suggestions.some((one) => one.tag === chosen && hasMarks(one));
    const meaning = isMarked ? `Words that count for ${chosen} are marked.` : `No word counts for ${chosen}.`;
    return `${meaning} Select it again to see all.`;
  }
  if (!suggestions.some(hasMarks)) return 'No word counts for any of these: they are common tags.';
  return 'Words that count for any of these are marked. Select a tag to see its own.';
}

interface SuggestedTagProps {
  readonly suggestion: TextSuggestion;
  readonly written: WrittenText;
  readonly isChosen: boolean;
}

function SuggestedTag({ suggestion, written, isChosen }: SuggestedTagProps) {
  const { tag, confidence, score } = suggestion;
  const counting = strongestWords(suggestion, written, NUM_WORDS);
  return (
    <li>
      <button type="button" class="suggested-tag" aria-pressed={isChosen} onClick={() => choose(tag)}>
        <span class="suggested-words">
          <span class="suggested-name">{tag}</span>
          {counting.length > 0 && <small>{counting.join(', ')}</small>}
        </span>
        <ConfidenceBand confidence={confidence} score={score} />
      </button>
      <Link to={tagPath(tag)} class="button bare" aria-label={`Open the tag ${tag}`} title="Open">
        <Icon name="open" />
      </Link>
    </li>
  );
}

function CopyTags({ suggestions }: { readonly suggestions: readonly TextSuggestion[] }) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    const text = suggestions.map(({ tag }) => tag).join(', ');
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
      say(`${counted(suggestions.length, 'tag')} copied.`);
    } catch {
      tell({ text: `This browser lets no page copy here. The tags: ${text}` }); // not on an insecure page
    }
  };
  return (
    <button type="button" onClick={copy} onBlur={() => setDone(false)}>
      <Icon name={isDone ? 'accept' : 'copy'} />
      {isDone ? 'Copied' : 'Copy tags'}
    </button>
  );
}
