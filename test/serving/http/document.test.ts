// The OpenAPI document: it tells all, and what it tells is true.

import { spawnSync } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { apiDocument } from '../../../src/serving/http/build-api.ts';
import type { Service } from '../../../src/serving/http/service.ts';
import { type Document, documentOf, holds, requestOf } from './arbitrary-requests.ts';
import { ask, modelFile, ownFolder, serviceOf } from './service-under-test.ts';

const MAP_THREAD = new URL('../../../dist/serving/map/map-thread.js', import.meta.url);
let service: Service;
let document: Document;
beforeAll(async () => {
  const model = join(await ownFolder(), 'model.tagloom'); // of its own: any request may train it and exchange it
  await copyFile(await modelFile(), model);
  // with a token: else the first user that is drawn would shut us out
  service = await serviceOf({ model, mapThread: MAP_THREAD, token: 'hush' });
  document = await documentOf(service);
});

const ROUTES = [
  'GET /healthz',
  'GET /metrics',
  'GET /readyz',
  'GET /v1/comparison',
  'DELETE /v1/queue/claims/{session}',
  'POST /v1/queue/claims',
  'DELETE /v1/users/{name}',
  'PATCH /v1/users/{name}',
  'GET /v1/users',
  'POST /v1/users',
  'GET /v1/live',
  'GET /v1/log',
  'GET /v1/log/export',
  'GET /v1/me',
  'GET /v1/map/objects',
  'GET /v1/map/tags',
  'GET /v1/model',
  'POST /v1/model/reload',
  'POST /v1/model/restore',
  'DELETE /v1/model/training',
  'GET /v1/model/training',
  'POST /v1/model/training',
  'POST /v1/model/training/use',
  'GET /v1/objects',
  'GET /v1/objects/{id}',
  'GET /v1/objects/{id}/explanation',
  'GET /v1/objects/{id}/similar',
  'GET /v1/objects/{id}/suggestions',
  'GET /v1/queue',
  'GET /v1/reviews',
  'POST /v1/reviews',
  'POST /v1/reviews/batch',
  'GET /v1/reviews/counts',
  'GET /v1/reviews/curators',
  'GET /v1/reviews/export',
  'DELETE /v1/reviews/{id}',
  'POST /v1/suggest',
  'POST /v1/suggestions',
  'POST /v1/suggestions/batch',
  'GET /v1/tags',
  'GET /v1/tags/{tag}',
  'GET /v1/tags/{tag}/divide',
  'GET /v1/tags/{tag}/missing',
  'GET /v1/tags/{tag}/objects',
  'GET /v1/tags/{tag}/similar',
  'GET /v1/vocabulary',
  'GET /v1/vocabulary/changes',
  'POST /v1/vocabulary/changes',
  'DELETE /v1/vocabulary/changes/{id}',
  'GET /v1/vocabulary/export',
  'POST /v1/vocabulary/import',
  'POST /v1/vocabulary/preview',
  'GET /v1/vocabulary/proposals',
];

describe('/openapi.json', () => {
  it('is of OpenAPI 3.1 and has every route, with a name, a summary, answers and problems', () => {
    expect(document.openapi).toBe('3.1.0');
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, operation })),
    );
    expect(operations.map(({ route }) => route).sort()).toEqual([...ROUTES].sort());
    const names = operations.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const { route, operation } of operations) {
      expect(operation, route).toMatchObject({
        operationId: expect.any(String),
        summary: expect.stringMatching(/\w{3}/),
      });
      const statuses = Object.keys(operation.responses);
      expect(statuses.slice(0, 1)[0], route).toMatch(/^20[012]$/);
      expect(statuses, route).toEqual(expect.arrayContaining(['400', '408', '417', '421', '429', '431', '500']));
      if (route.includes('{')) expect(statuses, route).toContain('404');
      expect(statuses, route).toEqual(expect.arrayContaining(['401', '403']));
      for (const [status, { content = {} }] of Object.entries(operation.responses)) {
        if (status === '304') expect(Object.keys(content), route).toEqual([]);
        if (Number(status) >= 400) expect(Object.keys(content), route).toEqual(['application/problem+json']);
        expect(operation.responses[status], route).toMatchObject({ description: expect.stringMatching(/\w/) });
      }
    }
  });

  it('asks for nothing that has a default', () => {
    const { parameters = [] } = document.paths['/v1/objects/{id}/suggestions'].get;
    const required = parameters.filter((one) => one.required).map(({ name }) => name);
    expect(required).toEqual(['id']);
    expect(parameters.find(({ name }) => name === 'limit')?.schema).toMatchObject({
      default: 10,
      minimum: 1,
      maximum: 100,
    });
    const body = document.paths['/v1/suggestions/batch'].post.requestBody?.content?.['application/json'].schema;
    expect(body?.required).toEqual(['objects']);
  });

  it('can be made without a model, and is the same', async () => {
    expect(JSON.parse(JSON.stringify(await apiDocument()))).toEqual(document);
  });

  it('is what the types of the client were made from', () => {
    const script = fileURLToPath(new URL('../../../scripts/generate-client.mjs', import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });
});

describe('any request at all', () => {
  it('gets an answer the document foretells, and never a 500', { timeout: 120_000 }, async () => {
    const met = new Set<string>();
    const property = fc.asyncProperty(requestOf(document), async (drawn) => {
      const headers = { ...drawn.options.headers, authorization: 'Bearer hush' };
      met.add(await holds((options) => ask(service, options.url, { ...options, headers }), document, drawn));
    });
    await fc.assert(property, { numRuns: 2000 });
    // the draws are worth something: good and bad ones of what takes parameters
    for (const name of [
      'suggest',
      'listMissing',
      'suggestBatch',
      'suggestUnseen',
      'suggestToText',
      'listQueue',
      'listReviews',
      'countReviews',
      'listLog',
      'getLive',
    ]) {
      expect([...met]).toEqual(expect.arrayContaining([`${name} 200`, `${name} 400`]));
    }
    expect([...met]).toEqual(
      expect.arrayContaining([
        'getObject 404',
        'explain 200',
        'explain 404',
        'decide 201',
        'decide 404',
        'undo 404',
        'reloadModel 200',
        'previewVocabularyChange 404',
        'changeVocabulary 400',
        'changeVocabulary 404',
      ]),
    );
  });
});
