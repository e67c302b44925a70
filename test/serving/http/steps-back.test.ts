// A curator merges two tags, declares one implied and accepts twenty suggestions, sees all of it in the next suggestions of a service
// that runs on, and takes every step back: what it answers then is what it answered before.

import { beforeEach, expect, it, vi } from 'vitest';
import type { Service } from '../../../src/serving/http/service.ts';
import { MemoryStore } from './memory-store.ts';
import { ask, at, graph, post, serviceOf } from './service-under-test.ts';

const NUM_ACCEPTED = 20;
const [OLD, KEPT, CHILD, PARENT] = ['t001', 't003', 't005', 't007'];
const OBJECTS = graph.objects.names.toArray().filter((name) => name !== '..'); // URLs would resolve it

let service: Service;
beforeEach(async () => {
  service = await serviceOf({ reviews: MemoryStore.make().store, rateLimit: 100_000 });
  await filled();
});

interface Suggestion {
  readonly object: string;
  readonly tag: string;
  readonly score: number;
}

const get = async (url: string) => (await ask(service, url)).json;
const filled = () =>
  vi.waitUntil(async () => (await get('/v1/queue?limit=1')).isComplete, { timeout: 20_000, interval: 5 });
const openOnes = async (): Promise<Suggestion[]> => (await get('/v1/queue?limit=500')).suggestions;
const suggestionsTo = (object: string): Promise<Suggestion[]> =>
  get(`${at`/v1/objects/${object}/suggestions`}?limit=20`).then(({ suggestions }) => suggestions);
const allSuggestions = () => Promise.all(OBJECTS.map(suggestionsTo));
const tagsOf = async (object: string): Promise<string[]> =>
  (await get(at`/v1/objects/${object}`)).tags.map(({ tag }: { tag: string }) => tag);

it('shows merges, implied tags and twenty accepted suggestions in the next ones, and takes every step back', async () => {
  const [before, queueBefore] = [await allSuggestions(), await openOnes()];
  const changes: string[] = [];
  const declare = async (kind: string, tags: string[], into: string[]) => {
    const { status, json } = await post(service, '/v1/vocabulary/changes', { kind, tags, into, curator: 'Ada' });
    expect(status).toBe(201);
    changes.push(json.id);
  };
  await declare('merge', [OLD], [KEPT]);
  await declare('parent', [CHILD], [PARENT]);
  await filled();

  const accepted = (await openOnes()).filter(({ object }) => OBJECTS.includes(object)).slice(0, NUM_ACCEPTED);
  expect(accepted).toHaveLength(NUM_ACCEPTED);
  const reviews: string[] = [];
  for (const { object, tag } of accepted) {
    const { status, json } = await post(service, '/v1/reviews', { object, tag, decision: 'accept', curator: 'Ada' });
    expect(status).toBe(201);
    reviews.push(json.id);
  }
  await filled();

  const [after, open] = [await allSuggestions(), await openOnes()];
  for (const [i, object] of OBJECTS.entries()) {
    const [own, suggested] = [await tagsOf(object), after[i].map(({ tag }) => tag)];
    expect([...own, ...suggested]).not.toContain(OLD);
    if (own.includes(CHILD)) expect(own).toContain(PARENT); // implied
    expect(suggested.filter((tag) => own.includes(tag))).toEqual([]);
  }
  for (const { object, tag } of accepted) expect(await tagsOf(object)).toContain(tag);
  expect(open.filter(({ tag }) => tag === OLD)).toEqual([]);
  const decided = new Set(accepted.map(({ object }) => object));
  const moved = OBJECTS.filter(
    (object, i) => !decided.has(object) && after[i].some(({ tag, score }) => scoreOf(before[i], tag) !== score),
  );
  expect(moved.length).toBeGreaterThan(0); // others learnt from what was accepted

  for (const id of reviews.reverse())
    expect((await ask(service, `/v1/reviews/${id}`, { method: 'DELETE' })).status).toBe(200);
  for (const id of changes.reverse()) {
    const { status } = await ask(service, `/v1/vocabulary/changes/${id}?curator=Ada`, { method: 'DELETE' });
    expect(status).toBe(200);
  }
  await filled();
  expect(await allSuggestions()).toEqual(before);
  expect(await openOnes()).toEqual(queueBefore);
});

function scoreOf(suggestions: readonly Suggestion[], wanted: string): number | undefined {
  return suggestions.find(({ tag }) => tag === wanted)?.score;
}
