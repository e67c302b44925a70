// What a run has shown so far, drawn while it goes on: loss and Recall@3 by epoch, or Recall@3 by rehearsal, with what suggesting
// the most common tags comes to beside it.

import { ConfidenceChart } from './confidence-chart.tsx';
import { LineChart } from './line-chart.tsx';
import type { Curve } from './train-state.ts';

interface RunChartsProps {
  readonly curve: Curve;
  readonly isRunning: boolean;
  readonly byConfidence: readonly number[] | undefined;
}

export function RunCharts({ curve, isRunning, byConfidence }: RunChartsProps) {
  const { losses, recalls, numEpochs } = curve;
  const inEpochs = numEpochs !== undefined;
  const end = (isRunning ? numEpochs : losses.at(-1)?.x) ?? recalls.length;
  const hasBegun = recalls.length > 0 || losses.length > 0;
  if (!hasBegun && isRunning) {
    return <p class="note">The plot begins with the first {inEpochs ? 'epoch' : 'rehearsal'}.</p>;
  }
  return (
    <div class="run-charts">
      {hasBegun && <RecallChart curve={curve} end={end} />}
      {inEpochs && <LineChart label="Loss by epoch" points={losses} end={end} />}
      {byConfidence !== undefined && <ConfidenceChart byConfidence={byConfidence} />}
    </div>
  );
}

function RecallChart({ curve, end }: { readonly curve: Curve; readonly end: number }) {
  const { recalls, popularity, numEpochs } = curve;
  const inEpochs = numEpochs !== undefined;
  return (
    <div>
      <LineChart
        label={inEpochs ? 'Recall@3 on hidden pairs by epoch' : 'Recall@3 on hidden pairs by rehearsal'}
        points={recalls}
        end={end}
        best={!inEpochs}
        yardstick={popularity === undefined ? undefined : { name: 'popularity', y: popularity }}
      />
      {!inEpochs && (
        <p class="note">
          To choose its strengths, loom rehearses with a fifth of the pairs hidden, on a part of the objects where they
          are many. Then it learns from everything, and usually finds more.
        </p>
      )}
    </div>
  );
}
