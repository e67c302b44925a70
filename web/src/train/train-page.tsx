// The page: data, a model, its training, a review of its suggestions, all of them, one below the other.

import { Mark } from '../parts/mark.tsx';
import { SchemeButton } from '../parts/scheme-button.tsx';
import { useStore } from '../store.ts';
import { DataPart } from './data-part.tsx';
import { ModelPart } from './model-part.tsx';
import { ReviewPart } from './review-part.tsx';
import { RunPart } from './run-part.tsx';
import { SuggestionsPart } from './suggestions-part.tsx';
import { trainState } from './train-state.ts';

/** Where the service that serves the page has its own; elsewhere there is none. */
const HOME = document.querySelector<HTMLMetaElement>('meta[name="tagloom-service"]')?.content;

export function TrainPage() {
  const hasRun = useStore(trainState, ({ run }) => run.state !== 'none');
  const isDone = useStore(trainState, ({ run }) => run.state === 'done');
  return (
    <>
      <header class="top train-top">
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <div class="top-row">
          <span class="brand">
            <Mark size={26} />
            <span class="wordmark">tagloom</span>
          </span>
          {HOME !== undefined && (
            <nav aria-label="Screens">
              <ul>
                <li>
                  <a href={HOME}>Queue</a>
                </li>
                <li>
                  <a href="./" aria-current="page">
                    Train
                  </a>
                </li>
              </ul>
            </nav>
          )}
          <span class="top-end">
            <SchemeButton />
          </span>
        </div>
      </header>
      <main id="main" class="train-screen" tabIndex={-1}>
        <div class="screen-head">
          <h1>Train in this tab</h1>
          <p class="soft">Your files stay in this tab: no upload, no account.</p>
        </div>
        <DataPart />
        <ModelPart />
        {hasRun && <RunPart />}
        {isDone && <ReviewPart />}
        {isDone && <SuggestionsPart />}
      </main>
    </>
  );
}
