// What there is to do about a training, wherever it is shown: how far it is, with a way to stop it, and a new model with its choice.

import type { Training } from '../api/shapes.ts';
import { forget, stop, takeNewModel } from '../state/training.ts';

interface StepsProps {
  readonly facts: Training;
  readonly isBusy: boolean;
}

export function TrainingProgress({ facts: { state, progress }, isBusy }: StepsProps) {
  const what = state === 'comparing' ? 'Comparing with the old model' : 'Training';
  const detail = progress === undefined || state === 'comparing' ? '' : `: ${progress.stage}`;
  return (
    <div class="training-progress">
      <label>
        <span class="training-step">
          {what}
          {detail}
        </span>
        <progress {...(progress && { value: progress.done, max: Math.max(1, progress.total) })} />
      </label>
      <button type="button" onClick={stop} disabled={isBusy}>
        Stop
      </button>
    </div>
  );
}

export function NewModelChoice({ isBusy }: { readonly isBusy: boolean }) {
  return (
    <>
      <button type="button" class="accept" onClick={takeNewModel} disabled={isBusy}>
        Use the new model
      </button>
      <button type="button" class="quiet" onClick={forget} disabled={isBusy}>
        Keep the old one
      </button>
    </>
  );
}

export function TrainingFailure({ facts: { problem } }: { readonly facts: Training }) {
  return (
    <p>
      <strong>The training failed.</strong> {problem?.detail} {problem?.cure}
    </p>
  );
}
