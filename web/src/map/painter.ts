// What draws points: WebGL where there is some, else a plain canvas. Both draw the same.

import type { Colour } from './cluster-colours.ts';
import type { ViewBox } from './view-box.ts';

/** How much a point stands out. */
export const FAINT = 0;
export const USUAL = 1;

export interface Painter {
  /** By point FAINT or USUAL. */
  setEmphasis(emphasis: Uint8Array): void;
  paint(view: ViewBox, colours: readonly Colour[], pixelRatio: number): void;
  /** Whether the browser took away what it draws with. */
  isLost(): boolean;
  release(): void;
}

const SMALLEST = 3.5;
const LARGEST = 14;

/** The diameter of a point in pixels of the page: small where many are in sight, larger as one comes nearer. */
export function pointSize(view: ViewBox, numPoints: number): number {
  const crowd = Math.sqrt((view.width * view.height) / Math.max(1, numPoints)) / 3;
  return Math.max(SMALLEST, Math.min(LARGEST, crowd * Math.sqrt(view.zoom)));
}
