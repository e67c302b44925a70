// GET /v1/queue: the suggestions nobody has decided on, over all objects.

import { type Api, type ApiContext, cursorOf, problems, rounded } from './api.ts';
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
        const { graph } = loaded.model;
        return {
          suggestions: suggestions.map(({ object, title, tag: name, score, confidence }) => ({
            ...{ object, title, tag: name, score: rounded(score) },
            ...(confidence !== undefined && { confidence: rounded(confidence) }),
            ...listedFields(graph, graph.objects.idOf(object)),
          })),
          ...(next !== undefined && { next: queueCursor.encode(next) }),
          isComplete,
          numOpen,
          ...(numLikely !== undefined && { numLikely }),
        };
      }),
  );
}
