// loom as one of the models: strengths chosen in a rehearsal, then a fit to everything.

import type { LoomSettings } from './config-loom.ts';
import { viewObjects, weave } from './fit-loom.ts';
import type { Fit, FitContext } from './model-kind.ts';
import { rehearse } from './rehearse-loom.ts';

export async function fitLoom(context: FitContext<LoomSettings>): Promise<Fit> {
  const { kernels, train, rehearsal, listener } = context;
  const isOpen = rehearsal !== undefined && context.settings.search === 'on';
  const rehearsed = isOpen ? await rehearse(kernels, rehearsal, context.settings, listener) : undefined;
  const settings = rehearsed?.settings ?? context.settings;
  const views = await viewObjects(kernels, train, settings, listener);
  const { loom, outcomes } = await weave(kernels, views, settings, { judges: true, listener });
  return { fitted: loom, settings, outcomes, ...(rehearsed?.value !== undefined && { rehearsed: rehearsed.value }) };
}
