// What the service says of its model, asked for once, and again when another one takes its place.

import { getModel } from '../api/calls.ts';
import type { ModelFacts } from '../api/shapes.ts';
import { Store, useStore } from '../store.ts';
import { type Loaded, useLoaded } from './use-loaded.ts';

let asked: Promise<ModelFacts> | undefined;
const generation = new Store({ number: 0 }); // models so far, as this tab has seen them

/** For screens that are nothing without it; others do with `value`. */
export function useModel(): Loaded<ModelFacts> {
  const { number } = useStore(generation, (all) => all);
  return useLoaded(`model ${number}`, recallModel);
}

/** Whether the model tells how likely suggestions are; where the service does not say, it is taken to. */
export async function knowsConfidence(): Promise<boolean> {
  const model = await recallModel().catch(() => undefined);
  return model?.knowsConfidence !== false;
}

/** Another model serves: what was known of the one before is of no use. */
export function forgetModel(): void {
  asked = undefined;
  generation.set({ number: generation.get().number + 1 });
}

function recallModel(): Promise<ModelFacts> {
  asked ??= getModel().catch((error) => {
    asked = undefined; // the next one asks again
    throw error;
  });
  return asked;
}
