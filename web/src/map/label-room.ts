// Which parts of a map's picture have a name already, and where the next one fits. A name is wholly in sight and covers neither
// another nor a point, except where it must be shown.

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const EDGE = 3; // pixels kept free at the edges: the halo of a name ends there
const [APART_X, APART_Y] = [4, 1]; // between names

export class LabelRoom {
  readonly #size: Size;
  readonly #taken: Box[] = [];
  readonly #dots: Box[] = [];

  /** `covered`: parts of the picture that lie below something else. */
  constructor(size: Size, covered: readonly Box[] = []) {
    this.#size = size;
    this.#taken.push(...covered);
  }

  /** The widest name that fits. */
  get maxWidth(): number {
    return Math.max(0, this.#size.width - 2 * EDGE);
  }

  /** A point that names are not to cover. */
  addDot(x: number, y: number, radius: number): void {
    this.#dots.push({ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius });
  }

  /** Beside a point: right of it, else left, below, above. Undefined where there is no room that covers no point. */
  besideOf(x: number, y: number, gap: number, label: Size): Box | undefined {
    return this.#take(this.#freeBeside(x, y, gap, label).find((place) => !this.#coversDot(place)));
  }

  /** As `besideOf`; where there is no such room, above points, or around this one. */
  mustBesideOf(x: number, y: number, gap: number, label: Size): Box | undefined {
    const free = this.#freeBeside(x, y, gap, label);
    const place = free.find((one) => !this.#coversDot(one)) ?? free[0];
    return place === undefined ? this.around(x, y, label) : this.#take(place);
  }

  #freeBeside(x: number, y: number, gap: number, label: Size): Box[] {
    const { width, height } = label;
    const [middleX, middleY] = [x - width / 2, y - height / 2];
    const right = [x + gap, middleY] as const;
    const left = [x - gap - width, middleY] as const;
    const below = [middleX, y + gap - 2] as const;
    const above = [middleX, y - gap + 2 - height] as const;
    const clampedBelow = [this.#withinX(middleX, width), below[1]] as const;
    const clampedAbove = [this.#withinX(middleX, width), above[1]] as const;
    const places = [right, left, below, above, clampedBelow, clampedAbove].map((place) => boxAt(place, label));
    return places.filter((place) => this.#isFree(place));
  }

  /** Around a place, moved no further than the edges ask for. Undefined where there is no room. */
  around(x: number, y: number, label: Size): Box | undefined {
    const [left, top] = [x - label.width / 2, y - label.height / 2];
    const place = boxAt([this.#withinX(left, label.width), this.#withinY(top, label.height)], label);
    return this.#isFree(place) ? this.#take(place) : undefined;
  }

  #withinX(left: number, width: number): number {
    return Math.max(EDGE, Math.min(this.#size.width - EDGE - width, left));
  }

  #withinY(top: number, height: number): number {
    return Math.max(EDGE, Math.min(this.#size.height - EDGE - height, top));
  }

  #isFree({ left, top, right, bottom }: Box): boolean {
    const { width, height } = this.#size;
    if (left < EDGE || top < EDGE || right > width - EDGE || bottom > height - EDGE) return false;
    const grown = { left: left - APART_X, right: right + APART_X, top: top - APART_Y, bottom: bottom + APART_Y };
    return !this.#taken.some((other) => overlap(grown, other));
  }

  #coversDot(place: Box): boolean {
    return this.#dots.some((dot) => overlap(place, dot));
  }

  #take(place: Box | undefined): Box | undefined {
    if (place !== undefined) this.#taken.push(place);
    return place;
  }
}

function boxAt([left, top]: readonly [number, number], { width, height }: Size): Box {
  return { left, top, right: left + width, bottom: top + height };
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
}
