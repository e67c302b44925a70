// GET /v1/objects…: find objects, look at one, and at similar ones.

import { userCountsOf } from '../../models/fitted.ts';
import { needs } from './access.ts';
import { type Api, type ApiContext, isAnswered, offsetCursor, pageOf, problems, rounded } from './api.ts';
import type { LoadedModel } from './loaded-model.ts';
import { ObjectPath, SearchQuery, SimilarQuery } from './request-schemas.ts';
import { ObjectFacts, ObjectList, SimilarObjects, the } from './schemas.ts';
import { listedFields, shownFields } from './shown-fields.ts';

const tags = ['objects'];
const cursor = offsetCursor('objects');

export function addObjects(app: Api, context: ApiContext): void {
  for (const add of [addList, addOne, addSimilar]) add(app, context);
}

function addList(app: Api, { models }: ApiContext): void {
  app.get(
    '/v1/objects',
    {
      config: needs('read'),
      schema: {
        operationId: 'listObjects',
        summary: 'Objects by id, or those a query matches, best first',
        tags,
        querystring: SearchQuery,
        response: { 200: the(ObjectList), ...problems() },
      },
    },
    ({ query: { query = '', limit, cursor: text } }) =>
      models.use((loaded) => {
        const found = loaded.objectSearch.find(query);
        const { page, ...next } = pageOf(found, { start: cursor.decode(text) ?? 0, limit }, cursor);
        return { objects: page.map((id) => objectLine(loaded, id)), ...next };
      }),
  );
}

function addOne(app: Api, { models }: ApiContext): void {
  app.get(
    '/v1/objects/:id',
    {
      config: needs('read'),
      schema: {
        operationId: 'getObject',
        summary: 'An object, its tags, and the tags that were rejected or put aside for it',
        tags,
        params: ObjectPath,
        response: { 200: the(ObjectFacts), ...problems(404) },
      },
    },
    (request, reply) =>
      models.use((loaded) => {
        const object = loaded.findObject(request.params.id);
        if (isAnswered(request, reply, loaded.etagOfObject(object))) return;
        const { graph } = loaded.model;
        const ofUsers = graph.interact.size > 0 ? loaded.usersOf.rowLength(object) : undefined;
        const numUsers = userCountsOf(loaded.model)?.ofObjects[object] ?? ofUsers;
        return {
          id: request.params.id,
          title: graph.titles.at(object),
          ...shownFields(graph, object),
          tags: loaded.curation.tagsOf(object),
          ...(numUsers !== undefined && { numUsers }),
          rejected: loaded.curation.rejectedOf(object),
          unsure: loaded.curation.unsureOf(object),
        };
      }),
  );
}

function addSimilar(app: Api, { models }: ApiContext): void {
  app.get(
    '/v1/objects/:id/similar',
    {
      config: needs('read'),
      schema: {
        operationId: 'listSimilarObjects',
        summary: 'Similar objects, by the tags and, if there are any, the users they share in the data',
        tags,
        params: ObjectPath,
        querystring: SimilarQuery,
        response: { 200: the(SimilarObjects), ...problems(404) },
      },
    },
    (request, reply) =>
      models.use((loaded) => {
        const object = loaded.findObject(request.params.id);
        if (isAnswered(request, reply, loaded.etag())) return;
        const found = loaded.recommender.similarObjects(object, { limit: request.query.limit });
        const { graph } = loaded.model;
        return {
          objects: found.map(({ object: id, title, similarity, byUsers, byTags }) => ({
            ...{ id, title, similarity: rounded(similarity) },
            ...(byUsers !== undefined && { byUsers: rounded(byUsers) }),
            byTags: rounded(byTags),
            ...listedFields(graph, graph.objects.idOf(id)),
          })),
        };
      }),
  );
}

export function objectLine({ model, curation }: LoadedModel, object: number) {
  const { objects, titles } = model.graph;
  return {
    id: objects.name(object),
    title: titles.at(object),
    numTags: curation.tagsOf(object).length,
    ...listedFields(model.graph, object),
  };
}
