// A line that grows while a run goes on, from zero, with a yardstick to hold it against.

import type { Point } from './train-state.ts';

const [WIDTH, HEIGHT] = [520, 220];
const [LEFT, RIGHT, TOP, BOTTOM] = [60, 14, 24, 34];

interface LineChartProps {
  readonly label: string;
  readonly points: readonly Point[];
  /** Where the axis ends, at least. */
  readonly end: number;
  /** Whether the line is the best so far, and each point only an attempt. */
  readonly best?: boolean;
  readonly yardstick?: { readonly name: string; readonly y: number } | undefined;
}

export function LineChart({ label, points, end, best = false, yardstick }: LineChartProps) {
  const highest = Math.max(...points.map(({ y }) => y), yardstick?.y ?? 0, 1e-9);
  const last = Math.max(points.at(-1)?.x ?? 1, end, 2);
  const x = (value: number) => LEFT + ((WIDTH - LEFT - RIGHT) * (value - 1)) / (last - 1);
  const y = (value: number) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * value) / highest;
  const line = best ? runningBest(points) : points;
  const digits = highest < 10 ? 2 : 0;
  const now = line.at(-1);
  return (
    <figure>
      <figcaption>
        {label}
        {now !== undefined && <span class="chart-now">{now.y.toFixed(best || yardstick ? 4 : 3)}</span>}
      </figcaption>
      <svg class="run-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <path class="grid" d={`M${LEFT} ${y(share * highest)}H${WIDTH - RIGHT}`} />
            <text x={LEFT - 6} y={y(share * highest) + 4} text-anchor="end">
              {(share * highest).toFixed(digits)}
            </text>
          </g>
        ))}
        {ticks(last).map((tick) => (
          <text key={tick} x={x(tick)} y={HEIGHT - BOTTOM + 18} text-anchor="middle">
            {tick}
          </text>
        ))}
        {yardstick !== undefined && (
          <g class="yardstick">
            <path d={`M${LEFT} ${y(yardstick.y)}H${WIDTH - RIGHT}`} />
            <text x={WIDTH - RIGHT} y={y(yardstick.y) - 5} text-anchor="end">
              {yardstick.name} {yardstick.y.toFixed(4)}
            </text>
          </g>
        )}
        <polyline class={best ? 'run-line-path stepped' : 'run-line-path'} points={pathOf(line, best, x, y)} />
        {points.map((point) => (
          <circle key={point.x} class="run-point" cx={x(point.x)} cy={y(point.y)} r={points.length > 60 ? 1.5 : 3}>
            <title>{`${point.x}: ${point.y.toFixed(4)}`}</title>
          </circle>
        ))}
      </svg>
    </figure>
  );
}

function runningBest(points: readonly Point[]): Point[] {
  let best = 0;
  return points.map(({ x, y }) => {
    best = Math.max(best, y);
    return { x, y: best };
  });
}

/** From point to point; what holds until something better comes goes in steps. */
function pathOf(
  line: readonly Point[],
  inSteps: boolean,
  x: (value: number) => number,
  y: (value: number) => number,
): string {
  return line
    .flatMap((point, i) => {
      const at = `${x(point.x)},${y(point.y)}`;
      return inSteps && i > 0 ? [`${x(point.x)},${y(line[i - 1].y)}`, at] : [at];
    })
    .join(' ');
}

/** The first, the last, and some between. */
function ticks(last: number): number[] {
  const step = Math.max(1, Math.ceil(last / 6));
  const inner = Array.from({ length: Math.floor(last / step) }, (_, i) => (i + 1) * step);
  return [1, ...inner.filter((tick) => tick > 1 + step / 2 && tick < last - step / 2), last];
}
