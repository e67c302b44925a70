// How sure a suggestion is: a band woven as far as it is likely, and the figure. Models that know no confidence show scores.

import { percent } from '../numbers.ts';

interface ConfidenceBandProps {
  readonly confidence?: number | undefined;
  readonly score: number;
}

export function ConfidenceBand({ confidence, score }: ConfidenceBandProps) {
  if (confidence === undefined) {
    return (
      <span class="confidence">
        <span class="figure">
          <span class="unseen">score </span>
          {score.toFixed(3)}
        </span>
      </span>
    );
  }
  return (
    <span class="confidence">
      <span class="band" aria-hidden="true">
        <span class="woven" style={{ width: `${100 * confidence}%` }} />
      </span>
      <span class="figure">{percent(confidence)}</span>
    </span>
  );
}
