// GET /v1/queue: the suggestions nobody has decided on, over all objects.

import type { OpenSuggestion } from '../curation/curation.ts';
import { needs } from './access.ts';
import { type Api, type ApiContext, cursorOf, problems, rounded } from './api.ts';
import type { LoadedModel } from './loaded-model.ts';
import { QueueQuery } from './request-schemas.ts';
import { Queue } from './review-schemas.ts';
import { the } from './schemas.ts';
import { listedFields } from './shown-fields.ts';
import { refuseUnsure } from './suggestions.ts';
import { Type } from './typebox.ts';

const tags = ['reviews'];
const place = {
  object: Type.String(),
  tag: Type.String(),
  score: Type.Number(),
  confidence: Type.Optional(Type.Number()),
  worth: Type.Optional(Type.Number()),
};
const queueCursor = cursorOf('queue', Type.Object({ ...place, leader: Type.Optional(Type.Object(place)) }));

export function addQueue(app: Api, { models }: ApiContext): void {
  app.get(
    '/v1/queue',
    {
      config: needs('read'),
      schema: {
        operationId: 'listQueue',
        summary: 'Suggestions nobody has decided on, the most confident first unless asked otherwise',
        tags,
        querystring: QueueQuery,
        response: { 200: the(Queue), ...problems(404) },
      },
    },
    ({ query: { limit, cursor, ...options } }) =>
      models.use(async (loaded) => {
        const { minConfidence, tag, order } = options;
        if (tag !== undefined) loaded.findTag(tag);
        refuseUnsure(loaded, minConfidence);
        await loaded.curation.prepareQueue(order);
        const page = loaded.curation.queue(limit, queueCursor.decode(cursor), options);
        const { suggestions, next, isComplete, numOpen, numLikely } = page;
        return {
          suggestions: suggestions.map((one) => queueRow(loaded, one)),
          ...(next !== undefined && { next: queueCursor.encode(next) }),
          isComplete,
          numOpen,
          ...(numLikely !== undefined && { numLikely }),
        };
      }),
  );
}

/** What is shown of an open suggestion. */
export function queueRow({ model: { graph } }: LoadedModel, suggestion: OpenSuggestion) {
  const { object, title, tag, score, confidence } = suggestion;
  return {
    ...{ object, title, tag, score: rounded(score) },
    ...(confidence !== undefined && { confidence: rounded(confidence) }),
    ...listedFields(graph, graph.objects.idOf(object)),
  };
}
