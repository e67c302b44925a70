// How strong the views of loom should be. Part of the pairs is hidden, loom is fitted to the rest, and the strength that finds
// the hidden ones best is kept; the views are looked at once. Each trial is a fit, so this is for data where one takes a
// second or two; larger data goes by the defaults.

import type { Kernels } from '../engine/kernels.ts';
import type { Listener } from '../listener.ts';
import type { LoomSettings } from './config-loom.ts';
import { taggedObjects, viewObjects, weave } from './fit-loom.ts';
import type { Rehearsal } from './model-kind.ts';

export interface Rehearsed {
  readonly settings: LoomSettings;
  readonly value: number;
}

const MAX_SIZE = 2500; // of the matrix to invert
const WORTH = 0.001; // a gain that is more than chance

type Strength = 'profileStrength' | 'neighbourStrength' | 'ownPenalty';
/** Tried one after the other, upwards first. */
const STEPS: readonly (readonly [Strength, number])[] = [
  ['profileStrength', 4],
  ['neighbourStrength', 3],
  ['ownPenalty', 2.5],
];

/** Undefined where the data is too large. */
export async function rehearse(
  kernels: Kernels,
  { train, judge }: Rehearsal,
  given: LoomSettings,
  listener: Listener,
): Promise<Rehearsed | undefined> {
  const numFeatures = 2 * train.tags.size + given.profileWidth + 1;
  if (Math.min(numFeatures, taggedObjects(train).length) > MAX_SIZE) return undefined;
  const quiet: Listener = listener.signal === undefined ? {} : { signal: listener.signal };
  const views = await viewObjects(kernels, train, given, listener);
  let numTried = 0;
  const attempt = async (settings: LoomSettings): Promise<Rehearsed> => {
    listener.progress?.('choosing strengths', numTried++, 2 * STEPS.length + 1);
    const { loom } = await weave(kernels, views, settings, quiet);
    return { settings, value: await judge(loom) };
  };
  let best = await attempt(given);
  for (const [name, factor] of STEPS) {
    for (const step of [factor, 1 / factor]) {
      const next = await attempt({ ...best.settings, [name]: best.settings[name] * step });
      if (next.value <= best.value + WORTH) continue;
      best = next;
      break;
    }
  }
  return best;
}
