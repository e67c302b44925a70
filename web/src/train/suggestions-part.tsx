// What the model suggests: an object from a search or from the most confident suggestions, its own suggestions with their
// explanations, and files to download.

import { useState } from 'preact/hooks';
import type { Explanation } from '../../../src/serving/recommend/explanation.ts';
import { counted } from '../numbers.ts';
import { Combobox, type Option } from '../parts/combobox.tsx';
import { ConfidenceBand } from '../parts/confidence-band.tsx';
import { ExplanationView, type Names } from '../parts/explanation-view.tsx';
import { Icon } from '../parts/icon.tsx';
import { LoadedPart, Waiting } from '../parts/loaded-part.tsx';
import { MarkedWords } from '../parts/marked-words.tsx';
import { ObjectBody } from '../parts/object-body.tsx';
import { marksIn, strongest } from '../parts/readable-text.ts';
import { type Loaded, useLoaded } from '../state/use-loaded.ts';
import { useStore } from '../store.ts';
import { ask, lookAt, take, trainState } from './train-state.ts';
import type { ObjectView, TrainedFacts } from './worker/messages.ts';

export function SuggestionsPart() {
  const run = useStore(trainState, (all) => all.run);
  const object = useStore(trainState, (all) => all.object);
  const isLooking = useStore(trainState, (all) => all.mostConfident === undefined);
  if (run.state !== 'done') return null;
  return (
    <section class="stage" aria-labelledby="suggestions">
      <h2 id="suggestions">
        <span class="step-number">5</span> Suggestions
      </h2>
      <Downloads facts={run.facts} />
      <div class="columns">
        <div class="main-column">
          <Combobox
            label="Search objects"
            placeholder="Search objects"
            search={searchObjects}
            choose={({ key }) => lookAt(key)}
          />
          {object !== undefined && <ObjectPart key={object} object={object} />}
          {object === undefined && isLooking && <Waiting text="Scoring all objects…" />}
          {object === undefined && !isLooking && <p class="soft">The model suggests no tag for any object.</p>}
        </div>
        <div class="side-column">
          <MostConfident />
        </div>
      </div>
    </section>
  );
}

function Downloads({ facts }: { readonly facts: TrainedFacts }) {
  const [isMaking, setMaking] = useState(false);
  const name = `${facts.model}.tagloom`;
  const takeSuggestions = async () => {
    setMaking(true);
    await take('suggestionsFile', 'suggestions.tsv');
    setMaking(false);
  };
  return (
    <div class="downloads">
      <button type="button" class="accept" onClick={() => take('modelFile', name)}>
        <Icon name="download" />
        Download model ({(facts.fileBytes / 1e6).toFixed(1)} MB)
      </button>
      <button type="button" disabled={isMaking} onClick={takeSuggestions}>
        <Icon name="download" />
        {isMaking ? 'Suggesting for all objects…' : 'Download all suggestions'}
      </button>
      <small>
        The model is the file that <code>tagloom train</code> writes: <code>tagloom serve {name}</code> reviews its
        suggestions.
      </small>
    </div>
  );
}

async function searchObjects(query: string) {
  const found = await ask('search', [query]);
  const options = found.map(({ object, title, numTags }): Option => {
    const hint = counted(numTags, 'tag');
    return { key: object, label: title, hint: title === object ? hint : `${object} · ${hint}` };
  });
  return [{ name: 'Objects', options }];
}

function ObjectPart({ object }: { readonly object: string }) {
  const loaded = useLoaded(object, () => ask('view', [object]));
  return <LoadedPart loaded={loaded}>{(view) => <ObjectSuggestions view={view} />}</LoadedPart>;
}

function ObjectSuggestions({ view }: { readonly view: ObjectView }) {
  const { object, title, tags, suggestions } = view;
  const [open, setOpen] = useState<string>();
  const tag = open ?? suggestions[0]?.tag; // the words that count for it are marked
  const why = useLoaded(tag, () => ask('explain', [object, tag ?? '']));
  const isExplaining = tag !== undefined && why.state === 'loading';
  const marks = isExplaining ? undefined : (why.value?.marks ?? []);
  return (
    <article class="object-view" aria-labelledby="object">
      <h3 id="object">
        <MarkedWords isName text={title} marks={marksIn(marks, undefined)} most={strongest(marks)} />{' '}
        {title !== object && <small class="id">{object}</small>}
      </h3>
      <ObjectBody of={view} marks={marks} tag={tag} />
      <p class="chips">
        {tags.length === 0 && <span class="soft">It has no tags.</span>}
        {tags.map((own) => (
          <span key={own} class="chip">
            {own}
          </span>
        ))}
      </p>
      {suggestions.length === 0 && <p class="soft">The model suggests no tag for this object.</p>}
      <ol class="suggestions">
        {suggestions.map(({ tag: one, score, confidence }) => (
          <li key={one} class="suggestion plain-suggestion">
            <span class="suggestion-tag">{one}</span>
            <ConfidenceBand confidence={confidence} score={score} />
            <button
              type="button"
              class="bare why"
              aria-expanded={open === one}
              aria-label={`Why ${one}`}
              title="Why"
              onClick={() => setOpen(open === one ? undefined : one)}
            >
              <Icon name="why" />
            </button>
            {open === one && <Why loaded={why} tag={one} />}
          </li>
        ))}
      </ol>
    </article>
  );
}

const NAMES: Names = {
  tag: (tag) => tag,
  object: (object, title) => (
    <button type="button" class="quiet inline" onClick={() => lookAt(object)}>
      {title}
    </button>
  ),
};

function Why({ loaded, tag }: { readonly loaded: Loaded<Explanation>; readonly tag: string }) {
  return (
    <section class="explanation" aria-label={`Why ${tag}`}>
      <LoadedPart loaded={loaded}>
        {(explanation) => <ExplanationView explanation={explanation} names={NAMES} />}
      </LoadedPart>
    </section>
  );
}

function MostConfident() {
  const mostConfident = useStore(trainState, (all) => all.mostConfident);
  const knowsConfidence = mostConfident === undefined || mostConfident.byConfidence !== undefined;
  const object = useStore(trainState, (all) => all.object);
  return (
    <section aria-labelledby="most-confident">
      <h3 id="most-confident">{knowsConfidence ? 'Most confident suggestions' : 'Highest scores'}</h3>
      {mostConfident === undefined ? (
        <Waiting text="Scoring all objects…" />
      ) : (
        <ol class="most-confident">
          {mostConfident.suggestions.map(({ object: name, title, tag, score, confidence }) => (
            <li key={name}>
              <button
                type="button"
                class="most-confident-row"
                aria-current={name === object ? 'true' : undefined}
                onClick={() => lookAt(name)}
              >
                <span class="most-confident-words">
                  <span>{title}</span>
                  <small>{tag}</small>
                </span>
                <ConfidenceBand confidence={confidence} score={score} />
              </button>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
