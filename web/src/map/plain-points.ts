// Points on a plain canvas, for browsers without WebGL: slower, the same picture.

import { type Colour, FIRST_RING } from './cluster-colours.ts';
import { FAINT, type Painter, pointSize, USUAL } from './painter.ts';
import type { PointCloud } from './point-cloud.ts';
import type { ViewBox } from './view-box.ts';

const OPACITY = { [FAINT]: 0.12, [USUAL]: 0.85 };

export function openPlain(canvas: HTMLCanvasElement, cloud: PointCloud): Painter | undefined {
  const context = canvas.getContext('2d');
  if (context === null) return undefined;
  let emphasis = new Uint8Array(cloud.size).fill(USUAL);
  return {
    setEmphasis(values) {
      emphasis = new Uint8Array(values);
    },
    paint(view: ViewBox, palette: readonly Colour[], pixelRatio: number) {
      context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
      context.clearRect(0, 0, view.width, view.height);
      const radius = pointSize(view, cloud.size) / 2;
      for (let point = 0; point < cloud.size; point++) {
        const [x, y] = view.toPixel(cloud.places[2 * point], cloud.places[2 * point + 1]);
        if (x < -radius || y < -radius || x > view.width + radius || y > view.height + radius) continue;
        const cluster = cloud.clusters[point];
        const [red, green, blue] = palette[cluster % FIRST_RING].map((part) => Math.round(255 * part));
        const colour = `rgb(${red} ${green} ${blue} / ${OPACITY[emphasis[point] as 0 | 1]})`;
        context.beginPath();
        if (cluster >= FIRST_RING) {
          context.arc(x, y, radius * 0.8, 0, 2 * Math.PI);
          context.strokeStyle = colour;
          context.lineWidth = radius * 0.4;
          context.stroke();
        } else {
          context.arc(x, y, radius, 0, 2 * Math.PI);
          context.fillStyle = colour;
          context.fill();
        }
      }
    },
    isLost: () => false,
    release: () => {},
  };
}
