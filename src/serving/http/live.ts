// GET /v1/live: all that a page shows while several people work, in one small answer to be asked for every second or two. What did
// not change is answered with 304.

import { nameFor, needs } from './access.ts';
import { type Api, type ApiContext, problems } from './api.ts';
import { Live, LiveQuery } from './people-schemas.ts';
import { shownReview, timeOf } from './reviews.ts';
import { the } from './schemas.ts';
import { refuseUnsure } from './suggestions.ts';

const NOBODY = ''; // the id of no session

export function addLive(app: Api, { models, store }: ApiContext): void {
  app.get(
    '/v1/live',
    {
      config: needs('read', { isPersonal: true }),
      schema: {
        operationId: 'getLive',
        summary: 'What others decided, how much is open and was done today, who is at work, which cards they hold',
        tags: ['reviews'],
        querystring: LiveQuery,
        response: { 200: the(Live), ...problems(404, 503) },
      },
    },
    ({ query, actor }) =>
      models.use(async (loaded) => {
        const { session = NOBODY, after, today, curator, order: _, ...filter } = query; // in any order they are as many
        if (filter.tag !== undefined) loaded.findTag(filter.tag);
        refuseUnsure(loaded, filter.minConfidence);
        const me = nameFor(actor, curator);
        const changes = after === undefined ? [] : await store.changedSince(after);
        const { numOpen, numLikely } = loaded.curation.queue(1, undefined, filter);
        const counts = today === undefined ? undefined : await countsSince(store, timeOf(today, 'today'), me);
        return {
          revision: changes.at(-1)?.revision ?? after ?? (await store.lastRevision()),
          changes: changes.map(({ isUndone, ...review }) => ({ review: shownReview(review), isUndone })),
          numOpen,
          ...(numLikely !== undefined && { numLikely }),
          ...(counts && { today: counts }),
          atWork: await store.claims.atWork(session),
          held: await store.claims.heldByOthers(session),
        };
      }),
  );
}

async function countsSince(store: ApiContext['store'], since: Date | undefined, me: string) {
  const everyone = await store.counts({ since });
  return me === '' ? { everyone } : { everyone, mine: await store.counts({ since, curator: me }) };
}
