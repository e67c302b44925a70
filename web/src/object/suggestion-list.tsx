// The tags suggested for an object, the likely ones at once, one row in focus: add, reject, not sure, why. Decided rows stay until the curator refreshes them, so
// that nothing moves under the hand.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Decision, ObjectFacts, Suggestion } from '../api/shapes.ts';
import { Link } from '../navigation/link.tsx';
import { LIKELY, tagPath } from '../navigation/route.ts';
import { percent, whole } from '../numbers.ts';
import { ConfidenceBand } from '../parts/confidence-band.tsx';
import { DecisionButtons } from '../parts/decision-buttons.tsx';
import { Explanation } from '../parts/explanation.tsx';
import { Icon } from '../parts/icon.tsx';
import { WORDS } from '../state/decision-notices.ts';
import { decide, undo } from '../state/decisions.ts';
import { useKeys } from '../state/keys.ts';
import { say } from '../state/notices.ts';
import { isDecided, standingOf } from '../state/standings.ts';

interface SuggestionListProps {
  readonly facts: ObjectFacts;
  readonly suggestions: readonly Suggestion[];
  refresh(): void;
  /** Hears of the tag of the row in focus. */
  onActive(tag: string | undefined): void;
}

export function SuggestionList({ facts, suggestions: all, refresh, onActive }: SuggestionListProps) {
  const [isWhole, setWhole] = useState(false); // with what is unlikely
  const isLikely = ({ confidence = 1 }: Suggestion) => confidence >= LIKELY;
  const suggestions = isWhole ? all : all.filter(isLikely);
  const isOpen = ({ tag }: Suggestion) => !isDecided(standingOf({ object: facts.id, tag }));
  const { active, opened, setActive, decideOn, toggleWhy } = useSuggestionKeys(facts, suggestions, isOpen);
  const activeTag = suggestions[active]?.tag;
  useEffect(() => onActive(activeTag), [activeTag]);
  if (all.length === 0) return <p class="soft">The model suggests no tag for this object.</p>;
  const numDecided = suggestions.filter((one) => !isOpen(one)).length;
  const numHidden = all.length - suggestions.length;
  return (
    <>
      {!all.some(isLikely) && <p class="soft">Nothing likely is missing.</p>}
      {suggestions.length > 0 && (
        <ol class="suggestions">
          {suggestions.map((one, index) => (
            <SuggestionRow
              key={one.tag}
              {...{ suggestions, index, facts }}
              isActive={index === active}
              isWhyOpen={opened.has(one.tag)}
              focus={() => setActive(index)}
              toggleWhy={() => toggleWhy(index)}
              onDecide={(decision) => decideOn(index, decision)}
            />
          ))}
        </ol>
      )}
      <p class="note below-suggestions">
        {numDecided > 0 && numDecided === suggestions.length && <span>All of these are decided.</span>}
        {numDecided > 0 && (
          <button type="button" class="quiet" onClick={refresh}>
            Refresh suggestions
          </button>
        )}
        {(numHidden > 0 || isWhole) && all.some((one) => !isLikely(one)) && (
          <button type="button" class="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Hide less likely' : `Show ${whole(numHidden)} less likely`}
          </button>
        )}
      </p>
    </>
  );
}

/** Which row is in focus and whose explanations are shown, moved by keys. */
function useSuggestionKeys(
  { id, title }: ObjectFacts,
  suggestions: readonly Suggestion[],
  isOpen: (one: Suggestion) => boolean,
) {
  const [active, setActive] = useState(0);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set()); // tags whose explanation is shown
  const decideOn = (index: number, decision: Decision) => {
    const one = suggestions[index];
    if (one === undefined) return;
    decide({ object: id, title, tag: one.tag }, decision);
    const below = suggestions.findIndex((other, i) => i > index && isOpen(other));
    const next = below >= 0 ? below : suggestions.findIndex(isOpen);
    if (next >= 0) setActive(next);
    const following = suggestions[next];
    say(`${WORDS[decision].past}. ${following === undefined ? 'All are decided.' : `${describe(following)}?`}`);
  };
  const step = (by: number) => {
    const to = Math.max(0, Math.min(suggestions.length - 1, active + by));
    setActive(to);
    if (suggestions[to] !== undefined) say(describe(suggestions[to]));
  };
  const toggleWhy = (index: number) => {
    const one = suggestions[index];
    if (one === undefined) return;
    const next = new Set(opened);
    if (!next.delete(one.tag)) next.add(one.tag);
    setOpened(next);
  };
  const accept = () => decideOn(active, 'accept');
  const reject = () => decideOn(active, 'reject');
  useKeys({
    a: accept,
    Enter: accept,
    r: reject,
    x: reject,
    d: () => decideOn(active, 'unsure'),
    j: () => step(1),
    ArrowDown: () => step(1),
    k: () => step(-1),
    ArrowUp: () => step(-1),
    w: () => toggleWhy(active),
  });
  return { active, opened, setActive, decideOn, toggleWhy };
}

interface SuggestionRowProps {
  readonly suggestions: readonly Suggestion[];
  readonly index: number;
  readonly facts: ObjectFacts;
  readonly isActive: boolean;
  readonly isWhyOpen: boolean;
  focus(): void;
  toggleWhy(): void;
  onDecide(decision: Decision): void;
}

function SuggestionRow(props: SuggestionRowProps) {
  const { suggestions, index, facts, isActive, isWhyOpen, focus, toggleWhy, onDecide } = props;
  const { tag, confidence, score } = suggestions[index];
  const pair = { object: facts.id, title: facts.title, tag };
  const standing = standingOf(pair);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  const look = ['suggestion', isActive && 'active', isDecided(standing) && 'decided'].filter(Boolean).join(' ');
  return (
    <li ref={row} class={look} aria-current={isActive ? 'true' : undefined} onFocusIn={focus}>
      <Link to={tagPath(tag)} class="suggestion-tag">
        {tag}
      </Link>
      <ConfidenceBand {...{ confidence, score, index }} among={suggestions} />
      <DecisionButtons
        standing={standing}
        of={tag}
        hasHints={isActive}
        isSmall
        onDecide={onDecide}
        undo={() => undo(pair)}
      />
      <button
        type="button"
        class="bare why"
        aria-expanded={isWhyOpen}
        aria-label={`Why ${tag}`}
        title="Why (w)"
        onClick={toggleWhy}
      >
        <Icon name="why" />
      </button>
      {isWhyOpen && <Explanation object={facts.id} tag={tag} />}
    </li>
  );
}

function describe({ tag, confidence }: Suggestion): string {
  return confidence === undefined ? tag : `${tag}, ${percent(confidence)}`;
}
