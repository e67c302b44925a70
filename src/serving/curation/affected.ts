// Which objects may get other suggestions since something was decided of a tag somewhere else: those to which it is suggested, those
// that miss it most now and, unless they are very many, all others after them. They are ranked again in the background.

import type { Amendments } from '../recommend/amendments.ts';
import type { Recommender } from '../recommend/recommender.ts';

/** Where a tag is suggested now, the likeliest first, at most so many objects. */
type ObjectsWith = (tag: number, most: number) => number[];

const [MAX_OPEN, MAX_MISSING] = [200, 50]; // objects
/** Of a catalogue whose objects are all looked at again: of more, that takes longer than it tells. */
const MAX_OBJECTS = 200_000;

export class Affected {
  readonly #recommender: Recommender;
  readonly #objectsWith: ObjectsWith;
  readonly #tags = new Set<number>(); // the latest last
  readonly #objects = new Set<number>();
  #next = 0; // of all objects, the first that was not looked at since the last decision

  constructor(recommender: Recommender, objectsWith: ObjectsWith) {
    this.#recommender = recommender;
    this.#objectsWith = objectsWith;
    this.#next = this.#size;
  }

  get #size(): number {
    return this.#recommender.model.graph.objects.size;
  }

  /** Something was decided of a tag. */
  note(tag: number): void {
    if (!this.#recommender.learns) return;
    this.#tags.delete(tag);
    this.#tags.add(tag);
    if (this.#size <= MAX_OBJECTS) this.#next = 0;
  }

  get isEmpty(): boolean {
    return this.#tags.size + this.#objects.size === 0 && this.#next >= this.#size;
  }

  /** Some objects to rank again. */
  async next(most: number, amendments: Amendments): Promise<Int32Array> {
    if (this.#objects.size === 0) await this.#lookUp(amendments);
    const objects = [...this.#objects].slice(0, most);
    for (const object of objects) this.#objects.delete(object);
    while (objects.length < most && this.#next < this.#size) objects.push(this.#next++);
    return Int32Array.from(objects);
  }

  async #lookUp(amendments: Amendments): Promise<void> {
    const tag = [...this.#tags].at(-1);
    if (tag === undefined) return;
    this.#tags.delete(tag);
    for (const object of this.#objectsWith(tag, MAX_OPEN)) this.#objects.add(object);
    if (this.#size > MAX_OBJECTS) return;
    const { objects } = this.#recommender.model.graph;
    const missing = await this.#recommender.missing(tag, { limit: MAX_MISSING }, amendments);
    for (const { object } of missing) this.#objects.add(objects.idOf(object));
  }
}
