// Answers kept for a while, so that going back and forth between cards asks for nothing twice. What changed is dropped by the
// one who changed it.

import { getObject, getReasons } from './calls.ts';
import type { ObjectFacts, Reasons } from './shapes.ts';

const MOST = 300;

class Recall<Value> {
  readonly #kept = new Map<string, Promise<Value>>(); // the longest unused first

  get(key: string, load: () => Promise<Value>): Promise<Value> {
    const known = this.#kept.get(key) ?? load();
    this.#kept.delete(key);
    this.#kept.set(key, known);
    known.catch(() => this.#kept.get(key) === known && this.#kept.delete(key)); // a failure is not worth keeping
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST) break;
      this.#kept.delete(oldest);
    }
    return known;
  }

  drop(isStale: (key: string) => boolean): void {
    for (const key of [...this.#kept.keys()]) if (isStale(key)) this.#kept.delete(key);
  }
}

const SEPARATOR = '\u0000'; // no name holds it
const objects = new Recall<ObjectFacts>();
const reasons = new Recall<Reasons>();

export function recallObject(id: string): Promise<ObjectFacts> {
  return objects.get(id, () => getObject(id));
}

export function recallReasons(id: string, tag: string): Promise<Reasons> {
  return reasons.get(`${id}${SEPARATOR}${tag}`, () => getReasons(id, tag));
}

/** A decision about an object changes its tags and, by them, its reasons. */
export function forgetObject(id: string): void {
  objects.drop((key) => key === id);
  reasons.drop((key) => key.startsWith(`${id}${SEPARATOR}`));
}
