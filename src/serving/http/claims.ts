// Claims: the next cards of the queue for one session, which nobody else is given meanwhile.

import type { ClaimPair } from '../people/claim-store.ts';
import { nameFor, needs } from './access.ts';
import { type Api, type ApiContext, problemsOfWrites } from './api.ts';
import type { LoadedModel } from './loaded-model.ts';
import { ClaimBody, Claims, Released, SessionPath } from './people-schemas.ts';
import { queueRow } from './queue.ts';
import { the } from './schemas.ts';
import { refuseUnsure } from './suggestions.ts';
import type { Static } from './typebox.ts';

const tags = ['reviews'];
const PORTION = 200; // of the queue, looked through at a time

export function addClaims(app: Api, context: ApiContext): void {
  for (const add of [addClaim, addRelease]) add(app, context);
}

function addClaim(app: Api, { models, store }: ApiContext): void {
  app.post(
    '/v1/queue/claims',
    {
      config: needs('review'),
      schema: {
        operationId: 'claim',
        summary:
          'Hold the next cards of the queue that nobody else holds, and none else; ask again to go on or to renew',
        tags,
        body: ClaimBody,
        response: { 200: the(Claims), ...problemsOfWrites(404, 503) },
      },
    },
    ({ body, actor }) =>
      models.use(async (loaded) => {
        const who = nameFor(actor, body.curator);
        const { session, limit, pairs, order } = body;
        await loaded.curation.prepareQueue(order);
        const rows = new Map<string, Row>();
        const candidates = pairs === undefined ? ofQueue(loaded, body, rows) : once(openPairs(loaded, pairs));
        const claimed = await store.claims.take({ session, who, limit, candidates });
        const suggestions = claimed.pairs.flatMap((pair) => rows.get(keyOf(pair)) ?? []);
        return { ...claimed, pairs: [...claimed.pairs], ...(pairs === undefined && { suggestions }) };
      }),
  );
}

function addRelease(app: Api, { store }: ApiContext): void {
  app.delete(
    '/v1/queue/claims/:session',
    {
      config: needs('review'),
      schema: {
        operationId: 'release',
        summary: 'Let go of all that a session holds',
        tags,
        params: SessionPath,
        response: { 200: the(Released), ...problemsOfWrites(404, 503) },
      },
    },
    async ({ params: { session } }) => ({ numReleased: await store.claims.release(session) }),
  );
}

type Row = ReturnType<typeof queueRow>;
type Portions = () => readonly ClaimPair[] | undefined;

/** The queue in portions, without what is to be left out; `rows` gets what is shown of each. */
function ofQueue(loaded: LoadedModel, body: Static<typeof ClaimBody>, rows: Map<string, Row>): Portions {
  const { session: _, limit: _limit, pairs: _pairs, without = [], curator: _curator, ...options } = body;
  if (options.tag !== undefined) loaded.findTag(options.tag);
  refuseUnsure(loaded, options.minConfidence);
  const left = new Set(without.map(keyOf));
  let page: ReturnType<LoadedModel['curation']['queue']> | undefined;
  return () => {
    if (page !== undefined && page.next === undefined) return undefined;
    page = loaded.curation.queue(PORTION, page?.next, options);
    const open = page.suggestions.filter((one) => !left.has(keyOf(one)));
    for (const one of open) rows.set(keyOf(one), queueRow(loaded, one));
    return open;
  };
}

function openPairs({ model: { graph } }: LoadedModel, pairs: readonly ClaimPair[]): readonly ClaimPair[] {
  return pairs.filter(({ object, tag }) => graph.objects.idOf(object) >= 0 && graph.tags.idOf(tag) >= 0);
}

function once(pairs: readonly ClaimPair[]): Portions {
  let rest: readonly ClaimPair[] | undefined = pairs;
  return () => {
    const now = rest;
    rest = undefined;
    return now;
  };
}

function keyOf({ object, tag }: ClaimPair): string {
  return `${object}\0${tag}`;
}
