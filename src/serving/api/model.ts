// The model in service: what it is, how it compares, and loading it anew.

import { readFileSync } from 'node:fs';
import { InputError } from '../../errors.ts';
import { type Api, type ApiContext, problems, problemsOfWrites } from './api.ts';
import type { LoadedModel } from './loaded-model.ts';
import { refuse } from './problem.ts';
import { Comparison, ModelFacts, the } from './schemas.ts';

const tags = ['model'];
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
).version;

export function addModel(app: Api, { models, isGuarded, results }: ApiContext): void {
  const facts = () => models.use((loaded) => modelFacts(loaded, isGuarded));

  app.get(
    '/v1/model',
    {
      schema: {
        operationId: 'getModel',
        summary: 'The model in service and the data behind it',
        tags,
        response: { 200: the(ModelFacts), ...problems() },
      },
    },
    facts,
  );

  app.post(
    '/v1/model/reload',
    {
      schema: {
        operationId: 'reloadModel',
        summary: 'Load the file of the model anew; requests are answered meanwhile',
        tags,
        response: { 200: the(ModelFacts), ...problemsOfWrites(422, 503) },
      },
    },
    async () => {
      await models.reload().catch((error) => {
        if (!(error instanceof InputError)) throw error;
        const { got, expected, cure } = error.problem;
        refuse(422, `Got ${got}, expected ${expected}. The model before it goes on.`, cure);
      });
      return facts();
    },
  );

  app.get(
    '/v1/comparison',
    {
      schema: {
        operationId: 'getComparison',
        summary: 'How models compare, where the service was given results',
        tags,
        response: { 200: the(Comparison), ...problems(404) },
      },
    },
    async () => {
      const cells = results();
      if (cells !== undefined) return { cells: [...cells] };
      return refuse(404, 'No results were given.', 'Start it with --results FILE, written by tagloom compare --json.');
    },
  );
}

function modelFacts({ model, recommender, fingerprint, loadedAt }: LoadedModel, guarded: boolean) {
  const { name, settings, metrics, graph, confidence } = model;
  return {
    name,
    version: VERSION,
    settings,
    metrics,
    fingerprint,
    numObjects: graph.objects.size,
    numTags: graph.tags.size,
    numUsers: graph.users.size,
    numTagged: graph.tagged.size,
    numInteractions: graph.interact.size,
    knowsConfidence: confidence !== undefined,
    foldsIn: recommender.foldsIn,
    guarded,
    loadedAt: loadedAt.toISOString(),
  };
}
