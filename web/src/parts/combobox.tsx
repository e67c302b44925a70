// A field that finds things as one types (the combobox pattern of ARIA 1.2): arrows move, Enter takes, Escape closes.

import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { type ApiProblem, asProblem, wasCancelled } from '../api/problem.ts';
import { counted } from '../numbers.ts';
import { Icon } from './icon.tsx';
import { Marked } from './marked.tsx';
import { useWithinWindow } from './popup-place.ts';

export interface Option {
  readonly key: string;
  readonly label: string;
  readonly hint: string;
}

export interface OptionGroup {
  readonly name: string;
  readonly options: readonly Option[];
}

interface ComboboxProps {
  readonly label: string;
  readonly placeholder: string;
  readonly class?: string;
  /** The name of the field in its document, for a key that leads to it. */
  readonly id?: string;
  search(query: string, signal: AbortSignal): Promise<readonly OptionGroup[]>;
  choose(option: Option): void;
}

interface Results {
  readonly query: string;
  readonly groups: readonly OptionGroup[];
  readonly problem?: ApiProblem;
}

const PAUSE = 40; // milliseconds without a key before a search is sent: fewer searches, and no wait that is felt
const NONE: Results = { query: '', groups: [] };

export function Combobox({ label, placeholder, class: className = '', id, search, choose }: ComboboxProps) {
  const own = useId();
  const field = id ?? own;
  const { query, results, options, active, isShown, type, setOpen, press, take } = useSearch(search, choose);
  return (
    <div class={`combobox ${className}`}>
      <Icon name="search" />
      <label class="unseen" for={field}>
        {label}
      </label>
      <input
        id={field}
        type="text"
        role="combobox"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        placeholder={placeholder}
        value={query}
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={`${own}-list`}
        aria-activedescendant={isShown && active >= 0 ? `${own}-${active}` : undefined}
        onInput={(event) => type(event.currentTarget.value)}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={press}
      />
      <ResultList {...{ own, label, isShown, results, active, take }} />
      <div class="unseen" role="status">
        {isShown ? (results.problem?.detail ?? counted(options.length, 'result')) : ''}
      </div>
    </div>
  );
}

/** What was typed, what was found for it, and which of it is chosen. */
function useSearch(search: ComboboxProps['search'], choose: ComboboxProps['choose']) {
  const [query, setQuery] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const wantsFirst = useRef(false); // Enter was pressed before the results came
  const trimmed = query.trim();
  const results = useResults(search, trimmed);
  const options = results.groups.flatMap((group) => group.options);
  const isCurrent = results.query === trimmed && trimmed !== '';
  const take = (option: Option) => {
    wantsFirst.current = false;
    setQuery('');
    setOpen(false);
    setActive(-1);
    choose(option);
  };
  useEffect(() => {
    if (!isCurrent || !wantsFirst.current) return;
    wantsFirst.current = false;
    if (options.length > 0) take(options[0]);
  });
  const type = (text: string) => {
    setQuery(text);
    setOpen(true);
    setActive(-1);
    wantsFirst.current = false;
  };
  const move = (to: number) => {
    setOpen(true);
    setActive(options.length === 0 ? -1 : (to + options.length) % options.length);
  };
  const press = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === 'ArrowDown') move(active + 1);
    else if (event.key === 'ArrowUp') move(active < 0 ? -1 : active - 1);
    else if (event.key === 'Enter') {
      if (isCurrent && options.length > 0) take(options[Math.max(0, active)]);
      else wantsFirst.current = trimmed !== '';
    } else if (event.key === 'Escape' && (isOpen || query !== '')) {
      setOpen(false);
      setActive(-1);
      if (!isOpen) setQuery('');
    } else return;
    event.preventDefault();
  };
  return { query, results, options, active, isShown: isOpen && isCurrent, type, setOpen, press, take };
}

/** Searches once typing rests; a newer text cancels the search for an older one. */
function useResults(search: ComboboxProps['search'], query: string): Results {
  const [results, setResults] = useState(NONE);
  const latest = useRef(search);
  latest.current = search;
  useEffect(() => {
    if (query === '') return setResults(NONE);
    const cancel = new AbortController();
    const timer = setTimeout(async () => {
      const found = await find(latest.current, query, cancel.signal);
      if (found !== undefined && !cancel.signal.aborted) setResults(found);
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      cancel.abort();
    };
  }, [query]);
  return results;
}

interface ResultListProps {
  readonly own: string;
  readonly label: string;
  readonly isShown: boolean;
  readonly results: Results;
  readonly active: number;
  take(option: Option): void;
}

function ResultList({ own, label, isShown, results, active, take }: ResultListProps) {
  const groups = results.groups.filter(({ options }) => options.length > 0);
  const popup = useRef<HTMLDivElement>(null);
  useWithinWindow(popup, isShown);
  let index = -1;
  return (
    <div ref={popup} class="results" hidden={!isShown}>
      <div id={`${own}-list`} role="listbox" aria-label={label}>
        {groups.map(({ name, options }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
          <div key={name} role="group" aria-label={name}>
            <div class="group-name" aria-hidden="true">
              {name}
            </div>
            {options.map((option) => {
              const at = ++index;
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: keys are heard by the field
                // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
                <div
                  key={option.key}
                  id={`${own}-${at}`}
                  class="option"
                  role="option"
                  aria-selected={at === active}
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => take(option)}
                >
                  <span class="option-label">
                    <Marked text={option.label} part={results.query} />
                  </span>
                  <small>{option.hint}</small>
                </div>
              );
            })}
          </div>
        ))}
      </div>
      {groups.length === 0 && <p class="none">{results.problem?.detail ?? `No match for “${results.query}”.`}</p>}
    </div>
  );
}

/** Undefined where the search was given up. */
async function find(search: ComboboxProps['search'], query: string, signal: AbortSignal): Promise<Results | undefined> {
  try {
    return { query, groups: await search(query, signal) };
  } catch (error) {
    return wasCancelled(error) ? undefined : { query, groups: [], problem: asProblem(error) };
  }
}
