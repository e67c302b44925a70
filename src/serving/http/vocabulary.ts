// /v1/vocabulary…: the tags with what is declared of them, changes and their previews, undo, and the objects of a tag that is split.
// Documents are in vocabulary-exchange.ts, proposals in vocabulary-proposals.ts.

import { nameFor, needs } from './access.ts';
import {
  type Api,
  type ApiContext,
  cursorOf,
  offsetCursor,
  pageOf,
  problems,
  problemsOfWrites,
  rounded,
} from './api.ts';
import { refuse } from './problem.ts';
import { TagPath } from './request-schemas.ts';
import { the } from './schemas.ts';
import { type Static, Type } from './typebox.ts';
import { declarationOf, knownNames, previewOf, shownChange } from './vocabulary-answers.ts';
import { addExchange } from './vocabulary-exchange.ts';
import { VocabularyList } from './vocabulary-list.ts';
import { addProposals } from './vocabulary-proposals.ts';
import {
  ChangeBody,
  ChangePath,
  ChangesQuery,
  DivideQuery,
  PreviewBody,
  ToDivide,
  UndoQuery,
  VocabularyChange,
  VocabularyChanges,
  VocabularyPreview,
  VocabularyQuery,
  VocabularyTags,
} from './vocabulary-schemas.ts';

const tags = ['vocabulary'];
const listCursor = offsetCursor('vocabulary');
const divideCursor = cursorOf('divide', Type.String({ minLength: 1 })); // the last object: those before it may be divided
const changeCursor = cursorOf('changes', Type.String({ minLength: 1 }));

export function addVocabulary(app: Api, context: ApiContext): void {
  const parts = [addList, addChanges, addPreview, addChange, addUndo, addDivide, addExchange, addProposals];
  for (const add of parts) add(app, context);
}

function addList(app: Api, { models }: ApiContext): void {
  app.get(
    '/v1/vocabulary',
    {
      config: needs('read'),
      schema: {
        operationId: 'listVocabulary',
        summary: 'Tags with what is declared of them, the most used first, or those a query matches by any label',
        tags,
        querystring: VocabularyQuery,
        response: { 200: the(VocabularyTags), ...problems() },
      },
    },
    ({ query: { query = '', show, limit, cursor } }) =>
      models.use((loaded) => {
        const list = new VocabularyList(loaded);
        const found = list.find(query, show);
        const start = listCursor.decode(cursor) ?? 0;
        const { page, ...next } = pageOf(found, { start, limit }, listCursor);
        return { tags: page.map((id) => list.line(id)), numTags: found.length, ...next };
      }),
  );
}

function addChanges(app: Api, { models }: ApiContext): void {
  app.get(
    '/v1/vocabulary/changes',
    {
      config: needs('read'),
      schema: {
        operationId: 'listVocabularyChanges',
        summary: 'What was declared about tags, newest first, with what was undone',
        tags,
        querystring: ChangesQuery,
        response: { 200: the(VocabularyChanges), ...problems() },
      },
    },
    ({ query: { limit, cursor } }) =>
      models.use((loaded) => {
        const after = changeCursor.decode(cursor);
        const all = loaded.curation.vocabulary.changes.toReversed();
        const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
        const changes = all.slice(start, start + limit);
        const last = changes.at(-1);
        const hasNext = last !== undefined && start + limit < all.length;
        return { changes: changes.map(shownChange), ...(hasNext && { next: changeCursor.encode(last.id) }) };
      }),
  );
}

function addPreview(app: Api, { models, store }: ApiContext): void {
  app.post(
    '/v1/vocabulary/preview',
    {
      config: needs('read'),
      schema: {
        operationId: 'previewVocabularyChange',
        summary: 'What a change would do: how many objects gain, lose and keep tags, with examples; nothing is changed',
        tags,
        body: PreviewBody,
        response: { 200: the(VocabularyPreview), ...problemsOfWrites(404, 409) },
      },
    },
    ({ body }) =>
      models.use(async (loaded) => {
        const asked = declarationOf(body);
        return previewOf(loaded, [asked], await knownNames(loaded, store, asked));
      }),
  );
}

function addChange(app: Api, { models, store }: ApiContext): void {
  app.post(
    '/v1/vocabulary/changes',
    {
      config: needs('review'),
      schema: {
        operationId: 'changeVocabulary',
        summary: 'Merge, rename, split or retire tags, declare synonyms, implied tags and exclusions',
        tags,
        body: ChangeBody,
        response: { 200: the(VocabularyChange), 201: the(VocabularyChange), ...problemsOfWrites(404, 409, 503) },
      },
    },
    ({ body, actor }, reply) =>
      models.decide(async (loaded) => {
        const asked = declarationOf(body);
        const known = await knownNames(loaded, store, asked);
        const options = { ...known, curator: nameFor(actor, body.curator), note: body.note };
        const { change, isNew } = await loaded.curation.declare([asked], options);
        if (isNew) reply.code(201).header('location', `/v1/vocabulary/changes/${change.id}`);
        return shownChange(change);
      }),
  );
}

function addUndo(app: Api, { models }: ApiContext): void {
  app.delete(
    '/v1/vocabulary/changes/:id',
    {
      config: needs('review'),
      schema: {
        operationId: 'undoVocabularyChange',
        summary: 'Undo a change, if no later change or decision stands on it',
        tags,
        params: ChangePath,
        querystring: UndoQuery,
        response: { 200: the(VocabularyChange), ...problemsOfWrites(404, 409, 503) },
      },
    },
    ({ params, query, actor }) =>
      models.decide(async (loaded) => {
        const undone = await loaded.curation.undoDeclared(params.id, nameFor(actor, query.curator));
        if (undone === undefined) {
          return refuse(404, 'There is no such change.', 'It may have been undone before: GET /v1/vocabulary/changes');
        }
        return shownChange(undone);
      }),
  );
}

/** Objects with a tag that is split, until they carry a part. */
function addDivide(app: Api, { models }: ApiContext): void {
  app.get(
    '/v1/tags/:tag/divide',
    {
      config: needs('read'),
      schema: {
        operationId: 'listToDivide',
        summary:
          'The objects of a tag that is split which carry none of its parts yet, each with the parts, best first',
        tags,
        params: TagPath,
        querystring: DivideQuery,
        response: { 200: the(ToDivide), ...problems(404) },
      },
    },
    ({ params, query: { limit, cursor } }) =>
      models.use(async (loaded) => {
        const tag = loaded.findTag(params.tag);
        const split = loaded.curation.vocabulary.declarations.splitOf(loaded.tagName(tag));
        if (split === undefined) {
          const cure = 'Split it first: POST /v1/vocabulary/changes';
          return refuse(404, `${JSON.stringify(params.tag)} is not split.`, cure);
        }
        const carriers = loaded.carriersOf(tag);
        const { objects, titles } = loaded.model.graph;
        const after = divideCursor.decode(cursor);
        const last = after === undefined ? -1 : objects.idOf(after); // −1 as well where it is gone: rather twice than never
        const rest = carriers.filter((object) => object > last);
        const page = rest.subarray(0, limit);
        const rows: Static<typeof ToDivide>['objects'] = [];
        for (const object of page) {
          const found = await loaded.curation.suggest(object, {
            allow: new Set(split.parts),
            limit: split.parts.length,
          });
          const suggestions = found.map((one) => ({
            ...{ tag: one.tag, score: rounded(one.score) },
            ...(one.confidence !== undefined && { confidence: rounded(one.confidence) }),
          }));
          rows.push({ id: objects.name(object), title: titles.at(object), suggestions });
        }
        const next = page.length < rest.length && { next: divideCursor.encode(rows[rows.length - 1].id) };
        return { parts: [...split.parts], objects: rows, numObjects: carriers.length, ...next };
      }),
  );
}
