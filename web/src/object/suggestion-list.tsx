// What an object may be missing, one row in focus: accept, reject, why. Decided rows stay until the curator is through, so
// that nothing moves under the hand.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Decision, ObjectFacts, Suggestion } from '../api/shapes.ts';
import { Link } from '../navigation/link.tsx';
import { tagPath } from '../navigation/route.ts';
import { ConfidenceBand } from '../parts/confidence-band.tsx';
import { DecisionButtons } from '../parts/decision-buttons.tsx';
import { Icon } from '../parts/icon.tsx';
import { percent } from '../parts/numbers.ts';
import { Reasons } from '../parts/reasons.tsx';
import { pastTense } from '../state/decision-notices.ts';
import { decide, isDecided, standingOf, undo } from '../state/decisions.ts';
import { useKeys } from '../state/keys.ts';
import { say } from '../state/notices.ts';

interface SuggestionListProps {
  readonly facts: ObjectFacts;
  readonly suggestions: readonly Suggestion[];
  lookAgain(): void;
}

export function SuggestionList({ facts, suggestions, lookAgain }: SuggestionListProps) {
  const [active, setActive] = useState(0);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set()); // tags whose reasons are shown
  const pairOf = (tag: string) => ({ object: facts.id, title: facts.title, tag });
  const isOpen = ({ tag }: Suggestion) => !isDecided(standingOf(pairOf(tag)));

  const settle = (index: number, decision: Decision) => {
    const one = suggestions[index];
    if (one === undefined) return;
    decide(pairOf(one.tag), decision);
    const below = suggestions.findIndex((other, i) => i > index && isOpen(other));
    const next = below >= 0 ? below : suggestions.findIndex(isOpen);
    if (next >= 0) setActive(next);
    const following = suggestions[next];
    say(`${pastTense(decision)}. ${following === undefined ? 'All are decided.' : `${describe(following)}?`}`);
  };
  const step = (by: number) => {
    const to = Math.max(0, Math.min(suggestions.length - 1, active + by));
    setActive(to);
    if (suggestions[to] !== undefined) say(describe(suggestions[to]));
  };
  const toggle = (tag: string) => {
    const next = new Set(open);
    if (!next.delete(tag)) next.add(tag);
    setOpen(next);
  };
  const accept = () => settle(active, 'accept');
  const reject = () => settle(active, 'reject');
  useKeys({
    a: accept,
    Enter: accept,
    r: reject,
    x: reject,
    j: () => step(1),
    ArrowDown: () => step(1),
    k: () => step(-1),
    ArrowUp: () => step(-1),
    w: () => suggestions[active] !== undefined && toggle(suggestions[active].tag),
  });

  if (suggestions.length === 0) return <p class="soft">The model knows of no tag that it is missing.</p>;
  const numDecided = suggestions.filter((one) => !isOpen(one)).length;
  return (
    <>
      <ol class="suggestions">
        {suggestions.map((one, index) => (
          <SuggestionRow
            key={one.tag}
            suggestion={one}
            facts={facts}
            isActive={index === active}
            isWhyOpen={open.has(one.tag)}
            focus={() => setActive(index)}
            toggle={() => toggle(one.tag)}
            settle={(decision) => settle(index, decision)}
          />
        ))}
      </ol>
      {numDecided > 0 && (
        <p class="note">
          {numDecided === suggestions.length ? 'All of these are decided. ' : ''}
          <button type="button" class="quiet" onClick={lookAgain}>
            Suggest anew, with what was decided
          </button>
        </p>
      )}
    </>
  );
}

interface SuggestionRowProps {
  readonly suggestion: Suggestion;
  readonly facts: ObjectFacts;
  readonly isActive: boolean;
  readonly isWhyOpen: boolean;
  focus(): void;
  toggle(): void;
  settle(decision: Decision): void;
}

function SuggestionRow({ suggestion, facts, isActive, isWhyOpen, focus, toggle, settle }: SuggestionRowProps) {
  const { tag, confidence, score } = suggestion;
  const pair = { object: facts.id, title: facts.title, tag };
  const standing = standingOf(pair);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  const look = ['suggestion', isActive && 'active', isDecided(standing) && 'settled'].filter(Boolean).join(' ');
  return (
    <li ref={row} class={look} aria-current={isActive ? 'true' : undefined} onFocusIn={focus}>
      <Link to={tagPath(tag)} class="suggestion-tag">
        {tag}
      </Link>
      <ConfidenceBand confidence={confidence} score={score} />
      <DecisionButtons standing={standing} of={tag} hasHints={isActive} settle={settle} undo={() => undo(pair)} />
      <button
        type="button"
        class="bare why"
        aria-expanded={isWhyOpen}
        aria-label={`Why ${tag}`}
        title="Why (w)"
        onClick={toggle}
      >
        <Icon name="why" />
      </button>
      {isWhyOpen && <Reasons object={facts.id} tag={tag} />}
    </li>
  );
}

function describe({ tag, confidence }: Suggestion): string {
  return confidence === undefined ? tag : `${tag}, ${percent(confidence)}`;
}
