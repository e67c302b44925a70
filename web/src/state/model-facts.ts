// What the service says of its model, asked for once.

import { getModel } from '../api/calls.ts';
import type { ModelFacts } from '../api/shapes.ts';
import { type Loaded, useLoaded } from './use-loaded.ts';

let asked: Promise<ModelFacts> | undefined;

/** For screens that are nothing without it; others do with `value`. */
export function useModel(): Loaded<ModelFacts> {
  return useLoaded('model', recallModel);
}

/** Whether the model tells how likely suggestions are; where the service does not say, it is taken to. */
export async function knowsConfidence(): Promise<boolean> {
  const model = await recallModel().catch(() => undefined);
  return model?.knowsConfidence !== false;
}

function recallModel(): Promise<ModelFacts> {
  asked ??= getModel().catch((error) => {
    asked = undefined; // the next one asks again
    throw error;
  });
  return asked;
}
