// Reviews: what was decided and how much, decide, undo, and all of it as a file. What is open is in queue.ts.

import { Readable } from 'node:stream';
import type { Actor } from '../people/roles.ts';
import type { Decided, Decision, NewReview, Review as StoredReview } from '../reviews/review-store.ts';
import type { Declarations } from '../vocabulary/declarations.ts';
import { nameFor, needs } from './access.ts';
import { type Api, type ApiContext, cursorOf, problems, problemsOfWrites } from './api.ts';
import type { LoadedModel } from './loaded-model.ts';
import type { Metrics } from './metrics.ts';
import { ProblemError, problemOf, refuse } from './problem.ts';
import { addQueue } from './queue.ts';
import {
  CountsQuery,
  CuratorsQuery,
  ExportQuery,
  ReviewBody,
  ReviewPath,
  ReviewsBody,
  ReviewsQuery,
  UndoQuery,
} from './request-schemas.ts';
import { CuratorList, DecidedList, ReviewCounts, ReviewList } from './review-schemas.ts';
import { Review, the } from './schemas.ts';
import { Type } from './typebox.ts';

const tags = ['reviews'];
const reviewCursor = cursorOf('reviews', Type.String({ minLength: 1 }));

export function addReviews(app: Api, context: ApiContext): void {
  for (const add of [addQueue, addList, addCounts, addCurators, addExport, addDecide, addDecideBatch, addUndo])
    add(app, context);
}

function addList(app: Api, { store }: ApiContext): void {
  app.get(
    '/v1/reviews',
    {
      config: needs('read'),
      schema: {
        operationId: 'listReviews',
        summary: 'What was decided, newest first',
        tags,
        querystring: ReviewsQuery,
        response: { 200: the(ReviewList), ...problems(503) },
      },
    },
    async ({ query: { limit, cursor, since, ...filter } }) => {
      const after = reviewCursor.decode(cursor);
      const found = await store.list({ ...filter, since: timeOf(since), after, limit: limit + 1 });
      const reviews = found.slice(0, limit);
      const last = reviews.at(-1);
      const hasNext = found.length > limit && last !== undefined;
      return { reviews: reviews.map(shownReview), ...(hasNext && { next: reviewCursor.encode(last.id) }) };
    },
  );
}

function addCounts(app: Api, { store }: ApiContext): void {
  app.get(
    '/v1/reviews/counts',
    {
      config: needs('read'),
      schema: {
        operationId: 'countReviews',
        summary: 'How many were accepted, rejected and put aside, of all or of one curator, ever or since a time',
        tags,
        querystring: CountsQuery,
        response: { 200: the(ReviewCounts), ...problems(503) },
      },
    },
    ({ query: { curator, since } }) => store.counts({ curator, since: timeOf(since) }),
  );
}

function addCurators(app: Api, { store }: ApiContext): void {
  app.get(
    '/v1/reviews/curators',
    {
      config: needs('read'),
      schema: {
        operationId: 'listCurators',
        summary: 'Who decided, those with the most reviews first',
        tags,
        querystring: CuratorsQuery,
        response: { 200: the(CuratorList), ...problems(503) },
      },
    },
    async ({ query: { limit } }) => ({ curators: await store.curators(limit) }),
  );
}

function addExport(app: Api, { models, store }: ApiContext): void {
  app.get(
    '/v1/reviews/export',
    {
      config: needs('read'),
      schema: {
        operationId: 'exportReviews',
        summary: 'All accepted (or rejected) pairs, as the tagged.tsv of a data set; tags by the names they have now',
        tags,
        querystring: ExportQuery,
        response: {
          200: {
            description: 'object, tag; a line each',
            content: { 'text/tab-separated-values': { schema: Type.String() } },
          },
          ...problems(503),
        },
      },
    },
    async ({ query }, reply) => {
      const reviews = store.all(query.decision)[Symbol.asyncIterator]();
      const first = await reviews.next(); // a store that is away says so before the answer begins
      const declarations = await models.use(({ curation }) => curation.vocabulary.declarations);
      return reply
        .header('content-disposition', 'attachment; filename="tagged.tsv"')
        .header('cache-control', 'no-store')
        .type('text/tab-separated-values; charset=utf-8')
        .send(Readable.from(tsvLines(first, reviews, declarations)) as never);
    },
  );
}

function addDecide(app: Api, { models, metrics }: ApiContext): void {
  app.post(
    '/v1/reviews',
    {
      config: needs('review'),
      schema: {
        operationId: 'decide',
        summary: 'Accept a tag for an object (a new one, too), reject it or put it aside; who decides first wins',
        tags,
        body: ReviewBody,
        response: { 200: the(Review), 201: the(Review), ...problemsOfWrites(404, 409, 503) },
      },
    },
    ({ body, actor }, reply) =>
      models.decide(async (loaded) => {
        const asked = newReview(body, actor);
        refuseUnknown(loaded, asked);
        const [decided] = await loaded.curation.decide([asked]);
        count(metrics, decided);
        const { review, isNew } = decided;
        if (isNew) reply.code(201).header('location', `/v1/reviews/${encodeURIComponent(review.id)}`);
        else if (review.decision !== asked.decision || review.curator !== asked.curator) throw conflict(review);
        return shownReview(review);
      }),
  );
}

function addDecideBatch(app: Api, { models, metrics }: ApiContext): void {
  app.post(
    '/v1/reviews/batch',
    {
      config: needs('review'),
      schema: {
        operationId: 'decideBatch',
        summary: 'Decide on many at once: all are kept, or none',
        tags,
        body: ReviewsBody,
        response: { 200: the(DecidedList), ...problemsOfWrites(404, 503) },
      },
    },
    ({ body, actor }) =>
      models.decide(async (loaded) => {
        const asked = body.reviews.map((one) => newReview(one, actor));
        for (const one of asked) refuseUnknown(loaded, one);
        const decided = asked.length === 0 ? [] : await loaded.curation.decide(asked);
        for (const one of decided) count(metrics, one);
        return { results: decided.map(({ review, isNew }) => ({ review: shownReview(review), isNew })) };
      }),
  );
}

function addUndo(app: Api, { models, metrics }: ApiContext): void {
  app.delete(
    '/v1/reviews/:id',
    {
      config: needs('review'),
      schema: {
        operationId: 'undo',
        summary: 'Take a review back: the pair is open again',
        tags,
        params: ReviewPath,
        querystring: UndoQuery,
        response: { 200: the(Review), ...problemsOfWrites(404, 503) },
      },
    },
    ({ params, query, actor }) =>
      models.decide(async (loaded) => {
        const undone = await loaded.curation.undo(params.id, nameFor(actor, query.curator));
        if (undone === undefined) refuse(404, 'There is no such review.', 'It may have been undone before.');
        metrics.undone.inc();
        return shownReview(undone);
      }),
  );
}

function count(metrics: Metrics, { review, isNew }: Decided): void {
  if (isNew) metrics.reviews.inc({ decision: review.decision });
}

/** Who proved a name signs with it. */
function newReview({ curator, ...rest }: NewReview, actor: Actor) {
  return { ...rest, curator: nameFor(actor, curator) } satisfies NewReview;
}

/** A tag that is accepted may be new: it is the object's own at once, and known to the model that is trained next. */
function refuseUnknown(loaded: LoadedModel, { object, tag, decision }: NewReview): void {
  loaded.findObject(object);
  if (decision !== 'accept') loaded.findTag(tag);
}

/** Its shape was checked, its calendar was not. */
export function timeOf(text: string | undefined, field = 'since'): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (!Number.isNaN(time.getTime())) return time;
  return refuse(400, `"${field}" is ${JSON.stringify(text)}, which is no time.`, 'Write it as 2026-03-04T00:00:00Z.');
}

const CHOICES: Readonly<Record<Decision, string>> = {
  accept: 'chose to accept it',
  reject: 'chose to reject it',
  unsure: 'is not sure about it',
};

function conflict(review: StoredReview): ProblemError {
  const who = review.curator === '' ? 'Someone' : review.curator;
  const detail = `${who} was first, and ${CHOICES[review.decision]}.`;
  return new ProblemError(
    problemOf(409, detail, 'Undo that review first, if it is wrong.', { review: shownReview(review) }),
  );
}

/** Without what is for the store alone. */
export function shownReview({ id, object, tag, decision, curator, note, decidedAt }: StoredReview) {
  return { id, object, tag, decision, curator, note, decidedAt };
}

async function* tsvLines(
  first: IteratorResult<StoredReview>,
  reviews: AsyncIterator<StoredReview>,
  declarations: Declarations,
) {
  yield 'object\ttag\n';
  for (let next = first; !next.done; next = await reviews.next())
    yield `${next.value.object}\t${declarations.tagOf(next.value.tag)}\n`;
}
