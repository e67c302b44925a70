// A run: how far it is, what computes, what has become known so far.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { useStore } from '../store.ts';
import { RunCharts } from './run-charts.tsx';
import { FaultNote, StepBar, Warnings } from './status-notes.tsx';
import { cancel, type RunState, trainState } from './train-state.ts';

export function RunPart() {
  const run = useStore(trainState, (all) => all.run);
  const curve = useStore(trainState, (all) => all.curve);
  const warnings = useStore(trainState, (all) => all.runWarnings);
  const mostConfident = useStore(trainState, (all) => all.mostConfident);
  const heading = useRef<HTMLHeadingElement>(null);
  const isRunning = run.state === 'running';
  useLayoutEffect(() => {
    if (isRunning) heading.current?.focus(); // the button that began it is off now
  }, [isRunning]);
  return (
    <section class="stage" aria-labelledby="run">
      <h2 id="run" ref={heading} tabIndex={-1}>
        <span class="step-number">3</span> Training
      </h2>
      {isRunning && (
        <div class="running">
          <StepBar step={run.step} waiting="Getting ready…" />
          <button type="button" onClick={cancel}>
            Cancel
          </button>
        </div>
      )}
      {run.state === 'failed' && <FaultNote fault={run.fault} />}
      <p class="run-line" role="status">
        {outcomeOf(run)}
      </p>
      {curve?.engine !== undefined && (
        <p class="note">
          Engine: <code class="engine">{curve.engine}</code>
        </p>
      )}
      <Warnings texts={warnings} />
      {curve !== undefined && (
        <RunCharts curve={curve} isRunning={isRunning} byConfidence={mostConfident?.byConfidence} />
      )}
    </section>
  );
}

function outcomeOf(run: RunState): string {
  if (run.state === 'cancelled') return 'Cancelled. There is no model; the data is read again.';
  if (run.state !== 'done') return '';
  const { seconds, metrics } = run.facts;
  const recall = metrics['validation recall@3'];
  const found = recall === undefined ? '' : ` Recall@3 on hidden pairs: ${recall.toFixed(4)}.`;
  const best = metrics['best epoch'];
  return `Done in ${seconds.toFixed(1)} s.${found}${best === undefined ? '' : ` Best epoch: ${best}.`}`;
}
