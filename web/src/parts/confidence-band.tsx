// How sure a suggestion is: a band woven as far as it is likely, and the figure; below it the score, where that is what sets it
// apart from its neighbours. Models that know no confidence show scores.

import { figureAmong, type Ranked } from '../numbers.ts';

interface ConfidenceBandProps extends Ranked {
  /** The list it stands in and where, for a figure that differs from those beside it. */
  readonly among?: readonly Ranked[];
  readonly index?: number;
}

export function ConfidenceBand({ confidence, score, among = [{ confidence, score }], index = 0 }: ConfidenceBandProps) {
  const { figure, tie } = figureAmong(among, index);
  if (confidence === undefined) {
    return (
      <span class="confidence">
        <span class="figure">
          <span class="unseen">score </span>
          {figure}
        </span>
      </span>
    );
  }
  return (
    <span class="confidence">
      <span class="band" aria-hidden="true">
        <span class="woven" style={{ width: `${100 * confidence}%` }} />
      </span>
      <span class="figure">
        {figure}
        {tie !== undefined && (
          <small class="tie" title="The score orders suggestions of the same confidence">
            {' '}
            score {tie}
          </small>
        )}
      </span>
    </span>
  );
}
