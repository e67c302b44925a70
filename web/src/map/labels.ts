// Names on the map, above the points: what is under the pointer, what was searched for, single points where few are in sight or
// one has come near, clusters. All of a name is in sight; one that would cover another is left out.

import type { pageColours } from './cluster-colours.ts';
import { type Box, LabelRoom } from './label-room.ts';
import { pointSize } from './painter.ts';
import type { PointCloud } from './point-cloud.ts';
import type { ViewBox } from './view-box.ts';

export interface LabelWishes {
  /** Points that a search found, the best first. */
  readonly found: readonly number[];
  /** Under the pointer or in the middle of the keyboard's view; −1: none. */
  readonly pointed: number;
  /** The one cluster looked at; undefined: all. */
  readonly cluster: number | undefined;
  /** Whether the middle is marked, for those who steer with keys. */
  readonly hasCross: boolean;
  /** Parts of the picture that buttons cover. */
  readonly covered: readonly Box[];
}

type Colours = ReturnType<typeof pageColours>;

interface Label {
  readonly text: string;
  readonly width: number;
}

const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const CLUSTER_FONT = `600 ${FONT.replace('12px', '14px')}`;
const POINTED_FONT = `600 ${FONT.replace('12px', '13px')}`;
const MOST_NAMES = 150;
const MOST_FOUND = 40;
const MOST_LOOKED_AT = 800; // spread over all that are in sight
const CLUSTERS_UP_TO = 3; // zoom
const FEW = 200; // points in sight, whose names say more than those of their clusters
const WIDEST = 300; // pixels; longer names are shortened
const MOST_REMEMBERED = 5000; // widths of names

export class Labels {
  readonly #context: CanvasRenderingContext2D;
  readonly #cloud: PointCloud;
  readonly #middles: readonly (readonly [number, number] | undefined)[];
  readonly #measured = new Map<string, Label>();

  constructor(context: CanvasRenderingContext2D, cloud: PointCloud) {
    this.#context = context;
    this.#cloud = cloud;
    this.#middles = cloud.middles;
  }

  paint(view: ViewBox, wishes: LabelWishes, colours: Colours, pixelRatio: number): void {
    const context = this.#context;
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    context.textBaseline = 'middle';
    context.lineJoin = 'round';
    const room = new LabelRoom(view, wishes.covered);
    const inSight = this.#cloud.inside(view.bounds);
    const isFew = inSight.length <= FEW;
    const radius = pointSize(view, this.#cloud.size) / 2;
    if (isFew) for (const point of inSight) room.addDot(...this.#pixel(view, point), radius);
    if (wishes.hasCross) this.#cross(view, colours);
    if (wishes.pointed >= 0) this.#point(view, wishes.pointed, room, colours, POINTED_FONT);
    for (const point of wishes.found.slice(0, MOST_FOUND)) this.#point(view, point, room, colours, FONT);
    if (isFew || view.zoom >= CLUSTERS_UP_TO) this.#names(view, inSight, wishes, room, colours);
    if (!isFew && view.zoom < CLUSTERS_UP_TO) this.#clusters(view, wishes, room, colours);
  }

  #clusters(view: ViewBox, { cluster }: LabelWishes, room: LabelRoom, colours: Colours): void {
    for (const [i, middle] of this.#middles.entries()) {
      if (middle === undefined || (cluster !== undefined && cluster !== i)) continue;
      const [x, y] = view.toPixel(...middle);
      if (!isInSight(view, x, y)) continue;
      const label = this.#measure(this.#cloud.clusterNames[i], CLUSTER_FONT, room);
      this.#text(label, room.around(x, y, { width: label.width, height: 16 }), colours);
    }
  }

  #names(view: ViewBox, inSight: readonly number[], wishes: LabelWishes, room: LabelRoom, colours: Colours): void {
    const { cluster, pointed, found } = wishes;
    const named = new Set([pointed, ...found.slice(0, MOST_FOUND)]);
    const gap = Math.max(8, pointSize(view, this.#cloud.size) / 2 + 3);
    let shown = 0;
    const stride = Math.ceil(inSight.length / MOST_LOOKED_AT);
    for (let i = 0; i < inSight.length; i += stride) {
      const point = inSight[i];
      if (named.has(point) || (cluster !== undefined && this.#cloud.clusters[point] !== cluster)) continue;
      const label = this.#measure(this.#cloud.labels[point], FONT, room);
      const place = room.besideOf(...this.#pixel(view, point), gap, { width: label.width, height: 14 });
      this.#text(label, place, colours);
      if (place !== undefined && ++shown === MOST_NAMES) return;
    }
  }

  /** A ring around it, and its name. */
  #point(view: ViewBox, point: number, room: LabelRoom, colours: Colours, font: string): void {
    const context = this.#context;
    const [x, y] = this.#pixel(view, point);
    if (!isInSight(view, x, y)) return;
    context.beginPath();
    context.arc(x, y, 8, 0, 2 * Math.PI);
    context.lineWidth = 4;
    context.strokeStyle = colours.surface;
    context.stroke();
    context.lineWidth = 2;
    context.strokeStyle = colours.accent;
    context.stroke();
    const label = this.#measure(this.#cloud.labels[point], font, room);
    this.#text(label, room.mustBesideOf(x, y, 14, { width: label.width, height: 16 }), colours);
  }

  #cross(view: ViewBox, { soft }: Colours): void {
    const [x, y] = [view.width / 2, view.height / 2];
    this.#context.beginPath();
    this.#context.moveTo(x - 14, y);
    this.#context.lineTo(x + 14, y);
    this.#context.moveTo(x, y - 14);
    this.#context.lineTo(x, y + 14);
    this.#context.lineWidth = 1;
    this.#context.strokeStyle = soft;
    this.#context.stroke();
  }

  /** Nothing where there is no place for it. */
  #text({ text }: Label, place: Box | undefined, { ink, surface }: Colours): void {
    if (place === undefined) return;
    const [x, y] = [place.left, (place.top + place.bottom) / 2];
    this.#context.lineWidth = 5;
    this.#context.strokeStyle = surface;
    this.#context.strokeText(text, x, y);
    this.#context.fillStyle = ink;
    this.#context.fillText(text, x, y);
  }

  /** A name as it fits into the picture, in the font that is then set. Measuring is what takes the time: it is done once. */
  #measure(text: string, font: string, { maxWidth }: LabelRoom): Label {
    const context = this.#context;
    context.font = font;
    const widest = Math.min(WIDEST, maxWidth);
    const key = `${widest} ${font} ${text}`;
    const known = this.#measured.get(key);
    if (known !== undefined) return known;
    if (this.#measured.size > MOST_REMEMBERED) this.#measured.clear();
    const label = shortened(text, widest, (part) => context.measureText(part).width);
    this.#measured.set(key, label);
    return label;
  }

  #pixel(view: ViewBox, point: number): readonly [number, number] {
    return view.toPixel(this.#cloud.places[2 * point], this.#cloud.places[2 * point + 1]);
  }
}

function isInSight(view: ViewBox, x: number, y: number): boolean {
  return x >= 0 && y >= 0 && x <= view.width && y <= view.height;
}

/** The longest beginning that fits, by halving, with an ellipsis where something is missing. */
function shortened(text: string, widest: number, widthOf: (text: string) => number): Label {
  const width = widthOf(text);
  if (width <= widest) return { text, width };
  const letters = Array.from(text);
  const cut = (length: number) => `${letters.slice(0, length).join('').trimEnd()}…`;
  let [fits, tooLong] = [0, letters.length];
  while (tooLong - fits > 1) {
    const length = (fits + tooLong) >> 1;
    if (widthOf(cut(length)) <= widest) fits = length;
    else tooLong = length;
  }
  return { text: cut(fits), width: widthOf(cut(fits)) };
}
