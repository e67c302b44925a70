// Reviews: what is open, what was decided, decide, undo, and all of it as a file.

import { Readable } from 'node:stream';
import { cleanName } from '../../data/name.ts';
import type { Decided, Decision, NewReview, Review as StoredReview } from '../reviews/review-store.ts';
import { type Api, type ApiContext, cursorOf, problems, problemsOfWrites, rounded } from './api.ts';
import type { Metrics } from './metrics.ts';
import { ProblemError, problemOf, refuse } from './problem.ts';
import { ExportQuery, QueueQuery, ReviewBody, ReviewPath, ReviewsBody, ReviewsQuery } from './request-schemas.ts';
import { DecidedList, Queue, Review, ReviewList, the } from './schemas.ts';
import { listedFields } from './shown-fields.ts';
import { refuseUnsure } from './suggestions.ts';
import { Type } from './typebox.ts';

const tags = ['reviews'];
const queueCursor = cursorOf(
  'queue',
  Type.Object({
    object: Type.String(),
    tag: Type.String(),
    score: Type.Number(),
    confidence: Type.Optional(Type.Number()),
  }),
);
const reviewCursor = cursorOf('reviews', Type.String({ minLength: 1 }));

export function addReviews(app: Api, context: ApiContext): void {
  for (const add of [addQueue, addList, addExport, addDecide, addDecideBatch, addUndo]) add(app, context);
}

function addQueue(app: Api, { models }: ApiContext): void {
  app.get(
    '/v1/queue',
    {
      schema: {
        operationId: 'listQueue',
        summary: 'Suggestions nobody has decided on, the most confident first',
        tags,
        querystring: QueueQuery,
        response: { 200: the(Queue), ...problems(404) },
      },
    },
    ({ query: { limit, cursor, minConfidence, tag } }) =>
      models.use((loaded) => {
        if (tag !== undefined) loaded.findTag(tag);
        refuseUnsure(loaded, minConfidence);
        const page = loaded.curation.queue(limit, queueCursor.decode(cursor), { minConfidence, tag });
        const { suggestions, next, isComplete, numOpen } = page;
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
        };
      }),
  );
}

function addList(app: Api, { store }: ApiContext): void {
  app.get(
    '/v1/reviews',
    {
      schema: {
        operationId: 'listReviews',
        summary: 'What was decided, newest first',
        tags,
        querystring: ReviewsQuery,
        response: { 200: the(ReviewList), ...problems(503) },
      },
    },
    async ({ query: { object, tag, decision, limit, cursor } }) => {
      const after = reviewCursor.decode(cursor);
      const found = await store.list({
        object,
        tag,
        decision,
        after,
        limit: limit + 1,
      });
      const reviews = found.slice(0, limit);
      const last = reviews.at(-1);
      const hasNext = found.length > limit && last !== undefined;
      return { reviews: reviews.map(shown), ...(hasNext && { next: reviewCursor.encode(last.id) }) };
    },
  );
}

function addExport(app: Api, { store }: ApiContext): void {
  app.get(
    '/v1/reviews/export',
    {
      schema: {
        operationId: 'exportReviews',
        summary: 'All accepted (or rejected) pairs, as the tagged.tsv of a data set',
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
      return reply
        .header('content-disposition', 'attachment; filename="tagged.tsv"')
        .header('cache-control', 'no-store')
        .type('text/tab-separated-values; charset=utf-8')
        .send(Readable.from(tsvLines(first, reviews)) as never);
    },
  );
}

function addDecide(app: Api, { models, metrics }: ApiContext): void {
  app.post(
    '/v1/reviews',
    {
      schema: {
        operationId: 'decide',
        summary: 'Accept or reject a tag for an object; who decides first wins',
        tags,
        body: ReviewBody,
        response: { 200: the(Review), 201: the(Review), ...problemsOfWrites(404, 409, 503) },
      },
    },
    ({ body }, reply) =>
      models.decide(async (loaded) => {
        const asked = newReview(body);
        loaded.findObject(asked.object);
        loaded.findTag(asked.tag);
        const [decided] = await loaded.curation.decide([asked]);
        count(metrics, decided);
        const { review, isNew } = decided;
        if (isNew) reply.code(201).header('location', `/v1/reviews/${encodeURIComponent(review.id)}`);
        else if (review.decision !== asked.decision || review.curator !== asked.curator) throw conflict(review);
        return shown(review);
      }),
  );
}

function addDecideBatch(app: Api, { models, metrics }: ApiContext): void {
  app.post(
    '/v1/reviews/batch',
    {
      schema: {
        operationId: 'decideBatch',
        summary: 'Decide on many at once: all are kept, or none',
        tags,
        body: ReviewsBody,
        response: { 200: the(DecidedList), ...problemsOfWrites(404, 503) },
      },
    },
    ({ body }) =>
      models.decide(async (loaded) => {
        const asked = body.reviews.map(newReview);
        for (const { object, tag } of asked) {
          loaded.findObject(object);
          loaded.findTag(tag);
        }
        const decided = asked.length === 0 ? [] : await loaded.curation.decide(asked);
        for (const one of decided) count(metrics, one);
        return { results: decided.map(({ review, isNew }) => ({ review: shown(review), isNew })) };
      }),
  );
}

function addUndo(app: Api, { models, metrics }: ApiContext): void {
  app.delete(
    '/v1/reviews/:id',
    {
      schema: {
        operationId: 'undo',
        summary: 'Take a review back: the pair is open again',
        tags,
        params: ReviewPath,
        response: { 200: the(Review), ...problemsOfWrites(404, 503) },
      },
    },
    ({ params }) =>
      models.decide(async (loaded) => {
        const undone = await loaded.curation.undo(params.id);
        if (undone === undefined) refuse(404, 'There is no such review.', 'It may have been undone before.');
        metrics.undone.inc();
        return shown(undone);
      }),
  );
}

function count(metrics: Metrics, { review, isNew }: Decided): void {
  if (isNew) metrics.reviews.inc({ decision: review.decision });
}

function newReview(body: { object: string; tag: string; decision: Decision; curator?: string }) {
  const { object, tag, decision, curator = '' } = body;
  return { object, tag, decision, curator: cleanName(curator) } satisfies NewReview;
}

function conflict(review: StoredReview): ProblemError {
  const who = review.curator === '' ? 'Someone' : review.curator;
  const detail = `${who} was first, and chose to ${review.decision} it.`;
  return new ProblemError(problemOf(409, detail, 'Undo that review first, if it is wrong.', { review: shown(review) }));
}

/** Without what is for the store alone. */
function shown({ id, object, tag, decision, curator, decidedAt }: StoredReview) {
  return { id, object, tag, decision, curator, decidedAt };
}

async function* tsvLines(first: IteratorResult<StoredReview>, reviews: AsyncIterator<StoredReview>) {
  yield 'object\ttag\n';
  for (let next = first; !next.done; next = await reviews.next()) yield `${next.value.object}\t${next.value.tag}\n`;
}
