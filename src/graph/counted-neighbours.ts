// The most similar tagged objects of every object, where the pairs of users and objects are in a file: what similarity.ts finds,
// and what the table neighbours holds (tables/stages/neighbours.ts), to the bit. Counting here takes a fiftieth of the time that a
// table engine takes, and 8 bytes for each pair.

import type { Csr } from '../csr.ts';
import { Relation } from '../data/relation.ts';
import { type Listener, makeBreather } from '../listener.ts';
import { checkedSize } from '../size-limits.ts';
import { cappedMiddles } from './capped-middles.ts';
import { type CountedUsers, usersInOrder } from './counted-users.ts';
import { SharedUsers } from './shared-users.ts';
import { userSquares } from './similarity.ts';

/** Bytes that counting holds for each pair of a user and an object. */
export const BYTES_PER_PAIR = 8;

export interface NeighbourOptions {
  readonly damping: number;
  readonly most: number;
}

/** `tagged`: objects without tags are no neighbours. */
export async function countedNeighbours(
  counted: CountedUsers,
  tagged: Relation,
  { damping, most }: NeighbourOptions,
  listener: Listener,
): Promise<Csr> {
  const breathe = makeBreather(listener);
  const numObjects = counted.numUsersOf.length;
  const candidates = cappedMiddles(await objectsByUser(counted, listener));
  const shared = new SharedUsers(userSquares(counted.numObjectsOf, damping), numObjects);
  const norms = await normsOf(counted, shared);
  const among = Uint8Array.from({ length: numObjects }, (_, object) => (tagged.rowLength(object) > 0 ? 1 : 0));
  // room for all there can be: pages that are not written to take no memory, and a second copy would take gigabytes
  const room = checkedSize('entries', most * numObjects, 'neighbours');
  const [neighbourStart, columns, values] = [
    new Int32Array(numObjects + 1),
    new Int32Array(room),
    new Float32Array(room),
  ];
  let size = 0;
  for await (const { first, rowStart, users } of usersInOrder(counted)) {
    for (let i = 0; i + 1 < rowStart.length; i++) {
      if (i % 64 === 0) {
        listener.progress?.('finding neighbours', first + i, numObjects);
        await breathe();
      }
      const own = users.subarray(rowStart[i], rowStart[i + 1]);
      const similar = shared.mostSimilar(candidates, norms, own, { most, among, except: first + i });
      columns.set(similar.objects, size);
      values.set(similar.cosines, size);
      size += similar.objects.length;
      neighbourStart[first + i + 1] = size;
    }
  }
  return { rowStart: neighbourStart, columns: columns.subarray(0, size), values: values.subarray(0, size) };
}

/** From users to objects, as the file has it the other way round. */
async function objectsByUser(counted: CountedUsers, listener: Listener): Promise<Relation> {
  const { numObjectsOf, numUsersOf } = counted;
  const rowStart = new Int32Array(numObjectsOf.length + 1);
  for (let user = 0; user < numObjectsOf.length; user++) rowStart[user + 1] = rowStart[user] + numObjectsOf[user];
  const size = rowStart[numObjectsOf.length];
  const [heads, tails] = [new Int32Array(size), new Int32Array(size)];
  for (let user = 0; user < numObjectsOf.length; user++) heads.fill(user, rowStart[user], rowStart[user + 1]);
  const next = rowStart.slice();
  for await (const block of usersInOrder(counted)) {
    listener.progress?.('reading users', block.first, numUsersOf.length);
    fill(tails, next, block.first, block.rowStart, block.users);
  }
  return new Relation(numObjectsOf.length, numUsersOf.length, heads, tails, rowStart);
}

/** Objects come in order, so that those of each user are ascending. */
function fill(tails: Int32Array, next: Int32Array, first: number, rowStart: Int32Array, users: Int32Array): void {
  for (let i = 0; i + 1 < rowStart.length; i++) {
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) tails[next[users[e]]++] = first + i;
  }
}

async function normsOf(counted: CountedUsers, shared: SharedUsers): Promise<Float64Array> {
  const norms = new Float64Array(counted.numUsersOf.length);
  for await (const { first, rowStart, users } of usersInOrder(counted)) {
    for (let i = 0; i + 1 < rowStart.length; i++) {
      norms[first + i] = shared.normOf(users.subarray(rowStart[i], rowStart[i + 1]));
    }
  }
  return norms;
}
