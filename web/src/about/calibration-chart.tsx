// How well a model is calibrated: of the suggestions at each confidence, how many were right. On the diagonal it is calibrated.

import { counted, sharePercent } from '../numbers.ts';
import type { Bin } from './comparison.ts';

interface CalibrationChartProps {
  readonly model: string;
  readonly bins: readonly Bin[];
}

const SIZE = 260;
const [LEFT, BOTTOM, EDGE] = [44, 34, 10];
const LARGEST = 9;

export function CalibrationChart({ model, bins }: CalibrationChartProps) {
  const x = (share: number) => LEFT + (SIZE - LEFT - EDGE) * share;
  const y = (share: number) => SIZE - BOTTOM - (SIZE - BOTTOM - EDGE) * share;
  const most = Math.max(...bins.map(({ size }) => size));
  const radius = (size: number) => Math.max(2, LARGEST * Math.sqrt(size / most));
  const label = `${model}: share of right suggestions by confidence`;
  return (
    <figure>
      <figcaption>{label}</figcaption>
      <svg class="calibration" viewBox={`0 0 ${SIZE} ${SIZE}`} role="img" aria-label={label}>
        <path class="grid" d={`M${x(0)} ${y(0)}H${x(1)}M${x(0)} ${y(0)}V${y(1)}`} />
        <path class="diagonal" d={`M${x(0)} ${y(0)}L${x(1)} ${y(1)}`} />
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <text x={x(share)} y={SIZE - BOTTOM + 18} text-anchor="middle">
              {sharePercent(share)}
            </text>
            <text x={LEFT - 6} y={y(share) + 4} text-anchor="end">
              {sharePercent(share)}
            </text>
          </g>
        ))}
        {bins.map(({ confidence, right, size }) => (
          <circle key={confidence} class="bin" cx={x(confidence)} cy={y(right)} r={radius(size)}>
            <title>{`${sharePercent(confidence)} confidence, ${sharePercent(right)} right (${counted(size, 'suggestion')})`}</title>
          </circle>
        ))}
      </svg>
    </figure>
  );
}
