// The largest of many, without sorting all of them.

/** The `most` with the largest keys; among equal keys the smaller ids. */
export function strongest(ids: Int32Array, keys: Float32Array, most: number): Int32Array {
  if (ids.length <= most) return ids.slice();
  const least = kthLargest(keys.slice(), most);
  const above = ids.filter((_, i) => keys[i] > least);
  const at = ids.filter((_, i) => keys[i] === least).sort();
  const kept = new Int32Array(most);
  kept.set(above);
  kept.set(at.subarray(0, most - above.length), above.length);
  return kept;
}

/** Quickselect (Hoare, Comm. ACM 4(7), 1961); reorders the keys. */
function kthLargest(keys: Float32Array, k: number): number {
  let [low, high] = [0, keys.length - 1];
  const at = k - 1;
  while (low < high) {
    const pivot = keys[(low + high) >>> 1];
    let [i, j] = [low, high];
    while (i <= j) {
      while (keys[i] > pivot) i++;
      while (keys[j] < pivot) j--;
      if (i > j) break;
      [keys[i], keys[j]] = [keys[j], keys[i]];
      i++;
      j--;
    }
    if (at <= j) high = j;
    else if (at >= i) low = i;
    else break; // between the two all are the pivot
  }
  return keys[at];
}
