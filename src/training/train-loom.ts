// loom as one of the models: strengths chosen in a rehearsal, then a fit to everything.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { InputError } from '../errors.ts';
import type { LoomSettings } from './config-loom.ts';
import { commonWords, taggedObjects, viewObjects } from './loom-views.ts';
import type { Fit, FitContext } from './model-kind.ts';
import { rehearse } from './rehearse-loom.ts';
import { weave } from './weave-loom.ts';

export async function fitLoom(context: FitContext<LoomSettings>): Promise<Fit> {
  const { kernels, train, rehearsal, listener } = context;
  refuseTooLarge(train, context.settings);
  const isOpen = rehearsal !== undefined && context.settings.search === 'on';
  const rehearsed = isOpen ? await rehearse(kernels, rehearsal, context.settings, listener) : undefined;
  const settings = rehearsed?.settings ?? context.settings;
  const views = await viewObjects(kernels, train, settings, listener);
  const { loom, outcomes } = await weave(kernels, views, settings, { judges: true, listener });
  return { fitted: loom, settings, outcomes, ...(rehearsed?.value !== undefined && { rehearsed: rehearsed.value }) };
}

const MAX_SIZE = 25_000; // of the matrix to invert: it takes 2.5 GB, and the engine's memory ends at 4

/** Before any work, not after it. */
function refuseTooLarge(train: KnowledgeGraph, { wordCount, profileWidth }: LoomSettings): void {
  const numObjects = taggedObjects(train).length;
  const numFeatures = 2 * train.tags.size + commonWords(train, wordCount).size + profileWidth + 1;
  if (Math.min(numObjects, numFeatures) <= MAX_SIZE) return;
  const got = `${numObjects} tagged objects and ${numFeatures} features`;
  const cure =
    'Merge or drop rare tags (--merge-tags), pass --set wordCount=0, or take another model, such as itemknn.';
  throw new InputError({ got, expected: `at most ${MAX_SIZE} of one of them, for loom`, cure });
}
