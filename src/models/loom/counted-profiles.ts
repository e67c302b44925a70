// loom's view of users where their pairs with objects are too many to hold: the sample tells the vectors of users, and the profile
// of every object is added up from them in one pass over the pairs. A model keeps these profiles (in halves) and how many users an
// object has; it has neither the pairs nor the names of users.

import type { Csr } from '../../csr.ts';
import { asHalves } from '../../data/half.ts';
import type { Kernels } from '../../engine/kernels.ts';
import { type CountedUsers, usersInOrder } from '../../graph/counted-users.ts';
import type { RowSample } from '../../graph/row-sample.ts';
import { userSquares } from '../../graph/similarity.ts';
import type { Listener } from '../../listener.ts';
import { sampledVectors, type UserView, widthOf, withoutConstants } from './profile.ts';
import type { LoomSettings } from './settings.ts';

export async function viewCountedUsers(
  kernels: Kernels,
  counted: CountedUsers,
  { objects, weights = new Float64Array(objects.length).fill(1) }: RowSample,
  { userDamping, profileWidth, seed }: LoomSettings,
  listener: Listener,
): Promise<UserView> {
  const { numObjectsOf, numUsersOf } = counted;
  const squares = userSquares(numObjectsOf, userDamping);
  const options = { numUsers: numObjectsOf.length, width: widthOf(numUsersOf.length, profileWidth), seed };
  const rows = await rowsOf(counted, squares, objects, listener);
  const { width, vectors } = await sampledVectors(kernels, rows, weights, options, listener);
  const profiles = await addUp(counted, squares, { width, vectors }, listener);
  const found = withoutConstants({ side: 'profiles', width, vectors: profiles }, profiles);
  return { profile: found.profile, profiles: found.profile.vectors, numUsers: numUsersOf };
}

/** Some objects by users: the rows of Similarity.rows. */
async function rowsOf(
  counted: CountedUsers,
  squares: Float64Array,
  objects: Int32Array,
  listener: Listener,
): Promise<Csr> {
  const rowStart = new Int32Array(objects.length + 1);
  for (const [i, object] of objects.entries()) rowStart[i + 1] = rowStart[i] + counted.numUsersOf[object];
  const columns = new Int32Array(rowStart[objects.length]);
  const values = new Float32Array(columns.length);
  let i = 0;
  for await (const { first, rowStart: starts, users } of usersInOrder(counted)) {
    listener.progress?.('reading users', first, counted.numUsersOf.length);
    for (; i < objects.length && objects[i] - first < starts.length - 1; i++) {
      const row = users.subarray(starts[objects[i] - first], starts[objects[i] - first + 1]);
      const norm = normOf(row, squares);
      columns.set(row, rowStart[i]);
      for (const [k, user] of row.entries()) values[rowStart[i] + k] = Math.sqrt(squares[user]) / norm;
    }
  }
  return { rowStart, columns, values };
}

function normOf(users: Int32Array, squares: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < users.length; i++) sum += squares[users[i]];
  return Math.sqrt(sum);
}

/** The profile of every object, as a model has it. */
async function addUp(
  counted: CountedUsers,
  squares: Float64Array,
  { width, vectors }: { readonly width: number; readonly vectors: Float32Array },
  listener: Listener,
): Promise<Float32Array> {
  const numObjects = counted.numUsersOf.length;
  const profiles = new Float32Array(numObjects * width);
  if (width === 0) return profiles;
  const sum = new Float64Array(width);
  for await (const { first, rowStart, users } of usersInOrder(counted)) {
    listener.progress?.('profiling', first, numObjects);
    const block = new Float32Array((rowStart.length - 1) * width);
    for (let o = 0; o + 1 < rowStart.length; o++) {
      const row = users.subarray(rowStart[o], rowStart[o + 1]);
      const norm = normOf(row, squares);
      sum.fill(0);
      for (let i = 0; i < row.length; i++) {
        const factor = Math.fround(Math.sqrt(squares[row[i]]) / norm);
        for (let k = 0, at = row[i] * width; k < width; k++, at++) sum[k] += factor * vectors[at];
      }
      block.set(sum, o * width);
    }
    profiles.set(asHalves(block), first * width);
  }
  return profiles;
}
