// Which part of a map is in sight, and the way between its places and the pixels (of the page) of a canvas.

import type { Bounds } from './point-cloud.ts';

const MARGIN = 28; // pixels around the whole
const MOST_ZOOM = 400; // times the whole

export class ViewBox {
  width = 1;
  height = 1;
  #x = 0; // the place in the middle
  #y = 0;
  #scale = 1; // pixels for one unit
  #whole = 1; // the scale at which all is in sight

  get scale(): number {
    return this.#scale;
  }

  /** 1 where all is in sight. */
  get zoom(): number {
    return this.#scale / this.#whole;
  }

  get middle(): readonly [number, number] {
    return [this.#x, this.#y];
  }

  get bounds(): Bounds {
    const [halfWidth, halfHeight] = [this.width / 2 / this.#scale, this.height / 2 / this.#scale];
    return {
      left: this.#x - halfWidth,
      right: this.#x + halfWidth,
      bottom: this.#y - halfHeight,
      top: this.#y + halfHeight,
    };
  }

  /** A new size keeps the middle where it is. */
  resize(width: number, height: number, all: Bounds): void {
    const zoom = this.zoom;
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    this.#whole = this.#wholeScale(all);
    this.#scale = this.#whole * zoom;
  }

  showAll(all: Bounds): void {
    this.#x = (all.left + all.right) / 2;
    this.#y = (all.bottom + all.top) / 2;
    this.#whole = this.#wholeScale(all);
    this.#scale = this.#whole;
  }

  pan(right: number, down: number): void {
    this.#x -= right / this.#scale;
    this.#y += down / this.#scale;
  }

  /** What is at this pixel stays there. */
  zoomAt(pixelX: number, pixelY: number, factor: number): void {
    const [x, y] = this.toPlace(pixelX, pixelY);
    this.#scale = Math.max(this.#whole / 2, Math.min(this.#whole * MOST_ZOOM, this.#scale * factor));
    const [nowX, nowY] = this.toPlace(pixelX, pixelY);
    this.#x += x - nowX;
    this.#y += y - nowY;
  }

  centreOn(x: number, y: number, leastZoom: number): void {
    this.#x = x;
    this.#y = y;
    this.#scale = Math.max(this.#scale, this.#whole * leastZoom);
  }

  toPixel(x: number, y: number): readonly [number, number] {
    return [(x - this.#x) * this.#scale + this.width / 2, this.height / 2 - (y - this.#y) * this.#scale];
  }

  toPlace(pixelX: number, pixelY: number): readonly [number, number] {
    return [(pixelX - this.width / 2) / this.#scale + this.#x, (this.height / 2 - pixelY) / this.#scale + this.#y];
  }

  #wholeScale({ left, right, bottom, top }: Bounds): number {
    const [width, height] = [this.width - 2 * MARGIN, this.height - 2 * MARGIN].map((size) => Math.max(40, size));
    const scale = Math.min(width / (right - left || 1), height / (top - bottom || 1));
    return scale > 0 ? scale : 1;
  }
}
