// How similar objects are by who used them: the cosine of their users, where a user of many objects counts for less.
// cos(i, j) = Σ w_u² over the users both have / (‖i‖ · ‖j‖),  w_u = (objects of u)^−damping,  ‖i‖² = Σ w_u² over the users
// of i. It is asked for one set of users at a time, so that a new object gets the same answer as one in the data. Where only the
// most similar objects are wanted, those of a user with very many are a sample (capped-middles.ts).

import type { Csr } from '../csr.ts';
import type { Relation } from '../data/relation.ts';
import { cappedMiddles } from './capped-middles.ts';
import { type MostSimilarOptions, SharedUsers, type SimilarObjects } from './shared-users.ts';

/** 1 in the fixed point that squared weights are in: their sums are exact, so the same in any order and in SQL (tables/). */
export const SQUARE_ONE = 2 ** 40;

/** w_u² of a user with so many objects. */
export function userSquare(numObjects: number, damping: number): number {
  const square = Math.max(1, numObjects) ** (-2 * damping);
  return Math.max(1, Math.floor(square * SQUARE_ONE + 0.5)) / SQUARE_ONE;
}

/** The same by user. */
export function userSquares(numObjectsOf: ArrayLike<number>, damping: number): Float64Array {
  return Float64Array.from(numObjectsOf, (numObjects) => userSquare(numObjects, damping));
}

export class Similarity {
  readonly #objectsOf: Relation; // from users
  readonly #usersOf: Relation;
  #candidates: Relation | undefined; // from users: objects that may be the most similar; computed on demand
  readonly #squares: Float64Array; // w_u²
  readonly #norms: Float64Array; // by object
  readonly #shared: SharedUsers;

  /** `usersOf`: the same relation from the other side, where it is known. */
  constructor(interact: Relation, damping: number, usersOf = interact.reversed()) {
    this.#objectsOf = interact;
    this.#usersOf = usersOf;
    this.#squares = new Float64Array(interact.numHeads);
    for (let user = 0; user < interact.numHeads; user++) {
      this.#squares[user] = userSquare(interact.rowLength(user), damping);
    }
    this.#shared = new SharedUsers(this.#squares, interact.numTails);
    this.#norms = Float64Array.from({ length: interact.numTails }, (_, object) =>
      this.#shared.normOf(this.#usersOf.row(object)),
    );
  }

  usersOf(object: number): Int32Array {
    return this.#usersOf.row(object);
  }

  /** All objects that share a user with these users, by ascending id: the object itself as well, if they are an object's. */
  similarTo(users: ArrayLike<number>): SimilarObjects {
    const objects = this.#shared.reach(this.#objectsOf, users).sort();
    return { objects: objects.slice(), cosines: this.#take(users, objects) };
  }

  /** The most similar objects, ascending; of equals the smaller id. */
  mostSimilar(users: ArrayLike<number>, options: MostSimilarOptions): SimilarObjects {
    this.#candidates ??= cappedMiddles(this.#objectsOf);
    return this.#shared.mostSimilar(this.#candidates, this.#norms, users, options);
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
    const norm = this.#shared.normOf(users);
    return Float32Array.from(users, (user) => Math.sqrt(this.#squares[user]) / norm);
  }

  #take(users: ArrayLike<number>, objects: Int32Array): Float32Array {
    const own = this.#shared.normOf(users);
    const { sums } = this.#shared;
    return Float32Array.from(objects, (object) => {
      const cosine = sums[object] / (own * this.#norms[object]);
      sums[object] = 0;
      return cosine;
    });
  }
}
