// The model in service: what it is, how it compares, its maps, and loading it again.

import { readFileSync } from 'node:fs';
import { CancelledError, InputError } from '../../errors.ts';
import { userCountsOf } from '../../models/fitted.ts';
import type { MapSide } from '../map/map-vectors.ts';
import { needs } from './access.ts';
import { type Api, type ApiContext, isAnswered, problems, problemsOfWrites, sendJson } from './api.ts';
import type { LoadedModel } from './loaded-model.ts';
import { refuse } from './problem.ts';
import { Comparison, MapComputing, MapFacts, ModelFacts, the } from './schemas.ts';

const tags = ['model'];
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
).version;

export function addModel(app: Api, { models, access, results }: ApiContext): void {
  const facts = () => models.use((loaded) => modelFacts(loaded, !access.isOpen));

  app.get(
    '/v1/model',
    {
      config: needs('read'),
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
      config: needs('administrate'),
      schema: {
        operationId: 'reloadModel',
        summary: 'Load the file of the model anew; requests are answered meanwhile',
        tags,
        response: { 200: the(ModelFacts), ...problemsOfWrites(422, 503) },
      },
    },
    async () => {
      await models.reload().catch((error) => {
        if (error instanceof CancelledError)
          refuse(503, 'The service is closing.', 'Ask the one that takes its place.');
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
      config: needs('read'),
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
  const { numUsers, numInteractions } = userCountsOf(model) ?? {
    numUsers: graph.users.size,
    numInteractions: graph.interact.size,
  };
  return {
    name,
    version: VERSION,
    settings,
    metrics,
    fingerprint,
    numObjects: graph.objects.size,
    numTags: graph.tags.size,
    ...(numInteractions > 0 && { numUsers }),
    numTagged: graph.tagged.size,
    ...(numInteractions > 0 && { numInteractions }),
    textColumns: graph.texts.map((column) => column.name),
    knowsConfidence: confidence !== undefined,
    foldsIn: recommender.foldsIn,
    guarded,
    loadedAt: loadedAt.toISOString(),
  };
}

/** Places in two dimensions where similar things lie together. */
export function addMap(app: Api, { models }: ApiContext): void {
  for (const side of ['tags', 'objects'] satisfies MapSide[]) {
    app.get(
      `/v1/map/${side}`,
      {
        config: needs('read'),
        schema: {
          operationId: side === 'tags' ? 'getMapOfTags' : 'getMapOfObjects',
          summary: `A map of ${side}; while it is drawn, how much of it is done. Of more than 20,000 the rest is left out`,
          tags: ['map'],
          response: { 200: the(MapFacts), 202: the(MapComputing), ...problems(501) },
        },
      },
      (request, reply) =>
        models.use(async (loaded) => {
          const state = await loaded.maps.get(side).catch((error) => {
            if (!(error instanceof InputError)) throw error;
            const { got, expected, cure } = error.problem;
            return refuse(501, `Got ${got}, expected ${expected}.`, cure);
          });
          if ('body' in state) {
            if (!isAnswered(request, reply, loaded.etag(side))) sendJson(reply, state.body);
            return;
          }
          reply.code(202).header('retry-after', '1').header('cache-control', 'no-store');
          return { state: 'computing' as const, done: Math.round(state.done * 100) / 100 };
        }),
    );
  }
}
