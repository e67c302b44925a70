// How work is divided among threads. Every number of a result is computed by one thread, in an order that does not
// depend on how many there are: so any number of threads gives the same bytes.

/** Where the share of thread t of T begins in [0, n), in whole grains; the share of t ends where that of t + 1 begins. */
// @ts-ignore: decorator
@inline
export function shareStart(t: i32, T: i32, n: i32, grain: i32): i32 {
  const numGrains = (n + grain - 1) / grain;
  return min(n, i32((i64(numGrains) * t) / T) * grain);
}

/** The first row whose entries begin at or after the t-th of T equal parts of all entries. */
export function rowShareStart(t: i32, T: i32, rowStart: usize, rows: i32): i32 {
  if (t === 0) return 0;
  if (t === T) return rows;
  const wanted = i32((i64(load<i32>(rowStart + (<usize>rows << 2))) * t) / T);
  let low = 0;
  let high = rows;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<i32>(rowStart + (<usize>middle << 2)) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
