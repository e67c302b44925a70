// A value that components watch.

import { useLayoutEffect, useState } from 'preact/hooks';

export class Store<State> {
  #state: State;
  readonly #watchers = new Set<() => void>();

  constructor(state: State) {
    this.#state = state;
  }

  get(): State {
    return this.#state;
  }

  set(state: State): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const watcher of [...this.#watchers]) watcher();
  }

  change(parts: Partial<State>): void {
    this.set({ ...this.#state, ...parts });
  }

  /** Gives what ends it. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }
}

/** Renders again when what `select` gives changes (by identity). */
export function useStore<State, Part>(store: Store<State>, select: (state: State) => Part): Part {
  const [, render] = useState(0);
  const part = select(store.get());
  useLayoutEffect(() => {
    let last = part;
    const look = () => {
      const now = select(store.get());
      if (now === last) return;
      last = now;
      render((count) => count + 1);
    };
    look(); // it may have changed between the rendering and now
    return store.watch(look);
  });
  return part;
}
