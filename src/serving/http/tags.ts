// GET /v1/tags…: find tags, look at one, at the objects that carry it, at those that should, and at tags like it.

import { needs } from './access.ts';
import { type Api, type ApiContext, isAnswered, offsetCursor, pageOf, problems, rounded } from './api.ts';
import type { LoadedModel } from './loaded-model.ts';
import { objectLine } from './objects.ts';
import { MissingQuery, PageQuery, SearchQuery, SimilarQuery, TagPath } from './request-schemas.ts';
import { MissingObjects, ObjectList, SimilarTags, TagLine, TagList, the } from './schemas.ts';
import { listedFields } from './shown-fields.ts';
import { refuseUnsure } from './suggestions.ts';

const tags = ['tags'];
const cursors = { tags: offsetCursor('tags'), carriers: offsetCursor('carriers'), missing: offsetCursor('missing') };

export function addTags(app: Api, context: ApiContext): void {
  for (const add of [addList, addOne, addCarriers, addMissing, addSimilar]) add(app, context);
}

function addList(app: Api, { models }: ApiContext): void {
  app.get(
    '/v1/tags',
    {
      config: needs('read'),
      schema: {
        operationId: 'listTags',
        summary: 'Tags, the most used first, or those a query matches, best first',
        tags,
        querystring: SearchQuery,
        response: { 200: the(TagList), ...problems() },
      },
    },
    ({ query: { query = '', limit, cursor } }) =>
      models.use((loaded) => {
        const found = loaded.findTags(query);
        const { page, ...next } = pageOf(found, { start: cursors.tags.decode(cursor) ?? 0, limit }, cursors.tags);
        return { tags: page.map((tag) => tagLine(loaded, tag)), ...next };
      }),
  );
}

function addOne(app: Api, { models }: ApiContext): void {
  app.get(
    '/v1/tags/:tag',
    {
      config: needs('read'),
      schema: {
        operationId: 'getTag',
        summary: 'A tag and how many objects carry it, by the data and the reviews',
        tags,
        params: TagPath,
        response: { 200: the(TagLine), ...problems(404) },
      },
    },
    ({ params }) => models.use((loaded) => tagLine(loaded, loaded.findTag(params.tag))),
  );
}

function addCarriers(app: Api, { models }: ApiContext): void {
  app.get(
    '/v1/tags/:tag/objects',
    {
      config: needs('read'),
      schema: {
        operationId: 'listObjectsOfTag',
        summary: 'The objects that carry a tag, accepted ones among them, by id',
        tags,
        params: TagPath,
        querystring: PageQuery,
        response: { 200: the(ObjectList), ...problems(404) },
      },
    },
    ({ params, query: { limit, cursor } }) =>
      models.use((loaded) => {
        const tag = loaded.findTag(params.tag);
        const carriers = loaded.carriersOf(tag);
        const start = cursors.carriers.decode(cursor) ?? 0;
        const { page, ...next } = pageOf(carriers, { start, limit }, cursors.carriers);
        return { objects: page.map((id) => objectLine(loaded, id)), ...next };
      }),
  );
}

function addMissing(app: Api, { models }: ApiContext): void {
  app.get(
    '/v1/tags/:tag/missing',
    {
      config: needs('read'),
      schema: {
        operationId: 'listMissing',
        summary: 'The objects that should carry a tag and do not, the likeliest first',
        tags,
        params: TagPath,
        querystring: MissingQuery,
        response: { 200: the(MissingObjects), ...problems(404) },
      },
    },
    ({ params, query: { limit, cursor, minConfidence } }) =>
      models.use(async (loaded) => {
        const tag = loaded.findTag(params.tag);
        refuseUnsure(loaded, minConfidence);
        const start = cursors.missing.decode(cursor) ?? 0;
        // one more than is shown tells whether there is a next page
        const most = Math.min(start + limit + 1, loaded.model.graph.objects.size);
        const found = await loaded.curation.missing(tag, { limit: most, minConfidence });
        const { page, ...next } = pageOf(found, { start, limit }, cursors.missing);
        const { graph } = loaded.model;
        return {
          objects: page.map(({ object: id, title, score, confidence }) => ({
            ...{ id, title, score: rounded(score) },
            ...(confidence !== undefined && { confidence: rounded(confidence) }),
            ...listedFields(graph, graph.objects.idOf(id)),
          })),
          ...next,
        };
      }),
  );
}

function addSimilar(app: Api, { models }: ApiContext): void {
  app.get(
    '/v1/tags/:tag/similar',
    {
      config: needs('read'),
      schema: {
        operationId: 'listSimilarTags',
        summary: 'Similar tags, by the objects of the data that carry both',
        tags,
        params: TagPath,
        querystring: SimilarQuery,
        response: { 200: the(SimilarTags), ...problems(404) },
      },
    },
    (request, reply) =>
      models.use((loaded) => {
        const tag = loaded.findTag(request.params.tag);
        if (isAnswered(request, reply, loaded.etag(loaded.curation.vocabulary.revision))) return;
        const found = loaded.similarTags(tag, request.query.limit);
        return { tags: found.map((one) => ({ tag: one.tag, similarity: rounded(one.similarity) })) };
      }),
  );
}

function tagLine(loaded: LoadedModel, tag: number) {
  return { tag: loaded.tagName(tag), numObjects: loaded.numCarriersOf(tag) };
}
