// The order of a queue by groups: the suggestions of an object, or of a tag, one after the other, the group with the best
// suggestion first. Made from the plain order in two passes (a counting sort), so that within a group the plain order stays.

export interface GroupedOrder {
  /** All slots, group by group. */
  readonly slots: Int32Array;
  /** Where each group begins in `slots`: its best suggestion, by which groups are sorted; one more at the end. */
  readonly starts: Int32Array;
}

const NONE = -1;

/** `groupOf` gives numbers below `numGroups`. */
export function groupedOrder(order: Int32Array, groupOf: (slot: number) => number, numGroups: number): GroupedOrder {
  const rankOf = new Int32Array(numGroups).fill(NONE); // by group, in the order of their best
  const sizes = new Int32Array(Math.min(numGroups, order.length)); // by rank
  let numRanks = 0;
  for (let i = 0; i < order.length; i++) {
    const group = groupOf(order[i]);
    if (rankOf[group] === NONE) rankOf[group] = numRanks++;
    sizes[rankOf[group]]++;
  }
  const starts = new Int32Array(numRanks + 1);
  for (let rank = 0; rank < numRanks; rank++) starts[rank + 1] = starts[rank] + sizes[rank];
  const next = starts.slice();
  const slots = new Int32Array(order.length);
  for (let i = 0; i < order.length; i++) slots[next[rankOf[groupOf(order[i])]]++] = order[i];
  return { slots, starts };
}
