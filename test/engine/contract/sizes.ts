// The sizes every trial runs at: none, one, and those around whole vectors and whole blocks.

export const SIZES = [0, 1, 3, 4, 5, 16, 17, 33];

export interface Sizes {
  readonly shapes: readonly (readonly [rows: number, cols: number])[];
  /** (n, m, d) */
  readonly triples: readonly (readonly number[])[];
  readonly systems: readonly number[];
}

/** For a backend that is fast and has code for every size of a rest. */
export const ALL_SIZES: Sizes = {
  shapes: [...pairs(SIZES, SIZES), [257, 129], [1000, 5], [2, 3000]],
  triples: [
    ...triples([0, 1, 5, 17]),
    ...SIZES.flatMap((n) => [
      [n, 17, 33],
      [17, n, 33],
      [33, 17, n],
      [n, n, n],
    ]),
  ],
  systems: [1, 2, 3, 16, 17, 65, 130, 200],
};

const FEW = [0, 1, 5, 17];

/** For a backend that takes long over every call, or shares most of its code with one that sees all sizes. */
export const FEW_SIZES: Sizes = {
  shapes: [...pairs(FEW, FEW), [130, 70], [2, 1100]],
  triples: [...triples([0, 1, 17]), [5, 17, 33], [17, 33, 5]],
  systems: [1, 3, 17, 65, 130],
};

/** For threads: small calls stay on one thread, so here are large ones, which are shared out in uneven parts. */
export const SHARED_SIZES: Sizes = {
  shapes: [
    [0, 5],
    [5, 17],
    [257, 200],
  ],
  triples: [
    [0, 5, 17],
    [5, 17, 33],
    [301, 67, 45],
  ],
  systems: [17, 200],
};

export function pairs<A, B>(as: readonly A[], bs: readonly B[]): [A, B][] {
  return as.flatMap((a) => bs.map((b): [A, B] => [a, b]));
}

function triples(sizes: readonly number[]): number[][] {
  return pairs(pairs(sizes, sizes), sizes).map(([[n, m], d]) => [n, m, d]);
}
