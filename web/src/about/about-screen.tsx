// What is served: the model, its data, how it compares; and who is at work.

import type { ModelFacts } from '../api/shapes.ts';
import { Link } from '../navigation/link.tsx';
import { longTime, whole } from '../numbers.ts';
import { CountList } from '../parts/count-list.tsx';
import { LoadedPart } from '../parts/loaded-part.tsx';
import { Screen } from '../parts/screen.tsx';
import { useModel } from '../state/model-facts.ts';
import { metricLabel } from './comparison.ts';
import { ComparisonPart } from './comparison-part.tsx';
import { TrainingPart } from './training-part.tsx';
import { YouPart } from './you-part.tsx';
import '../style/about.css';

export function AboutScreen() {
  const loaded = useModel();
  return (
    <Screen title="About" heading="About" class="about-screen">
      <div class="columns">
        <div class="main-column">
          <section aria-labelledby="model">
            <h2 id="model">Model and data</h2>
            <LoadedPart loaded={loaded}>{(model) => <Facts model={model} />}</LoadedPart>
          </section>
          <TrainingPart />
          <ComparisonPart model={loaded.value?.name} />
        </div>
        <div class="side-column">
          <YouPart isGuarded={loaded.value?.guarded ?? false} />
          <section aria-labelledby="others">
            <h2 id="others">Others</h2>
            <p>
              <Link to="/people">People</Link> who may review here, and <Link to="/log">who did what</Link>.
            </p>
          </section>
          <section aria-labelledby="api">
            <h2 id="api">API</h2>
            <p>
              Programs can do all that this page does: <a href="/docs">reference</a>,{' '}
              <a href="/openapi.json">openapi.json</a>
            </p>
          </section>
          <section aria-labelledby="train">
            <h2 id="train">Other data</h2>
            <p>
              <a href="/train/">Train a model in a tab</a>. Your files stay in the browser.
            </p>
          </section>
        </div>
      </div>
    </Screen>
  );
}

function Facts({ model }: { readonly model: ModelFacts }) {
  const counts: readonly (readonly [string, number | undefined])[] = [
    ['objects', model.numObjects],
    ['tags', model.numTags],
    ['users', model.numUsers],
    ['tagged pairs', model.numTagged],
    ['interactions', model.numInteractions],
  ];
  const facts: readonly (readonly [string, string])[] = [
    ['Model', model.name],
    ['tagloom', model.version],
    ['Loaded', longTime(model.loadedAt)],
    ['Fingerprint', model.fingerprint],
    ['Calibrated confidence', model.knowsConfidence ? 'yes' : 'no'],
    ['Suggests tags for new objects', model.foldsIn ? 'yes' : 'no'],
    ...(model.textColumns.length > 0 ? [['Text columns', model.textColumns.join(', ')] as const] : []),
    ...Object.entries(model.metrics).map(([name, value]) => [metricLabel(name), metricText(name, value)] as const),
  ];
  return (
    <>
      <CountList counts={counts} />
      <dl class="facts">
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <details>
        <summary>Settings it was trained with</summary>
        <dl class="facts">
          {Object.entries(model.settings).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{String(value)}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  );
}

/** Shares have a cut, as in Recall@3; the rest are counts. */
function metricText(name: string, value: number): string {
  return name.includes('@') || !Number.isInteger(value) ? value.toFixed(4) : whole(value);
}
