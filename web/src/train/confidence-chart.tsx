// How confident the model is of the best suggestion of each object: how much there is to gain from it.

import { counted, sharePercent, whole } from '../numbers.ts';

const [WIDTH, HEIGHT] = [520, 220];
const [LEFT, RIGHT, TOP, BOTTOM] = [60, 14, 24, 34];
const GAP = 3;
const TICKS = [
  { share: 0, anchor: 'start' },
  { share: 0.5, anchor: 'middle' },
  { share: 1, anchor: 'end' },
] as const;

export function ConfidenceChart({ byConfidence }: { readonly byConfidence: readonly number[] }) {
  const numBins = byConfidence.length;
  const most = Math.max(...byConfidence, 1);
  const x = (bin: number) => LEFT + ((WIDTH - LEFT - RIGHT) * bin) / numBins;
  const y = (count: number) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * count) / most;
  const bins = byConfidence.map((count, bin) => ({ count, bin }));
  const label = 'Objects by the confidence of their best suggestion';
  return (
    <figure>
      <figcaption>{label}</figcaption>
      <svg class="run-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        {[0, most].map((count) => (
          <g key={count}>
            <path class="grid" d={`M${LEFT} ${y(count)}H${WIDTH - RIGHT}`} />
            <text x={LEFT - 6} y={y(count) + 4} text-anchor="end">
              {whole(count)}
            </text>
          </g>
        ))}
        {TICKS.map(({ share, anchor }) => (
          <text key={share} x={x(share * numBins)} y={HEIGHT - BOTTOM + 18} text-anchor={anchor}>
            {sharePercent(share)}
          </text>
        ))}
        {bins.map(({ count, bin }) => (
          <rect
            key={bin}
            class="bin"
            x={x(bin) + GAP / 2}
            y={y(count)}
            width={x(1) - x(0) - GAP}
            height={y(0) - y(count)}
          >
            <title>
              {`${sharePercent(bin / numBins)} to ${sharePercent((bin + 1) / numBins)} confidence: ${counted(count, 'object')}`}
            </title>
          </rect>
        ))}
      </svg>
    </figure>
  );
}
