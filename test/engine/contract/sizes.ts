// The sizes every trial runs at: none, one, and those around whole vectors and whole blocks.

export const SIZES = [0, 1, 3, 4, 5, 15, 16, 17, 33];

export interface Sizes {
  readonly shapes: readonly (readonly [rows: number, cols: number])[];
  /** (n, m, d) */
  readonly triples: readonly (readonly number[])[];
  readonly systems: readonly number[];
}

export const ALL_SIZES: Sizes = {
  shapes: [...pairs(SIZES, SIZES), [257, 129], [1000, 5], [2, 3000]],
  triples: triples(SIZES),
  systems: [1, 2, 3, 15, 16, 17, 33, 64, 65, 130, 200],
};

const FEW = [0, 1, 5, 17];

/** For backends that take long over every call. */
export const FEW_SIZES: Sizes = {
  shapes: [...pairs(FEW, FEW), [130, 70], [2, 1100]],
  triples: triples(FEW),
  systems: [1, 3, 17, 65, 130],
};

export function pairs<A, B>(as: readonly A[], bs: readonly B[]): [A, B][] {
  return as.flatMap((a) => bs.map((b): [A, B] => [a, b]));
}

function triples(sizes: readonly number[]): number[][] {
  return pairs(pairs(sizes, sizes), sizes).map(([[n, m], d]) => [n, m, d]);
}
