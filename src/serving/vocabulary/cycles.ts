// The cycles among links from names to others, in as many steps as there are links.

export interface Cycle {
  /** From the name where it begins to the one whose link closes it; until the next cycle is asked for. */
  readonly path: readonly string[];
  /** Where in the path it begins. */
  readonly start: number;
}

/** One for each link without which there would be none. That link may be taken away before the next cycle is asked for. */
export function* cyclesIn(links: ReadonlyMap<string, { keys(): Iterator<string> }>): Generator<Cycle> {
  const done = new Set<string>();
  const path: string[] = [];
  const places = new Map<string, number>(); // in the path
  const steps: Iterator<string>[] = [];
  const enter = (name: string) => {
    places.set(name, path.push(name) - 1);
    steps.push((links.get(name) ?? new Map<string, unknown>()).keys());
  };
  for (const first of links.keys()) {
    if (!done.has(first)) enter(first);
    while (steps.length > 0) {
      const { done: isOver, value } = steps[steps.length - 1].next();
      if (isOver) {
        const name = path.pop() as string;
        steps.pop();
        places.delete(name);
        done.add(name);
        continue;
      }
      const start = places.get(value);
      if (start !== undefined) yield { path, start };
      else if (!done.has(value)) enter(value);
    }
  }
}

const MOST_SHOWN = 8;

/** In words, from the link on that closes it: c → a → b → c. */
export function shownCycle(path: readonly string[], start: number): string {
  const last = path[path.length - 1];
  const names = path.slice(start, Math.min(path.length - 1, start + MOST_SHOWN));
  const more = path.length - 1 - start > MOST_SHOWN ? ['…'] : [];
  return [last, ...names, ...more, last].join(' → ');
}
