// What a component waits for: on its way, there, or failed with a way to try again. A newer wish cancels the older one.

import { useEffect, useState } from 'preact/hooks';
import { type ApiProblem, asProblem, wasCancelled } from '../api/problem.ts';

export type Loaded<Value> =
  | { readonly state: 'loading'; readonly value?: Value | undefined }
  | { readonly state: 'there'; readonly value: Value }
  | { readonly state: 'failed'; readonly problem: ApiProblem; readonly value?: undefined; retry(): void };

/** Loads again when `wish` changes; undefined wishes for nothing. While a newer one loads, nothing of the older is shown. */
export function useLoaded<Value>(
  wish: string | undefined,
  load: (signal: AbortSignal) => Promise<Value>,
): Loaded<Value> {
  const [attempt, setAttempt] = useState(0);
  const [found, setFound] = useState<{ wish: string; loaded: Loaded<Value> }>();
  useEffect(() => {
    if (wish === undefined) return;
    const cancel = new AbortController();
    const keep = (loaded: Loaded<Value>) => cancel.signal.aborted || setFound({ wish, loaded });
    load(cancel.signal).then(
      (value) => keep({ state: 'there', value }),
      (error) => {
        if (wasCancelled(error)) return;
        const retry = () => {
          setFound(undefined);
          setAttempt((count) => count + 1);
        };
        keep({ state: 'failed', problem: asProblem(error), retry });
      },
    );
    return () => cancel.abort();
  }, [wish, attempt]);
  return found !== undefined && found.wish === wish ? found.loaded : { state: 'loading' };
}
