// How similar objects are by who used them: the cosine of their users, where a user of many objects counts for less.
// cos(i, j) = Σ w_u² over the users both have / (‖i‖ · ‖j‖),  w_u = (objects of u)^−damping,  ‖i‖² = Σ w_u² over the users
// of i. It is asked for one set of users at a time, so that a new object gets the same answer as one in the data. Where only the
// most similar objects are wanted, those of a user with very many are a sample (capped-middles.ts).

import type { Csr } from '../csr.ts';
import type { Relation } from '../data/relation.ts';
import { largest } from '../engine/numerics/top-k.ts';
import { cappedMiddles } from './capped-middles.ts';

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

/** 1 in the fixed point that squared weights are in: their sums are exact, so the same in any order and in SQL (tables/). */
export const SQUARE_ONE = 2 ** 40;

/** w_u² of a user with so many objects. */
export function userSquare(numObjects: number, damping: number): number {
  const square = Math.max(1, numObjects) ** (-2 * damping);
  return Math.max(1, Math.floor(square * SQUARE_ONE + 0.5)) / SQUARE_ONE;
}

export class Similarity {
  readonly #objectsOf: Relation; // from users
  readonly #usersOf: Relation;
  #candidates: Relation | undefined; // from users: objects that may be the most similar; computed on demand
  readonly #squares: Float64Array; // w_u²
  readonly #norms: Float64Array; // by object
  readonly #sums: Float64Array; // scratch, zeros between calls
  readonly #reached: Int32Array;

  /** `usersOf`: the same relation from the other side, where it is known. */
  constructor(interact: Relation, damping: number, usersOf = interact.reversed()) {
    this.#objectsOf = interact;
    this.#usersOf = usersOf;
    this.#squares = new Float64Array(interact.numHeads);
    for (let user = 0; user < interact.numHeads; user++) {
      this.#squares[user] = userSquare(interact.rowLength(user), damping);
    }
    this.#norms = Float64Array.from({ length: interact.numTails }, (_, object) =>
      this.#norm(this.#usersOf.row(object)),
    );
    this.#sums = new Float64Array(interact.numTails);
    this.#reached = new Int32Array(interact.numTails);
  }

  usersOf(object: number): Int32Array {
    return this.#usersOf.row(object);
  }

  /** All objects that share a user with these users, by ascending id: the object itself as well, if they are an object's. */
  similarTo(users: ArrayLike<number>): SimilarObjects {
    const objects = this.#reach(this.#objectsOf, users).sort();
    return { objects: objects.slice(), cosines: this.#take(users, objects) };
  }

  /** The most similar objects, ascending; of equals the smaller id. */
  mostSimilar(users: ArrayLike<number>, { most, among, except = -1 }: MostSimilarOptions): SimilarObjects {
    this.#candidates ??= cappedMiddles(this.#objectsOf);
    const all = this.#reach(this.#candidates, users);
    const [sums, norms] = [this.#sums, this.#norms];
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
    const own = this.#norm(users);
    const cosines = Float32Array.from(objects, (object) => sums[object] / (own * norms[object]));
    for (let i = 0; i < count; i++) sums[candidates[i]] = 0;
    return { objects, cosines };
  }

  /** Objects by users, each row of length 1: the cosine of two objects is the product of their rows. */
  rows(): Csr {
    const { rowStart, tails: columns } = this.#usersOf;
    const values = new Float32Array(columns.length);
    for (let object = 0; object < this.#norms.length; object++) {
      for (let i = rowStart[object]; i < rowStart[object + 1]; i++) {
        values[i] = Math.sqrt(this.#squares[columns[i]]) / this.#norms[object];
      }
    }
    return { rowStart, columns, values };
  }

  /** One row of the same, for any users. */
  row(users: ArrayLike<number>): Float32Array {
    const norm = this.#norm(users);
    return Float32Array.from(users, (user) => Math.sqrt(this.#squares[user]) / norm);
  }

  #norm(users: ArrayLike<number>): number {
    let sum = 0;
    for (let i = 0; i < users.length; i++) sum += this.#squares[users[i]];
    return Math.sqrt(sum);
  }

  /** Adds up w² by object; which ones, in no order: a view that the next call overwrites. */
  #reach({ rowStart, tails }: Relation, users: ArrayLike<number>): Int32Array {
    const [sums, reached, squares] = [this.#sums, this.#reached, this.#squares]; // looked up once, not in every step
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

  #take(users: ArrayLike<number>, objects: Int32Array): Float32Array {
    const own = this.#norm(users);
    return Float32Array.from(objects, (object) => {
      const cosine = this.#sums[object] / (own * this.#norms[object]);
      this.#sums[object] = 0;
      return cosine;
    });
  }
}
