// What a run has shown so far, drawn while it goes on: loss and Recall@3 by epoch, or Recall@3 by attempt, with what suggesting
// the most common tags comes to beside it.

import type { Curve, Point } from './train-state.ts';

const [WIDTH, HEIGHT] = [520, 220];
const [LEFT, RIGHT, TOP, BOTTOM] = [52, 14, 24, 34];

export function RunCharts({ curve, isRunning }: { readonly curve: Curve; readonly isRunning: boolean }) {
  const { losses, recalls, popularity, numEpochs } = curve;
  const inEpochs = numEpochs !== undefined;
  const end = (isRunning ? numEpochs : losses.at(-1)?.x) ?? recalls.length;
  if (recalls.length === 0 && losses.length === 0) {
    return isRunning ? <p class="note">The plot begins with the first {inEpochs ? 'epoch' : 'attempt'}.</p> : null;
  }
  return (
    <div class="run-charts">
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
            loom rehearses on some of the objects to choose its strengths, and then learns from all: what it finds in
            the end is more.
          </p>
        )}
      </div>
      {inEpochs && <LineChart label="Loss by epoch" points={losses} end={end} />}
    </div>
  );
}

interface LineChartProps {
  readonly label: string;
  readonly points: readonly Point[];
  /** Where the axis ends, at least. */
  readonly end: number;
  /** Whether the line is the best so far, and each point only an attempt. */
  readonly best?: boolean;
  readonly yardstick?: { readonly name: string; readonly y: number } | undefined;
}

function LineChart({ label, points, end, best = false, yardstick }: LineChartProps) {
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
