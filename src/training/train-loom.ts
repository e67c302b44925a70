// loom as one of the models: strengths chosen in a rehearsal, then a fit to everything.

import type { LoomSettings } from './config-loom.ts';
import { viewContent } from './loom-content.ts';
import { viewObjects, viewUsers } from './loom-views.ts';
import type { Fit, FitContext } from './model-kind.ts';
import { rehearse } from './rehearse-loom.ts';
import { weave } from './weave-loom.ts';

export async function fitLoom(context: FitContext<LoomSettings>): Promise<Fit> {
  const { kernels, train, features, rehearsal, listener } = context;
  const users = await viewUsers(kernels, train, context.settings, listener);
  const content = features && (await viewContent(kernels, features, context.settings));
  const isOpen = rehearsal !== undefined && context.settings.search === 'on';
  const rehearsed = isOpen
    ? await rehearse(kernels, rehearsal, { users, content }, context.settings, listener)
    : undefined;
  const settings = rehearsed?.settings ?? context.settings;
  const objects = Int32Array.from({ length: train.objects.size }, (_, object) => object);
  const views = { ...(await viewObjects(train, users, objects, settings, listener)), content };
  const { loom, outcomes } = await weave(kernels, views, settings, listener);
  return { fitted: loom, settings, outcomes, ...(rehearsed?.value !== undefined && { rehearsed: rehearsed.value }) };
}
