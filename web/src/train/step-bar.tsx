// How far a step is.

import { Waiting } from '../parts/loaded-part.tsx';
import type { Step } from './train-state.ts';

export function StepBar({ step, waiting }: { readonly step: Step | undefined; readonly waiting: string }) {
  if (step === undefined) return <Waiting text={waiting} />;
  const { name, done, total } = step;
  return (
    <label class="step-bar">
      <span class="step-name">{name}</span>
      <progress value={done} max={Math.max(1, total)} />
    </label>
  );
}
