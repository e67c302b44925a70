// How long-running library code tells its caller what it is doing, and hears that it should stop. The library never
// prints; the CLI turns these calls into progress bars and warnings, a service may log or ignore them.

import { CancelledError } from './errors.ts';

/** Hears of progress and warnings, and can stop the work. */
export interface Listener {
  /** A step has done `done` of `total` units; called often, so keep it cheap. `detail`: how it goes, for people. */
  progress?(step: string, done: number, total: number, detail?: string): void;
  /** Something was put right silently; the sentence names where and how often. */
  warn?(message: string): void;
  /** Stops the work at the next opportunity, with a CancelledError. */
  signal?: AbortSignal;
}

const BREATH_MS = 50; // a person does not notice this delay after Ctrl-C

/**
 * For loops that compute for seconds: `await breathe()` now and then lets the program hear signals and answer others.
 * It costs a clock reading unless its time has come.
 */
export function makeBreather({ signal }: Listener, everyMs = BREATH_MS): () => Promise<void> | undefined {
  let last = performance.now();
  return function breathe() {
    if (signal?.aborted) throw new CancelledError();
    if (performance.now() - last < everyMs) return undefined;
    return new Promise((resolve, reject) => {
      setTimeout(() => {
        last = performance.now();
        if (signal?.aborted) reject(new CancelledError());
        else resolve();
      });
    });
  };
}

/** How the bytes of a file are read. */
export interface ChunkOptions extends Listener {
  /** Reads pipes, too, and standard input where the path is "-". */
  readonly mayBePipe?: boolean;
  /** Called before the first chunk. */
  readonly onOpen?: (about: { readonly gzipped: boolean }) => void;
}
