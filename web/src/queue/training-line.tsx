// Above the queue, in a line: that training again is worth it by now, how far it is, and the new model. Nothing where there is nothing
// to do; all that is known is on the screen About.

import { Link } from '../navigation/link.tsx';
import { counted } from '../numbers.ts';
import { NewModelChoice, TrainingFailure, TrainingProgress } from '../parts/training-steps.tsx';
import { forget, isOffered, isRunning, putOff, trainAgain, useTraining } from '../state/training.ts';

const AFTER_MS = 1000; // first what is to be decided

export function TrainingLine() {
  const view = useTraining(AFTER_MS);
  const { facts, isBusy } = view;
  if (facts === undefined) return null;
  if (isRunning(facts)) {
    return (
      <section class="training-line" aria-label="Training">
        <TrainingProgress facts={facts} isBusy={isBusy} />
      </section>
    );
  }
  if (facts.state === 'ready') {
    return (
      <section class="training-line" aria-label="Training">
        <p>
          <Statement text={facts.trained?.comparison.statement ?? ''} /> <Link to="/about">More</Link>
        </p>
        <div class="actions">
          <NewModelChoice isBusy={isBusy} />
        </div>
      </section>
    );
  }
  if (facts.state !== 'failed' && !isOffered(view)) return null;
  return (
    <section class="training-line" aria-label="Training">
      {facts.state === 'failed' ? (
        <TrainingFailure facts={facts} />
      ) : (
        <p>{counted(facts.numDecisions, 'decision')} since the model was trained.</p>
      )}
      <div class="actions">
        <button type="button" onClick={() => trainAgain()} disabled={isBusy}>
          Train again
        </button>
        <button type="button" class="quiet" onClick={facts.state === 'failed' ? forget : putOff} disabled={isBusy}>
          {facts.state === 'failed' ? 'Dismiss' : 'Later'}
        </button>
      </div>
    </section>
  );
}

/** On a phone there is room for its first sentence. */
function Statement({ text }: { readonly text: string }) {
  const end = text.indexOf('. ') + 1;
  return (
    <>
      {end === 0 ? text : text.slice(0, end)}
      {end > 0 && <span class="rest">{text.slice(end)}</span>}
    </>
  );
}
