// The best tags of one scored list. Ties are broken by the smaller tag id, that is by name in byte order.

/** The `limit` best tags that are not in `hidden` (ascending ids), from best to worst. */
export function topTags(scores: Float32Array, hidden: Int32Array, limit: number): number[] {
  if (limit === 0) return [];
  const best: number[] = []; // from best to worst; insertion keeps it short and sorted
  let nextHidden = 0;
  for (let tag = 0; tag < scores.length; tag++) {
    if (nextHidden < hidden.length && hidden[nextHidden] === tag) {
      nextHidden++;
      continue;
    }
    if (best.length === limit && scores[tag] <= scores[best[limit - 1]]) continue;
    let at = best.length === limit ? limit - 1 : best.length;
    for (; at > 0 && scores[best[at - 1]] < scores[tag]; at--) best[at] = best[at - 1];
    best[at] = tag;
  }
  return best;
}
