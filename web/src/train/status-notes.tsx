// How a part of the page is doing: how far a step is, what went wrong and what to do about it, warnings.

import { Waiting } from '../parts/loaded-part.tsx';
import type { Step } from './train-state.ts';
import type { Fault } from './worker/messages.ts';

export function FaultNote({ fault }: { readonly fault: Fault }) {
  return (
    <div class="problem" role="alert">
      <p>
        <strong>{fault.text}</strong> {fault.cure}
      </p>
    </div>
  );
}

export function Warnings({ texts }: { readonly texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <ul class="warnings" aria-label="Warnings">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

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
