// Quality by the share of pairs to train on: a line for each model, the one in service thick.

import { sharePercent } from '../numbers.ts';
import { distinct, metricLabel, type Result } from './comparison.ts';

interface FractionsChartProps {
  readonly results: readonly Result[];
  readonly metric: string;
  readonly model: string | undefined;
}

const [WIDTH, HEIGHT] = [520, 260];
const [LEFT, RIGHT, TOP, BOTTOM] = [44, 96, 10, 34];
const NUM_COLOURS = 10;

export function FractionsChart({ results, metric, model }: FractionsChartProps) {
  const models = distinct(results.map((one) => one.model));
  const points = results.filter((one) => one.metrics[metric] !== undefined);
  if (points.length === 0) return null;
  const fractions = distinct(points.map(({ trainFraction }) => trainFraction)).sort((a, b) => a - b);
  const most = Math.max(...points.map((one) => one.metrics[metric].mean), 1e-9);
  const [low, high] = [fractions[0], fractions.at(-1) ?? 1];
  const x = (fraction: number) => LEFT + ((WIDTH - LEFT - RIGHT) * (fraction - low)) / (high - low || 1);
  const y = (value: number) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * value) / most;
  const label = `${metricLabel(metric)} by the share of pairs to train on`;
  const lines = models.map((name, i) => {
    const own = points.filter((one) => one.model === name).sort((a, b) => a.trainFraction - b.trainFraction);
    return { name, i, own };
  });
  const ends = spreadOut(
    lines.flatMap(({ own }) => (own.length === 0 ? [] : [y(own[own.length - 1].metrics[metric].mean)])),
  );
  let end = 0;
  return (
    <figure>
      <figcaption>{label}</figcaption>
      <svg class="fraction-lines" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <path class="grid" d={`M${LEFT} ${y(share * most)}H${WIDTH - RIGHT}`} />
            <text x={LEFT - 6} y={y(share * most) + 4} text-anchor="end">
              {(share * most).toFixed(2)}
            </text>
          </g>
        ))}
        {fractions.map((fraction) => (
          <text key={fraction} x={x(fraction)} y={HEIGHT - BOTTOM + 18} text-anchor="middle">
            {sharePercent(fraction)}
          </text>
        ))}
        {lines.map(({ name, i, own }) =>
          own.length === 0 ? null : (
            <g key={name} class={`line line-${i % NUM_COLOURS} ${name === model ? 'own' : ''}`}>
              <polyline points={own.map((one) => `${x(one.trainFraction)},${y(one.metrics[metric].mean)}`).join(' ')} />
              <text x={WIDTH - RIGHT + 8} y={ends[end++] + 4}>
                {name}
              </text>
            </g>
          ),
        )}
      </svg>
    </figure>
  );
}

/** Names at the ends of lines, moved apart as far as they must be. */
function spreadOut(heights: readonly number[], least = 14): number[] {
  const order = heights.map((height, i) => ({ height, i })).sort((a, b) => a.height - b.height);
  for (let i = 1; i < order.length; i++) order[i].height = Math.max(order[i].height, order[i - 1].height + least);
  const over = Math.max(0, (order.at(-1)?.height ?? 0) - (HEIGHT - BOTTOM));
  const out: number[] = [];
  for (const { height, i } of order) out[i] = height - over;
  return out;
}
