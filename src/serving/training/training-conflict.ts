// What may be in the way of training again, or go wrong with it, in words a person can act on.

import { InputError } from '../../errors.ts';

/** What is in the way, and what to do. */
export interface TrainingProblem {
  readonly detail: string;
  readonly cure: string;
}

/** Asked for at the wrong moment, or of a model that cannot be trained again here. */
export class TrainingConflict extends Error {
  override readonly name = 'TrainingConflict';
  readonly cure: string;

  constructor({ detail, cure }: TrainingProblem) {
    super(detail);
    this.cure = cure;
  }
}

export const OTHER_MODEL: TrainingProblem = {
  detail: 'Another model was loaded while this one was trained, so that they cannot be compared.',
  cure: 'Train again.',
};

export function problemOf(error: unknown): TrainingProblem {
  if (!(error instanceof InputError)) {
    const why = error instanceof Error ? error.message : String(error);
    return { detail: `Something went wrong inside the service (${why}).`, cure: 'Please report it.' };
  }
  const { got, expected, cure } = error.problem;
  return { detail: `Got ${got}, expected ${expected}.`, cure };
}

export function running(): TrainingConflict {
  return new TrainingConflict({ detail: 'A training runs.', cure: 'Wait until it is done, or stop it.' });
}

export function runningElsewhere(): TrainingConflict {
  const detail = 'Another process trains the model.';
  return new TrainingConflict({ detail, cure: 'Wait until it is done, or stop it there.' });
}

export function noTraining(): TrainingConflict {
  const detail = 'No training runs, and no new model waits.';
  return new TrainingConflict({ detail, cure: 'There is nothing to stop.' });
}

export function noNewModel(): TrainingConflict {
  const detail = 'There is no new model that was compared with the one that serves.';
  return new TrainingConflict({ detail, cure: 'Train one: POST /v1/model/training.' });
}

export function noModelBefore(): TrainingConflict {
  const detail = 'There is no model before the one that serves.';
  return new TrainingConflict({ detail, cure: 'A model is kept where a newly trained one takes its place.' });
}
