// What problems say: which field, where, what it may be, what was probably meant, and where it is described.

import { beforeAll, describe, expect, it } from 'vitest';
import { DECISIONS, VERDICTS } from '../../../src/serving/http/schemas.ts';
import type { Service } from '../../../src/serving/http/service.ts';
import { ask, post, serviceOf } from './service-under-test.ts';

let service: Service;
beforeAll(async () => {
  service = await serviceOf();
});

const review = { object: 'o030', tag: 't001', decision: 'accept' };
const words = DECISIONS.join(', ');

describe('a problem', () => {
  it.each([
    ['/v1/reviews', { ...review, decision: 'maybe' }, `In the body: decision must be one of ${words}.`],
    ['/v1/reviews', { ...review, decision: 5 }, `In the body: decision must be one of ${words}.`],
    [
      '/v1/reviews',
      { object: 'o030', tag: 't001' },
      `In the body: the field "decision" is missing. It is one of ${words}.`,
    ],
    ['/v1/reviews', {}, 'In the body: the fields "object", "tag", "decision" are missing.'],
    ['/v1/reviews', { ...review, tagg: 't001' }, 'In the body: unknown field "tagg". Did you mean "tag"?'],
    [
      '/v1/reviews/batch',
      { reviews: [review, { ...review, decision: 'no' }] },
      `reviews[1].decision must be one of ${words}.`,
    ],
    [
      '/v1/reviews/batch',
      { reviews: [review, { object: 'o030', tags: 't001', decision: 'accept' }] },
      'In the body: unknown field "tags" in reviews[1]. Did you mean "tag"?',
    ],
    ['/v1/reviews/batch', { reviews: [{ tag: 't001' }] }, 'the fields "object", "decision" of reviews[0] are missing.'],
    ['/v1/reviews/batch', { reviews: [5] }, 'reviews[0] must be object.'],
    ['/v1/reviews/batch', { review: [] }, 'unknown field "review". Did you mean "reviews"?'],
    ['/v1/suggest', { tag: ['a'] }, 'unknown field "tag". Did you mean "tags"?'],
    ['/v1/suggest', { tag: ['a'], usres: [] }, 'unknown fields "tag", "usres". Did you mean "tags"?'],
    ['/v1/suggest', { limit: 101 }, 'limit must be <= 100.'],
    ['/v1/suggestions/batch', { objects: ['a', 5] }, 'objects[1] must be string.'],
    ['/v1/suggestions/batch', [], 'In the body: it must be object.'],
  ])('of POST %s with %j names the field and what it may be', async (path, body, detail) => {
    const { status, json } = await post(service, path, body);
    expect(status).toBe(400);
    expect(json.detail).toContain(detail);
  });

  it.each([
    ['/v1/reviews?decision=maybe', `In the query: decision must be one of ${words}.`, 'listReviews'],
    ['/v1/reviews/export?decision=', `In the query: decision must be one of ${VERDICTS.join(', ')}.`, 'exportReviews'],
    ['/v1/reviews?decison=accept', 'unknown field "decison". Did you mean "decision"?', 'listReviews'],
    ['/v1/objects?colour=red', 'unknown field "colour". Known are query, limit, cursor.', 'listObjects'],
    ['/v1/objects/o030/explanation', 'the field "tag" is missing.', 'explain'],
    ['/v1/objects/o030/suggestions?explain=yes', 'explain must be boolean.', 'suggest'],
  ])('of GET %s does, too, and says where to read on', async (path, detail, operation) => {
    const { status, json } = await ask(service, path);
    expect(status).toBe(400);
    expect(json.detail).toContain(detail);
    expect(json.cure).toBe(`See /docs#${operation} for what it takes.`);
  });

  it.each([
    ['GET', '/v1/object', 'Nothing answers GET /v1/object. Did you mean /v1/objects?'],
    ['GET', '/v1/objects/o030/sugestions', 'Did you mean /v1/objects/{id}/suggestions?'],
    ['POST', '/v1/review', 'Did you mean /v1/reviews?'],
    ['GET', '/openapi', 'Did you mean /openapi.json?'],
    ['GET', '/nothing/like/this/at/all', 'Nothing answers GET /nothing/like/this/at/all.'],
  ] as const)('of a route that is not there names one that is: %s %s', async (method, path, detail) => {
    const { status, json } = await ask(service, path, { method });
    expect(status).toBe(404);
    expect(json.detail).toContain(detail);
    expect(json.cure).toContain('/docs');
  });

  it('of a body that is no JSON says so', async () => {
    const headers = { 'content-type': 'application/json' };
    const { status, json } = await ask(service, '/v1/reviews', { method: 'POST', headers, payload: '{"object":' });
    expect(status).toBe(400);
    expect(json.detail).toMatch(/not valid JSON/);
    expect(json.cure).toBe('See /docs#decide for what it takes.');
  });
});
