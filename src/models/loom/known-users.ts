// What loom in use knows of an object by its users: similar objects, its profile, and how many they are. From the pairs of users and
// objects or, of a model that has none, from what it has of every object; then nothing is known of the users of a new one.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { Kernels } from '../../engine/kernels.ts';
import type { SimilarObjects } from '../../graph/shared-users.ts';
import { Similarity } from '../../graph/similarity.ts';
import type { Facts } from '../scorer.ts';
import { numUsersOf } from './candidates.ts';
import type { Loom } from './loom.ts';
import { marksOfTagged } from './neighbours.ts';
import { EngineProfiles, type ObjectProfiles, StoredProfiles } from './object-profiles.ts';
import { profilesIn, userVectors } from './profile.ts';

export class KnownUsers {
  readonly #kernels: Kernels;
  readonly #loom: Loom;
  readonly #train: KnowledgeGraph;
  readonly #similarity: Similarity | undefined;
  readonly #isTagged: Uint8Array;
  readonly #numUsers: Int32Array; // by object
  #userVectors: Promise<Float32Array | undefined> | undefined; // (numUsers, profile.width)
  #profiles: ObjectProfiles | undefined;

  constructor(kernels: Kernels, loom: Loom, train: KnowledgeGraph) {
    this.#kernels = kernels;
    this.#loom = loom;
    this.#train = train;
    this.#similarity = loom.users ? undefined : new Similarity(train.interact, loom.damping);
    this.#isTagged = marksOfTagged(train.tagged);
    this.#numUsers = loom.users?.ofObjects ?? numUsersOf(train);
  }

  numUsersOf({ users, object }: Pick<Facts, 'users' | 'object'>): number {
    return this.#similarity === undefined && object !== undefined ? this.#numUsers[object] : users.length;
  }

  /** In the data. */
  numUsersIn(object: number): number {
    return this.#numUsers[object];
  }

  /** As the model has them. */
  storedNeighbours(object: number): SimilarObjects {
    const { rowStart, columns, values } = this.#loom.neighbours;
    const [start, end] = [rowStart[object], rowStart[object + 1]];
    return { objects: columns.subarray(start, end), cosines: values.subarray(start, end) };
  }

  neighboursOf({ users, object }: Pick<Facts, 'users' | 'object'>): SimilarObjects {
    if (this.#similarity === undefined) return object === undefined ? NONE : this.storedNeighbours(object);
    const options = { most: this.#loom.numNeighbours, among: this.#isTagged };
    return this.#similarity.mostSimilar(users, object === undefined ? options : { ...options, except: object });
  }

  async profileOf({ users, object }: Pick<Facts, 'users' | 'object'>): Promise<Float32Array> {
    const { profile } = this.#loom;
    const { width, vectors } = profile;
    if (width === 0) return new Float32Array(0);
    if (this.#similarity === undefined) {
      return object === undefined ? new Float32Array(width) : vectors.subarray(object * width, (object + 1) * width);
    }
    this.#userVectors ??= userVectors(this.#kernels, profile, this.#similarity, this.#train);
    const ofUsers = await this.#userVectors;
    if (ofUsers !== undefined) return sumOf(ofUsers, width, users, this.#similarity.row(users));
    const { objects, cosines } = this.#similarity.similarTo(users);
    return sumOf(vectors, width, objects, cosines);
  }

  /** Of all objects in the data. */
  profiles(): ObjectProfiles {
    const { profile } = this.#loom;
    this.#profiles ??= this.#similarity
      ? new EngineProfiles(this.#kernels, profilesIn(this.#kernels, profile, this.#similarity, this.#train))
      : new StoredProfiles(profile);
    return this.#profiles;
  }

  release(): void {
    this.#profiles?.release();
  }
}

const NONE: SimilarObjects = { objects: new Int32Array(0), cosines: new Float32Array(0) };

/** Rows of some ids, each times its factor, added up. */
function sumOf(rows: Float32Array, width: number, ids: ArrayLike<number>, factors: Float32Array): Float32Array {
  const sum = new Float64Array(width);
  for (let i = 0; i < ids.length; i++) {
    for (let k = 0, at = ids[i] * width; k < width; k++, at++) sum[k] += factors[i] * rows[at];
  }
  return Float32Array.from(sum);
}
