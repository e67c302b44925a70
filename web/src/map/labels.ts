// Names on the map, above the points: clusters where all is in sight, single points where few are, what was searched for, and
// what is under the pointer. A name that would cover another is left out.

import type { pageColours } from './cluster-colours.ts';
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
}

type Colours = ReturnType<typeof pageColours>;

const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const CLUSTER_FONT = `600 ${FONT.replace('12px', '14px')}`;
const POINTED_FONT = `600 ${FONT.replace('12px', '13px')}`;
const MOST_NAMES = 150;
const MOST_FOUND = 40;
const MOST_LOOKED_AT = 800; // spread over all that are in sight
const CLUSTERS_UP_TO = 3; // zoom

export class Labels {
  readonly #context: CanvasRenderingContext2D;
  readonly #cloud: PointCloud;
  readonly #middles: readonly (readonly [number, number] | undefined)[];

  constructor(context: CanvasRenderingContext2D, cloud: PointCloud) {
    this.#context = context;
    this.#cloud = cloud;
    this.#middles = cloud.clusterNames.map((_, cluster) => cloud.middleOf(cluster));
  }

  paint(view: ViewBox, wishes: LabelWishes, colours: Colours, pixelRatio: number): void {
    const context = this.#context;
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    context.textBaseline = 'middle';
    context.lineJoin = 'round';
    const room = new Room(view);
    if (wishes.hasCross) this.#cross(view, colours);
    if (wishes.pointed >= 0) this.#point(view, wishes.pointed, room, colours, POINTED_FONT);
    for (const point of wishes.found.slice(0, MOST_FOUND)) this.#point(view, point, room, colours, FONT);
    if (view.zoom < CLUSTERS_UP_TO) this.#clusters(view, wishes, room, colours);
    else this.#names(view, wishes, room, colours);
  }

  #clusters(view: ViewBox, { cluster }: LabelWishes, room: Room, { ink, surface }: Colours): void {
    this.#context.font = CLUSTER_FONT;
    for (const [i, middle] of this.#middles.entries()) {
      if (middle === undefined || (cluster !== undefined && cluster !== i)) continue;
      const text = this.#cloud.clusterNames[i];
      const [x, y] = view.toPixel(...middle);
      const width = this.#context.measureText(text).width;
      if (room.take(x - width / 2, y - 8, width, 16)) this.#text(text, x - width / 2, y, ink, surface);
    }
  }

  #names(view: ViewBox, { cluster, pointed }: LabelWishes, room: Room, { ink, surface }: Colours): void {
    this.#context.font = FONT;
    let shown = 0;
    const inSight = this.#cloud.inside(view.bounds);
    const stride = Math.ceil(inSight.length / MOST_LOOKED_AT);
    for (let i = 0; i < inSight.length; i += stride) {
      const point = inSight[i];
      if (point === pointed || (cluster !== undefined && this.#cloud.clusters[point] !== cluster)) continue;
      const [x, y] = this.#pixel(view, point);
      const width = this.#context.measureText(this.#cloud.labels[point]).width;
      if (!room.take(x + 8, y - 7, width, 14)) continue;
      this.#text(this.#cloud.labels[point], x + 8, y, ink, surface);
      if (++shown === MOST_NAMES) return;
    }
  }

  /** A ring around it, and its name. */
  #point(view: ViewBox, point: number, room: Room, { ink, surface, accent }: Colours, font: string): void {
    const context = this.#context;
    const [x, y] = this.#pixel(view, point);
    context.beginPath();
    context.arc(x, y, 8, 0, 2 * Math.PI);
    context.lineWidth = 4;
    context.strokeStyle = surface;
    context.stroke();
    context.lineWidth = 2;
    context.strokeStyle = accent;
    context.stroke();
    context.font = font;
    const width = context.measureText(this.#cloud.labels[point]).width;
    const isRight = x + 14 + width < view.width;
    const left = isRight ? x + 14 : x - 14 - width;
    if (room.take(left, y - 8, width, 16)) this.#text(this.#cloud.labels[point], left, y, ink, surface);
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

  #text(text: string, x: number, y: number, ink: string, halo: string): void {
    this.#context.lineWidth = 5;
    this.#context.strokeStyle = halo;
    this.#context.strokeText(text, x, y);
    this.#context.fillStyle = ink;
    this.#context.fillText(text, x, y);
  }

  #pixel(view: ViewBox, point: number): readonly [number, number] {
    return view.toPixel(this.#cloud.places[2 * point], this.#cloud.places[2 * point + 1]);
  }
}

/** Which parts of the view have a name already. */
class Room {
  readonly #taken: { left: number; top: number; right: number; bottom: number }[] = [];
  readonly #view: ViewBox;

  constructor(view: ViewBox) {
    this.#view = view;
  }

  take(left: number, top: number, width: number, height: number): boolean {
    const [right, bottom] = [left + width, top + height];
    if (right < 0 || bottom < 0 || left > this.#view.width || top > this.#view.height) return false;
    const isTaken = this.#taken.some(
      (other) => left < other.right + 4 && right > other.left - 4 && top < other.bottom + 1 && bottom > other.top - 1,
    );
    if (!isTaken) this.#taken.push({ left, top, right, bottom });
    return !isTaken;
  }
}
