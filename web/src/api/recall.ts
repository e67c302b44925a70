// Answers cached for a while, so that going back and forth between cards requests nothing twice. Whoever changes something
// drops what is stale.

import { getExplanation, getObject } from './calls.ts';
import type { Explanation, ObjectFacts } from './shapes.ts';

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
const explanations = new Recall<Explanation>();

export function recallObject(id: string): Promise<ObjectFacts> {
  return objects.get(id, () => getObject(id));
}

export function recallExplanation(id: string, tag: string): Promise<Explanation> {
  return explanations.get(`${id}${SEPARATOR}${tag}`, () => getExplanation(id, tag));
}

/** A change of the vocabulary may change any object. */
export function forgetAll(): void {
  objects.drop(() => true);
  explanations.drop(() => true);
}

/** A decision about an object changes its tags and, through them, its explanations. */
export function forgetObject(id: string): void {
  objects.drop((key) => key === id);
  explanations.drop((key) => key.startsWith(`${id}${SEPARATOR}`));
}

/** Another model explains everything in another way. */
export function forgetAllObjects(): void {
  objects.drop(() => true);
  explanations.drop(() => true);
}
