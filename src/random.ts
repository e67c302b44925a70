// Seeded randomness, the only kind in the project. Threefry-2x32 with 20 rounds (Salmon, Moraes, Dror and Shaw,
// "Parallel random numbers: as easy as 1, 2, 3", SC 2011) maps (key, counter) to 64 random bits. A draw depends on
// nothing but its key and its counter, so any draw can be repeated on any thread or backend in any order.

const PARITY = 0x1bd11bda;
const ROTATIONS = [13, 15, 26, 6, 17, 29, 16, 24] as const;

/** Writes the two 32-bit words of block (counter0, counter1) under the key into `out`. */
export function threefry(out: Uint32Array, key0: number, key1: number, counter0: number, counter1: number): void {
  const keys = [key0, key1, PARITY ^ key0 ^ key1];
  let x0 = (counter0 + key0) | 0;
  let x1 = (counter1 + key1) | 0;
  for (let round = 0; round < 20; round++) {
    const turn = ROTATIONS[round & 7];
    x0 = (x0 + x1) | 0;
    x1 = ((x1 << turn) | (x1 >>> (32 - turn))) ^ x0;
    if ((round & 3) === 3) {
      const injection = (round >> 2) + 1;
      x0 = (x0 + keys[injection % 3]) | 0;
      x1 = (x1 + keys[(injection + 1) % 3] + injection) | 0;
    }
  }
  out[0] = x0;
  out[1] = x1;
}

/** A sequence of draws. The same seed and purpose give the same sequence; two purposes never share one. */
export class Random {
  readonly #key0: number;
  readonly #key1: number;
  readonly #block = new Uint32Array(2);
  #numDraws = 0; // up to 2^53: the counter is this number halved, split into two words

  constructor(seed: number, purpose: string) {
    if (!Number.isSafeInteger(seed) || seed < 0) {
      throw new RangeError(`Got seed ${seed} when expected a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`);
    }
    this.#key0 = seed >>> 0;
    this.#key1 = (hashText(purpose) ^ Math.floor(seed / 2 ** 32)) >>> 0;
  }

  /** What its draws depend on beside their number, for those who draw in another order, or elsewhere. */
  get key(): readonly [number, number] {
    return [this.#key0, this.#key1];
  }

  /** The next 32 bits, as a whole number from 0 to 2^32 − 1. */
  next(): number {
    const half = this.#numDraws++;
    if (half % 2 === 0) {
      const counter = half / 2;
      threefry(this.#block, this.#key0, this.#key1, counter | 0, Math.floor(counter / 2 ** 32));
      return this.#block[0];
    }
    return this.#block[1];
  }

  /** A number in [0, 1) with 32 random bits. */
  float(): number {
    return this.next() / 2 ** 32;
  }

  /** A whole number from 0 to n − 1, each equally likely: draws past the last full multiple of n are thrown away. */
  below(n: number): number {
    const limit = 2 ** 32 - (2 ** 32 % n);
    let draw = this.next();
    while (draw >= limit) draw = this.next();
    return draw % n;
  }

  /** Fisher-Yates, in place. */
  shuffle<T extends Int32Array | Uint32Array | unknown[]>(values: T): T {
    for (let i = values.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      const kept = values[i];
      values[i] = values[j];
      values[j] = kept;
    }
    return values;
  }
}

/** The numbers 0 to n − 1 in random order. */
export function permutation(n: number, random: Random): Int32Array {
  return random.shuffle(Int32Array.from({ length: n }, (_, i) => i));
}

/** The same, the heavier the earlier: as if each were drawn from those left in proportion to its weight. */
export function weightedPermutation(weights: ArrayLike<number>, random: Random): Int32Array {
  const times = Float64Array.from(weights, (weight) => -Math.log(1 - random.float()) / weight); // until it comes
  return Int32Array.from({ length: weights.length }, (_, i) => i).sort((a, b) => times[a] - times[b] || a - b);
}

/** FNV-1a over UTF-16 code units: turns a purpose into a key word. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
