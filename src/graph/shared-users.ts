// Adds up how much the users that objects share count, for one set of users at a time: the step that every search for similar
// objects takes (similarity.ts has the formula).

import type { Relation } from '../data/relation.ts';
import { largest } from '../engine/numerics/top-k.ts';

export interface SimilarObjects {
  /** Ascending. */
  readonly objects: Int32Array;
  readonly cosines: Float32Array;
}

export interface MostSimilarOptions {
  readonly most: number;
  /** Objects that count, if not all do: those whose mark is not zero. */
  readonly among?: Uint8Array;
  /** An object that does not: the one asked about. */
  readonly except?: number;
}

/** Objects by user. */
export type ObjectsOfUsers = Pick<Relation, 'rowStart' | 'tails'>;

export class SharedUsers {
  /** By object, w_u² of the users it shares with those asked about; zeros between questions. */
  readonly sums: Float64Array;
  readonly #squares: Float64Array; // w_u², by user
  readonly #reached: Int32Array;

  constructor(squares: Float64Array, numObjects: number) {
    this.#squares = squares;
    this.sums = new Float64Array(numObjects);
    this.#reached = new Int32Array(numObjects);
  }

  /** How long an object of these users is. */
  normOf(users: ArrayLike<number>): number {
    let sum = 0;
    for (let i = 0; i < users.length; i++) sum += this.#squares[users[i]];
    return Math.sqrt(sum);
  }

  /** Adds up w² by object; which ones, in no order: a view that the next call overwrites. The caller puts zeros back. */
  reach({ rowStart, tails }: ObjectsOfUsers, users: ArrayLike<number>): Int32Array {
    const [sums, reached, squares] = [this.sums, this.#reached, this.#squares]; // looked up once, not in every step
    let count = 0;
    for (let u = 0; u < users.length; u++) {
      const square = squares[users[u]];
      const end = rowStart[users[u] + 1];
      for (let i = rowStart[users[u]]; i < end; i++) {
        const object = tails[i];
        if (sums[object] === 0) reached[count++] = object;
        sums[object] += square;
      }
    }
    return reached.subarray(0, count);
  }

  /** The objects most similar to one of these users, ascending; of equals the smaller id. `norms`: how long each object is. */
  mostSimilar(
    objectsOf: ObjectsOfUsers,
    norms: Float64Array,
    users: ArrayLike<number>,
    { most, among, except = -1 }: MostSimilarOptions,
  ): SimilarObjects {
    const all = this.reach(objectsOf, users);
    const { sums } = this;
    let count = 0;
    for (let i = 0; i < all.length; i++) {
      const object = all[i];
      if (object === except || (among !== undefined && among[object] === 0)) sums[object] = 0;
      else all[count++] = object;
    }
    const candidates = all.subarray(0, count);
    const keys = new Float32Array(count); // cosines but for what is the same for all
    for (let i = 0; i < count; i++) keys[i] = sums[candidates[i]] / norms[candidates[i]];
    const objects = largest(candidates, keys, most).sort();
    const own = this.normOf(users);
    const cosines = Float32Array.from(objects, (object) => sums[object] / (own * norms[object]));
    for (let i = 0; i < count; i++) sums[candidates[i]] = 0;
    return { objects, cosines };
  }
}
