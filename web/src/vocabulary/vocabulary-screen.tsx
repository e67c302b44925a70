// The vocabulary: all tags with what is declared of them, a way to change it, proposals, and the history.

import { useState } from 'preact/hooks';
import { VOCABULARY_ADDRESS } from '../api/calls.ts';
import { replaceWith } from '../navigation/history.ts';
import { type VocabularyAddress, vocabularyPath } from '../navigation/route.ts';
import { Icon } from '../parts/icon.tsx';
import { Screen } from '../parts/screen.tsx';
import { ChangePanel } from './change-panel.tsx';
import { DivideList } from './divide-list.tsx';
import { HistoryList } from './history-list.tsx';
import { ProposalList } from './proposal-list.tsx';
import { TagRows } from './tag-rows.tsx';
import '../style/vocabulary.css';

const KINDS = [
  ['', 'All tags'],
  ['declared', 'Declared'],
  ['retired', 'Retired'],
  ['proposals', 'Proposals'],
  ['history', 'History'],
] as const;

export function VocabularyScreen({ show, query, tag }: VocabularyAddress) {
  const [selected, setSelected] = useState<readonly string[]>(tag === '' || show === 'divide' ? [] : [tag]);
  const isList = show === '' || show === 'declared' || show === 'retired';
  const facts = (
    <div class="head-facts">
      <a class="button" href={VOCABULARY_ADDRESS} download="vocabulary.ttl">
        <Icon name="download" />
        Download as SKOS
      </a>
    </div>
  );
  return (
    <Screen title="Vocabulary" heading="Vocabulary" facts={facts} class="vocabulary-screen">
      <Filters show={show} query={query} isList={isList} />
      {isList && (
        <>
          <ChangePanel selected={selected} select={setSelected} />
          <TagRows show={show === '' ? 'all' : show} query={query} selected={selected} select={setSelected} />
        </>
      )}
      {show === 'proposals' && <ProposalList />}
      {show === 'history' && <HistoryList />}
      {show === 'divide' && <DivideList key={tag} tag={tag} />}
    </Screen>
  );
}

interface FiltersProps {
  readonly show: VocabularyAddress['show'];
  readonly query: string;
  readonly isList: boolean;
}

function Filters({ show, query, isList }: FiltersProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be taken for a form
    <div class="filters" role="group" aria-label="What is shown">
      <div class="choices">
        {KINDS.map(([kind, name]) => (
          <label key={kind} class="choice">
            <input
              type="radio"
              name="show"
              checked={show === kind}
              onChange={() => replaceWith(vocabularyPath({ show: kind, query: isList ? query : '' }))}
            />
            {name}
          </label>
        ))}
      </div>
      {isList && (
        <label class="vocabulary-search">
          <span class="unseen">Search tags by any of their names</span>
          <input
            type="search"
            placeholder="Search tags and labels"
            value={query}
            onInput={(event) => replaceWith(vocabularyPath({ show, query: event.currentTarget.value }))}
          />
        </label>
      )}
    </div>
  );
}
