// What a table engine counted (tables/). Where the pairs of users and objects are too many to hold: how many they are by object and
// by user, and the users of some objects at a time, from a file (tables/pair-file.ts).

import type { Csr } from '../csr.ts';
import type { RowSample } from './row-sample.ts';

/** What a table engine counts for a fit. */
export interface CountedData {
  /** From each object to the most similar tagged objects; values are cosines. Without them, the fit finds them in the graph. */
  readonly neighbours?: Csr | undefined;
  /** The objects to learn from. */
  readonly sample: RowSample;
  /** Where the pairs of users and objects are too many to hold: the graph then has none. */
  readonly users?: CountedUsers | undefined;
}

/** How often users and objects occur in pairs, and the pairs on request. */
export interface CountedUsers {
  readonly numObjectsOf: Int32Array; // by user
  readonly numUsersOf: Int32Array; // by object
  /** Some of the pairs: users, ascending for each object, one object after the other. */
  read(at: number, length: number): Promise<Int32Array>;
}

/** Some objects and their users. */
export interface UsersOfObjects {
  /** The first of the objects. */
  readonly first: number;
  readonly rowStart: Int32Array; // (objects + 1)
  readonly users: Int32Array;
}

const PAIRS = 2 ** 20; // at a time, or one object's

/** All objects in order, some at a time. */
export async function* usersInOrder(counted: CountedUsers): AsyncGenerator<UsersOfObjects> {
  const { numUsersOf } = counted;
  for (let first = 0, at = 0; first < numUsersOf.length; ) {
    const starts = [0];
    let [end, size] = [first, 0];
    for (; end < numUsersOf.length && (end === first || size + numUsersOf[end] <= PAIRS); end++) {
      size += numUsersOf[end];
      starts.push(size);
    }
    yield { first, rowStart: Int32Array.from(starts), users: await counted.read(at, size) };
    first = end;
    at += size;
  }
}
