// Training again, with all that is known: how much was decided since, a training that runs, how old and new compare, the way back.

import { useState } from 'preact/hooks';
import type { TrainedModel, Training } from '../api/shapes.ts';
import { counted, longTime, whole } from '../numbers.ts';
import { Waiting } from '../parts/loaded-part.tsx';
import { NewModelChoice, TrainingFailure, TrainingProgress } from '../parts/training-steps.tsx';
import { goBack, isRunning, trainAgain, useTraining } from '../state/training.ts';

export function TrainingPart() {
  const { facts, isBusy } = useTraining();
  return (
    <section aria-labelledby="training" class="training-part">
      <h2 id="training">Training again</h2>
      {facts === undefined ? <Waiting /> : <Steps facts={facts} isBusy={isBusy} />}
    </section>
  );
}

interface StepsProps {
  readonly facts: Training;
  readonly isBusy: boolean;
}

function Steps({ facts, isBusy }: StepsProps) {
  const { state, trained, canRestore } = facts;
  return (
    <>
      {isRunning(facts) && <TrainingProgress facts={facts} isBusy={isBusy} />}
      {state === 'failed' && (
        <div class="problem" role="alert">
          <TrainingFailure facts={facts} />
        </div>
      )}
      {state === 'ready' && trained !== undefined && <NewModel trained={trained} isBusy={isBusy} />}
      {!isRunning(facts) && <Beginning facts={facts} isBusy={isBusy} />}
      {canRestore && !isRunning(facts) && (
        <div class="actions">
          <button type="button" onClick={goBack} disabled={isBusy}>
            Go back to the model before
          </button>
        </div>
      )}
    </>
  );
}

function Beginning({ facts: { numDecisions, offeredFrom, obstacle }, isBusy }: StepsProps) {
  const [usesIfBetter, setUsesIfBetter] = useState(false);
  const since = `${counted(numDecisions, 'decision')} since the model was trained.`;
  if (obstacle !== undefined) {
    return (
      <p>
        {since} It cannot be trained here. {obstacle.detail} {obstacle.cure}
      </p>
    );
  }
  return (
    <>
      <p>
        {since} {numDecisions < offeredFrom && `From ${whole(offeredFrom)} on it is worth training again. `}
        <span class="soft">The page goes on meanwhile; the old model stays in use until you say otherwise.</span>
      </p>
      <div class="actions">
        <button type="button" onClick={() => trainAgain(usesIfBetter)} disabled={isBusy || numDecisions === 0}>
          Train again
        </button>
        <label class="check">
          <input
            type="checkbox"
            checked={usesIfBetter}
            onChange={(event) => setUsesIfBetter(event.currentTarget.checked)}
          />
          Use the new model at once if it is better
        </label>
      </div>
    </>
  );
}

function NewModel({ trained, isBusy }: { readonly trained: TrainedModel; readonly isBusy: boolean }) {
  const { comparison, numLearnt, finishedAt } = trained;
  return (
    <div class="new-model">
      <p>{comparison.statement}</p>
      <ComparisonTable comparison={comparison} />
      <p class="note">
        Trained {longTime(finishedAt)} with {counted(numLearnt, 'new decision')}. Both models know your other decisions.
        Most tags were decided on because the old model suggested them: that helps it with the accepted ones and harms
        it with the rejected ones.
      </p>
      <div class="actions">
        <NewModelChoice isBusy={isBusy} />
      </div>
    </div>
  );
}

function ComparisonTable({ comparison: { accepted, rejected, separation } }: Pick<TrainedModel, 'comparison'>) {
  return (
    <table class="old-and-new">
      <thead>
        <tr>
          <th scope="col">On what was held back</th>
          <th scope="col">Old</th>
          <th scope="col">New</th>
        </tr>
      </thead>
      <tbody>
        <Row name={`Of ${counted(accepted.numPairs, 'accepted tag')} among the first 3`} values={accepted.numFound} />
        <Row name="Recall@3" values={accepted.recallAt3} digits={4} />
        <Row name="Mean of 1 / rank" values={accepted.reciprocalRank} digits={4} />
        <Row
          name={`Of ${counted(rejected.numPairs, 'rejected tag')} among the first 5`}
          values={rejected.numSuggested}
        />
        {separation !== undefined && (
          <Row name="Surer of accepted than of rejected" values={separation.share} digits={4} />
        )}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly name: string;
  readonly values: { readonly old: number; readonly new: number };
  readonly digits?: number;
}

function Row({ name, values, digits }: RowProps) {
  const text = (value: number) => (digits === undefined ? whole(value) : value.toFixed(digits));
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="amount">{text(values.old)}</td>
      <td class="amount">{text(values.new)}</td>
    </tr>
  );
}
