// A map on its two canvases: points below, names above. It draws when something changed, at most once a frame.

import { type Colour, clusterColours, pageColours } from './cluster-colours.ts';
import { listenToGestures } from './gestures.ts';
import type { Box } from './label-room.ts';
import { Labels } from './labels.ts';
import { FAINT, type Painter, USUAL } from './painter.ts';
import type { PointCloud } from './point-cloud.ts';
import { keepPoints, type PointsCanvas, takePoints } from './points-canvas.ts';
import { ViewBox } from './view-box.ts';

export interface MapWishes {
  /** Points that a search found; undefined: nothing was searched for. */
  readonly found: readonly number[] | undefined;
  /** The one cluster to look at; undefined: all. */
  readonly cluster: number | undefined;
  /** Pointed at from outside; −1: none. */
  readonly pointed: number;
}

export interface MapEvents {
  open(point: number): void;
  /** What the keyboard has in the middle; −1: nothing. */
  reach(point: number): void;
}

export interface MapElements {
  /** Holds the canvas of names, below which that of points is put, and takes the focus and the gestures. */
  readonly host: HTMLElement;
  readonly above: HTMLCanvasElement;
  /** Lies above a corner of both. */
  readonly buttons: HTMLElement;
}

const REACH = 14; // pixels
const MIDDLE_REACH = 60;
const NEAR = 8; // zoom at which a point is shown from near

export class MapDrawing {
  readonly #cloud: PointCloud;
  readonly #host: HTMLElement;
  readonly #points: PointsCanvas;
  readonly #above: HTMLCanvasElement;
  readonly #buttons: HTMLElement;
  readonly #view = new ViewBox();
  readonly #labels: Labels | undefined;
  readonly #endings: (() => void)[] = [];
  #wishes: MapWishes = { found: undefined, cluster: undefined, pointed: -1 };
  #colours: readonly Colour[] = clusterColours();
  #pageColours = pageColours();
  #pointed = -1;
  #frame = 0;
  #hasSize = false;
  #covered: readonly Box[] = [];

  constructor({ host, above, buttons }: MapElements, cloud: PointCloud, events: MapEvents) {
    this.#host = host;
    this.#cloud = cloud;
    this.#points = takePoints(cloud);
    host.prepend(this.#points.canvas);
    this.#above = above;
    this.#buttons = buttons;
    const context = above.getContext('2d');
    this.#labels = context === null ? undefined : new Labels(context, cloud);
    this.#listen(events);
  }

  get #painter(): Painter | undefined {
    return this.#points.painter;
  }

  /** Whether there is anything to draw with. */
  get isThere(): boolean {
    return this.#painter !== undefined;
  }

  wish(wishes: MapWishes): void {
    const isNewChoice = wishes.found !== this.#wishes.found || wishes.cluster !== this.#wishes.cluster;
    this.#wishes = wishes;
    if (isNewChoice) this.#painter?.setEmphasis(this.#emphasis());
    this.#later();
  }

  zoom(factor: number): void {
    this.#view.zoomAt(this.#view.width / 2, this.#view.height / 2, factor);
    this.#later();
  }

  showAll(): void {
    this.#view.showAll(this.#cloud.core);
    this.#later();
  }

  /** Brings a point to the middle, from near. */
  goTo(point: number): void {
    this.#view.centreOn(this.#cloud.places[2 * point], this.#cloud.places[2 * point + 1], NEAR);
    this.#later();
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
    for (const end of this.#endings) end();
    keepPoints(this.#cloud, this.#points);
  }

  #listen(events: MapEvents): void {
    const pick = (x: number, y: number, reach: number) => {
      const place = this.#view.toPlace(x, y);
      return this.#cloud.nearest(...place, reach / this.#view.scale, (point) => this.#isIn(point));
    };
    const pickMiddle = () => pick(this.#view.width / 2, this.#view.height / 2, MIDDLE_REACH);
    this.#endings.push(
      listenToGestures(this.#host, {
        pan: (right, down) => {
          this.#view.pan(right, down);
          this.#later();
        },
        zoomAt: (x, y, factor) => {
          this.#view.zoomAt(x, y, factor);
          this.#later();
        },
        showAll: () => this.showAll(),
        point: (x, y) => this.#point(x === undefined || y === undefined ? -1 : pick(x, y, REACH)),
        open: (x, y) => {
          const point = pick(x, y, REACH);
          if (point >= 0) events.open(point);
        },
        openMiddle: () => {
          const point = pickMiddle();
          if (point >= 0) events.open(point);
        },
        sayMiddle: () => {
          const point = pickMiddle();
          this.#point(point);
          events.reach(point);
        },
      }),
    );
    const size = new ResizeObserver(() => this.#resize());
    size.observe(this.#host);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const recolour = () => this.#recolour();
    dark.addEventListener('change', recolour);
    const scheme = new MutationObserver(recolour);
    scheme.observe(document.documentElement, { attributeFilter: ['data-scheme'] });
    this.#host.addEventListener('focus', () => this.#later());
    this.#host.addEventListener('blur', () => this.#later());
    this.#endings.push(
      () => size.disconnect(),
      () => scheme.disconnect(),
      () => dark.removeEventListener('change', recolour),
    );
  }

  #point(point: number): void {
    if (point === this.#pointed) return;
    this.#pointed = point;
    this.#host.style.cursor = point >= 0 ? 'pointer' : '';
    this.#later();
  }

  #recolour(): void {
    this.#colours = clusterColours();
    this.#pageColours = pageColours();
    this.#later();
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.#host;
    const [width, height] = [clientWidth, clientHeight].map((length) => Math.round(length * devicePixelRatio));
    for (const canvas of [this.#points.canvas, this.#above]) {
      // setting a size makes a canvas anew, even where it is the same
      if (canvas.width !== width) canvas.width = width;
      if (canvas.height !== height) canvas.height = height;
    }
    this.#covered = [within(this.#host.getBoundingClientRect(), this.#buttons.getBoundingClientRect())];
    this.#view.resize(clientWidth, clientHeight, this.#cloud.core);
    if (!this.#hasSize) this.#view.showAll(this.#cloud.core);
    this.#hasSize = true;
    this.#paint(); // at once: a canvas of a new size is blank
  }

  #later(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#paint());
  }

  #paint(): void {
    if (!this.#hasSize) return;
    const { found = [], cluster, pointed } = this.#wishes;
    this.#painter?.paint(this.#view, this.#colours, devicePixelRatio);
    const hasCross = this.#host.matches(':focus-visible');
    const wishes = {
      found,
      cluster,
      hasCross,
      pointed: this.#pointed >= 0 ? this.#pointed : pointed,
      covered: this.#covered,
    };
    this.#labels?.paint(this.#view, wishes, this.#pageColours, devicePixelRatio);
  }

  #isIn(point: number): boolean {
    const { cluster } = this.#wishes;
    return cluster === undefined || this.#cloud.clusters[point] === cluster;
  }

  #emphasis(): Uint8Array {
    const { found } = this.#wishes;
    const isFound = found === undefined ? undefined : new Set(found);
    return Uint8Array.from({ length: this.#cloud.size }, (_, point) =>
      this.#isIn(point) && (isFound === undefined || isFound.has(point)) ? USUAL : FAINT,
    );
  }
}

/** A box of the window as one of the picture. */
function within(picture: Box, { left, top, right, bottom }: Box): Box {
  return {
    left: left - picture.left,
    top: top - picture.top,
    right: right - picture.left,
    bottom: bottom - picture.top,
  };
}
