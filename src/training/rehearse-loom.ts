// How strong the views of loom should be. Part of the pairs is hidden, loom is fitted to the rest, and the strength that finds
// the hidden ones best is kept; the views are looked at once. Where a fit takes more than a second or two, a part of the
// objects is learnt from, and only the strength of words is chosen: it differs most from data to data (names of packages tell
// their tags, names of bands do not), and few objects tell it as well as many. The others go by their defaults there.

import type { Kernels } from '../engine/kernels.ts';
import type { Listener } from '../listener.ts';
import { permutation, Random } from '../random.ts';
import type { LoomSettings } from './config-loom.ts';
import { taggedObjects, viewObjects } from './loom-views.ts';
import type { Rehearsal } from './model-kind.ts';
import { weave } from './weave-loom.ts';

export interface Rehearsed {
  readonly settings: LoomSettings;
  /** How well hidden pairs were found; undefined where only a part of the objects was learnt from. */
  readonly value: number | undefined;
}

const MAX_ROWS = 2500; // objects: the matrix to invert is no larger
const WORTH = 0.002; // a smaller gain is chance

type Strength = 'wordStrength' | 'profileStrength' | 'neighbourStrength' | 'ownPenalty';
/** Tried one after the other; a step is taken again as long as it pays, upwards first. */
const STEPS: readonly (readonly [Strength, number])[] = [
  ['wordStrength', 4],
  ['profileStrength', 4],
  ['neighbourStrength', 3],
  ['ownPenalty', 2.5],
];

export async function rehearse(
  kernels: Kernels,
  { train, judge }: Rehearsal,
  given: LoomSettings,
  listener: Listener,
): Promise<Rehearsed> {
  const quiet: Listener = listener.signal === undefined ? {} : { signal: listener.signal };
  const views = await viewObjects(kernels, train, given, listener);
  const all = taggedObjects(train);
  const order = permutation(all.length, new Random(given.seed, 'objects to rehearse on')).subarray(0, MAX_ROWS);
  const isPart = all.length > MAX_ROWS;
  const objects = isPart ? order.map((i) => all[i]).sort() : all;
  const steps = STEPS.slice(0, isPart ? 1 : STEPS.length);
  let numTried = 0;
  const attempt = async (settings: LoomSettings) => {
    const total = 3 * steps.length + 1; // about as many
    listener.progress?.('choosing strengths', Math.min(numTried++, total), total);
    const { loom } = await weave(kernels, { ...views, objects }, settings, { listener: quiet });
    return { settings, value: await judge(loom) };
  };
  let best = await attempt(given);
  for (const [name, factor] of steps) {
    for (const step of [factor, 1 / factor]) {
      const before = best;
      for (let pays = true; pays; ) {
        const next = await attempt({ ...best.settings, [name]: best.settings[name] * step });
        pays = next.value > best.value + WORTH;
        if (pays) best = next;
      }
      if (best !== before) break;
    }
  }
  return { settings: best.settings, value: isPart ? undefined : best.value };
}
