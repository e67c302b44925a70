// Names like one that was mistyped: those that begin with it or hold it, then those a few letters away.

const MAX_SHOWN = 3;

/** The nearest of `names`, best first; few. Compared without regard to case. */
export function nearestNames(wanted: string, names: Iterable<string>): string[] {
  const target = wanted.toLowerCase().slice(0, 100);
  const found: { name: string; distance: number }[] = [];
  for (const name of names) {
    const limit = found.length === MAX_SHOWN ? found[MAX_SHOWN - 1].distance : Math.max(2, target.length / 2);
    const distance = likeness(target, name.toLowerCase().slice(0, 200), limit);
    if (distance >= limit || found.some((one) => one.name === name)) continue;
    found.push({ name, distance });
    found.sort((a, b) => a.distance - b.distance);
    found.length = Math.min(found.length, MAX_SHOWN);
  }
  return found.map(({ name }) => name);
}

/** Edits between two names; a name that holds the other is near, however long it is. */
function likeness(target: string, name: string, limit: number): number {
  if (target.length >= 3 && name.includes(target)) {
    return (name.startsWith(target) ? 0.3 : 0.6) + (name.length - target.length) / 1000;
  }
  return Math.abs(name.length - target.length) >= limit ? limit : editDistance(target, name, limit);
}

/** Insertions, deletions and exchanges of a letter (Levenshtein); gives up at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    if (Math.min(...next) >= limit) return limit;
    row = next;
  }
  return row[b.length];
}
