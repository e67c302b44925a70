// The canvas that the points of a map are drawn on. One with WebGL takes as long to make as the rest of a map that is opened again:
// it is kept with its points, ready for the next time.

import { type Painter, USUAL } from './painter.ts';
import { openPlain } from './plain-points.ts';
import type { PointCloud } from './point-cloud.ts';
import { openWebgl } from './webgl-points.ts';

export interface PointsCanvas {
  readonly canvas: HTMLCanvasElement;
  /** Undefined where the browser draws nothing. */
  readonly painter: Painter | undefined;
}

const kept = new WeakMap<PointCloud, PointsCanvas>(); // those that no page shows

export function takePoints(cloud: PointCloud): PointsCanvas {
  const known = kept.get(cloud);
  kept.delete(cloud);
  if (known?.painter !== undefined && !known.painter.isLost()) {
    known.painter.setEmphasis(new Uint8Array(cloud.size).fill(USUAL));
    return known;
  }
  const canvas = document.createElement('canvas');
  return { canvas, painter: openWebgl(canvas, cloud) ?? openPlain(canvas, cloud) };
}

/** For the next time; one that is there already is not needed twice. */
export function keepPoints(cloud: PointCloud, points: PointsCanvas): void {
  points.canvas.remove();
  if (kept.has(cloud)) points.painter?.release();
  else kept.set(cloud, points);
}
