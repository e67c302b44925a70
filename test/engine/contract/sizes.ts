// The sizes every trial runs at: none, one, and those around whole vectors and whole blocks.

export const SIZES = [0, 1, 3, 4, 5, 15, 16, 17, 33];
export const SHAPES = [...pairs(SIZES, SIZES), [257, 129], [1000, 5], [2, 3000]] as const;
export const SYSTEM_SIZES = [1, 2, 3, 15, 16, 17, 33, 64, 65, 130, 200];

export function pairs<A, B>(as: readonly A[], bs: readonly B[]): [A, B][] {
  return as.flatMap((a) => bs.map((b): [A, B] => [a, b]));
}

/** All of (n, m, d) over the awkward sizes. */
export function triples(): number[][] {
  return pairs(pairs(SIZES, SIZES), SIZES).map(([[n, m], d]) => [n, m, d]);
}
