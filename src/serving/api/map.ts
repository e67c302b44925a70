// GET /v1/map/tags and /v1/map/objects: places in two dimensions where what is alike lies together.

import type { MapSide } from '../map/map-vectors.ts';
import { type Api, type ApiContext, problems, sendJson } from './api.ts';
import { isAnswered } from './etag.ts';
import { MapComputing, MapFacts, the } from './schemas.ts';

export function addMap(app: Api, { models }: ApiContext): void {
  for (const side of ['tags', 'objects'] satisfies MapSide[]) {
    app.get(
      `/v1/map/${side}`,
      {
        schema: {
          operationId: side === 'tags' ? 'getMapOfTags' : 'getMapOfObjects',
          summary: `A map of ${side}; while it is drawn, how much of it is done. Of more than 20,000 the rest is left out`,
          tags: ['map'],
          response: { 200: the(MapFacts), 202: the(MapComputing), ...problems() },
        },
      },
      (request, reply) =>
        models.use(async (loaded) => {
          const state = await loaded.maps.get(side);
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
