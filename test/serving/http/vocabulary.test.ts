// The vocabulary over HTTP: what is declared holds in every answer at once, and everything can be undone.

import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Service } from '../../../src/serving/http/service.ts';
import { declarationsOf } from '../vocabulary/arbitrary-declarations.ts';
import { MemoryStore } from './memory-store.ts';
import { ask, at, graph, post, serviceOf } from './service-under-test.ts';

let service: Service;
beforeEach(async () => {
  service = await serviceOf({ reviews: MemoryStore.make().store });
});

const declare = (kind: string, tags: string[], into: string[] = [], more: object = {}) =>
  post(service, '/v1/vocabulary/changes', { kind, tags, into, curator: 'Ada', ...more });
const preview = (kind: string, tags: string[], into: string[] = []) =>
  post(service, '/v1/vocabulary/preview', { kind, tags, into });
const undo = (id: string) => ask(service, `/v1/vocabulary/changes/${id}?curator=Kim`, { method: 'DELETE' });
const get = async (url: string) => (await ask(service, url)).json;
const tagsOf = async (object: string) => (await get(at`/v1/objects/${object}`)).tags as { tag: string; from: string }[];
const suggestionsOf = async (object: string): Promise<string[]> =>
  (await get(`${at`/v1/objects/${object}/suggestions`}?limit=20`)).suggestions.map(({ tag }: { tag: string }) => tag);
const carriersOf = async (tag: string): Promise<string[]> =>
  (await get(`${at`/v1/tags/${tag}/objects`}?limit=100`)).objects.map(({ id }: { id: string }) => id);
const inData = (tag: string) =>
  Array.from(graph.tagged.reversed().row(graph.tags.idOf(tag)), (object) => graph.objects.name(object));
const queueTags = async (): Promise<string[]> =>
  (await get('/v1/queue?limit=500')).suggestions.map(({ tag }: { tag: string }) => tag);
const filled = () =>
  vi.waitUntil(async () => (await get('/v1/queue?limit=1')).isComplete, { timeout: 20_000, interval: 5 });

const [A, B, C] = ['t001', 't003', 't005']; // of odd objects

describe('a merge', () => {
  it('holds in tags, carriers, counts, suggestions, searches, the queue and explanations at once, until it is undone', async () => {
    await filled();
    const object = inData(A).find((one) => !inData(B).includes(one)) as string;
    const paths = [
      at`/v1/objects/${object}`,
      `${at`/v1/objects/${object}/suggestions`}?limit=20`,
      '/v1/tags?limit=100',
    ];
    const before = await Promise.all(paths.map(get));
    const queue = await get('/v1/queue?limit=500');
    const { status, json, headers } = await declare('merge', [A], [B], { note: 'the same' });
    expect(status).toBe(201);
    expect(headers.location).toBe(`/v1/vocabulary/changes/${json.id}`);
    expect(json).toMatchObject({ kind: 'merge', summary: `merge ${A} into ${B}`, curator: 'Ada', note: 'the same' });
    expect(await queueTags()).not.toContain(A);
    const own = await tagsOf(object);
    expect(own).toContainEqual({ tag: B, from: 'data' });
    expect(own.map(({ tag }) => tag)).not.toContain(A);
    expect(await suggestionsOf(object)).not.toContain(B);
    expect(await suggestionsOf(object)).not.toContain(A);
    const union = new Set([...inData(A), ...inData(B)]);
    expect(await get(`/v1/tags/${B}`)).toEqual({ tag: B, numObjects: union.size });
    expect(await get(`/v1/tags/${A}`)).toEqual({ tag: B, numObjects: union.size });
    expect((await carriersOf(A)).sort()).toEqual([...union].sort());
    expect((await get(`/v1/tags?query=${A}`)).tags).toEqual([{ tag: B, numObjects: union.size }]);
    for (const { id } of (await get(`/v1/tags/${A}/missing`)).objects) expect(union.has(id)).toBe(false);
    const other = (await get(`/v1/tags/${B}/missing`)).objects[0].id;
    expect((await get(`${at`/v1/objects/${other}/explanation`}?tag=${A}`)).tag).toBe(B);
    expect((await get(`/v1/tags/${C}/similar`)).tags.map((one: { tag: string }) => one.tag)).not.toContain(A);

    expect((await undo(json.id)).json).toMatchObject({ id: json.id, undoneBy: 'Kim' });
    await filled();
    expect(await Promise.all(paths.map(get))).toEqual(before);
    expect(await get('/v1/queue?limit=500')).toEqual(queue);
    expect((await undo(json.id)).status).toBe(404);
  });

  it('reads a decision on the old name as one on the new', async () => {
    await declare('merge', [A], [B]);
    const { id } = (await get(`/v1/tags/${B}/missing`)).objects[0];
    const { status, json } = await post(service, '/v1/reviews', { object: id, tag: A, decision: 'accept' });
    expect(status).toBe(201);
    expect(json.tag).toBe(B);
    expect(await tagsOf(id)).toContainEqual({ tag: B, from: 'review', reviewId: json.id });
  });

  it('reads earlier decisions on the old name as such on the new, and a rejection takes off both', async () => {
    const [carrier] = inData(A).filter((one) => !inData(B).includes(one));
    const other = (await get(`/v1/tags/${A}/missing`)).objects.find(
      ({ id }: { id: string }) => !inData(B).includes(id),
    ).id;
    const decide = async (object: string, tag: string, decision: string) =>
      (await post(service, '/v1/reviews', { object, tag, decision })).json;
    const accepted = await decide(other, A, 'accept');
    const rejected = await decide(carrier, B, 'reject');
    const before = (await get(`/v1/tags/${B}`)).numObjects;
    await declare('merge', [A], [B]);
    expect(await tagsOf(other)).toContainEqual({ tag: B, from: 'review', reviewId: accepted.id });
    const facts = await get(at`/v1/objects/${carrier}`);
    expect(facts.tags.map(({ tag }: { tag: string }) => tag)).not.toContain(B);
    expect(facts.rejected).toContainEqual({ tag: B, reviewId: rejected.id, isRemoved: true });
    expect((await ask(service, '/v1/reviews/export')).text).toBe(`object\ttag\n${other}\t${B}\n`);
    expect(await carriersOf(B)).not.toContain(carrier);
    expect((await get(`/v1/tags/${B}`)).numObjects).toBe(new Set([...inData(A), ...inData(B)]).size);
    expect(before).toBe(inData(B).length);
  });

  it('of the same tags by two people at once is made once, and another one is told who was first', async () => {
    const [one, two] = await Promise.all([declare('merge', [A], [B]), declare('merge', [A], [B])]);
    expect([one.status, two.status].sort()).toEqual([200, 201]);
    expect(one.json).toEqual(two.json);
    const { status, json } = await declare('merge', [A], [C]);
    expect(status).toBe(409);
    expect(json).toMatchObject({
      detail: `Got "${A}", which is read as "${B}" by now (Ada: merge ${A} into ${B}), expected a tag of its own.`,
      changes: [{ id: one.json.id, summary: `merge ${A} into ${B}`, curator: 'Ada' }],
    });
  });
});

describe('other declarations', () => {
  it('retire: the tag stays and is not suggested; taken off it goes', async () => {
    const [object] = inData(A);
    const { json } = await declare('retire', [A]);
    expect((await tagsOf(object)).map(({ tag }) => tag)).toContain(A);
    expect((await get(`/v1/tags/${A}/missing`)).objects).toEqual([]);
    expect(await queueTags()).not.toContain(A);
    await undo(json.id);
    await declare('retire', [A], [], { takeOff: true });
    expect((await tagsOf(object)).map(({ tag }) => tag)).not.toContain(A);
    expect(await get(`/v1/tags/${A}`)).toEqual({ tag: A, numObjects: 0 });
    await declare('parent', [B], [A]); // nor does an object carry it by implication
    expect((await tagsOf(inData(B)[0])).map(({ tag }) => tag)).not.toContain(A);
    expect(await get(`/v1/tags/${A}`)).toEqual({ tag: A, numObjects: 0 });
  });

  it('parent: who carries the tag carries the other by implication, also one the model never saw', async () => {
    const object = inData(A).find((one) => !inData(B).includes(one)) as string;
    await declare('parent', [A], [B, 'something odd']);
    const tags = await tagsOf(object);
    expect(tags).toContainEqual({ tag: B, from: 'implied', impliedBy: [A] });
    expect(tags).toContainEqual({ tag: 'something odd', from: 'implied', impliedBy: [A], isUnknown: true });
    expect(await suggestionsOf(object)).not.toContain(B);
    expect((await get(`/v1/tags/${B}`)).numObjects).toBe(new Set([...inData(A), ...inData(B)]).size);
    const { tags: listed } = await get('/v1/vocabulary?query=something');
    expect(listed).toEqual([
      {
        ...{ tag: 'something odd', numObjects: inData(A).length, state: 'used', labels: [], implies: [], excludes: [] },
        isUnknown: true,
      },
    ]);
  });

  it('exclude: neither is suggested to a carrier of the other', async () => {
    const carrier = inData(A).find((one) => !inData(B).includes(one)) as string;
    expect(await suggestionsOf(carrier)).toContain(B);
    await declare('exclude', [A, B]);
    expect(await suggestionsOf(carrier)).not.toContain(B);
    expect((await get(`/v1/tags/${B}/missing?limit=100`)).objects.map((one: { id: string }) => one.id)).not.toContain(
      carrier,
    );
  });

  it('synonym: a label no object carries finds the tag, and texts may use it', async () => {
    await declare('synonym', ['Une étiquette'], [A]);
    expect((await get('/v1/tags?query=une')).tags).toEqual([{ tag: A, numObjects: inData(A).length }]);
    const { json } = await post(service, '/v1/suggest', { tags: ['Une étiquette'], title: 'x', limit: 100 });
    expect(json.unknownTags).toEqual([]);
    const { json: plain } = await post(service, '/v1/suggest', { tags: [A], title: 'x', limit: 100 });
    expect(json).toEqual(plain);
  });

  it('rename: the new name everywhere, and a decision on it stands in the way of an undo', async () => {
    const { json } = await declare('rename', [A], ['odd one']);
    expect(await carriersOf('odd one')).toEqual(await carriersOf(A));
    const { id } = (await get(at`/v1/tags/${'odd one'}/missing`)).objects[0];
    const { json: review } = await post(service, '/v1/reviews', { object: id, tag: 'odd one', decision: 'reject' });
    const { status, json: problem } = await undo(json.id);
    expect(status).toBe(409);
    expect(problem).toMatchObject({ decisions: [{ object: id, tag: 'odd one', decision: 'reject' }] });
    expect(problem.cure).toMatch(/^Undo these first/);
    await ask(service, `/v1/reviews/${review.id}`, { method: 'DELETE' });
    expect((await undo(json.id)).status).toBe(200);
  });

  it('split: carriers keep the tag until they get a part, and are listed with the parts', async () => {
    const [first, second] = inData(A).filter((one) => !inData(B).includes(one) && !inData(C).includes(one));
    await declare('split', [A], [B, C], { assigned: [{ object: first, tag: C }] });
    expect((await tagsOf(first)).map(({ tag }) => tag)).not.toContain(A);
    expect((await tagsOf(first)).map(({ tag }) => tag)).toContain(C);
    const divide = await get(`/v1/tags/${A}/divide?limit=100`);
    expect(divide.parts).toEqual([B, C]);
    const row = divide.objects.find((one: { id: string }) => one.id === second);
    expect(row.suggestions.map(({ tag }: { tag: string }) => tag).sort()).toEqual([B, C]);
    await post(service, '/v1/reviews', { object: second, tag: B, decision: 'accept' });
    expect((await tagsOf(second)).map(({ tag }) => tag)).not.toContain(A);
    const after = await get(`/v1/tags/${A}/divide?limit=100`);
    expect(after.numObjects).toBe(divide.numObjects - 1);
    expect(await carriersOf(C)).toContain(first);
    expect((await get(`/v1/tags/${C}`)).numObjects).toBe((await carriersOf(C)).length);
  });

  it('split: a page goes on behind the objects of the one before, which may carry a part by now', async () => {
    await declare('split', [A], ['left', 'right']);
    const url = `/v1/tags/${A}/divide`;
    const ids = ({ objects }: { objects: { id: string }[] }) => objects.map(({ id }) => id);
    const all = ids(await get(`${url}?limit=100`));
    const first = await get(`${url}?limit=3`);
    for (const object of ids(first)) await post(service, '/v1/reviews', { object, tag: 'left', decision: 'accept' });
    const second = await get(`${url}?limit=100&cursor=${first.next}`);
    expect([...ids(first), ...ids(second)]).toEqual(all);
  });

  it('split: a part that is implied counts as well, and the split tag is not implied beside a part', async () => {
    const [object] = inData(A).filter((one) => inData('t007').includes(one) && !inData(B).includes(one));
    await declare('split', [A], [B, C]);
    await declare('parent', ['t007'], [B]);
    await declare('parent', [B, C], [A]);
    const tags = (await tagsOf(object)).map(({ tag }) => tag);
    expect(tags).toContain(B);
    expect(tags).not.toContain(A);
    expect(await carriersOf(A)).not.toContain(object);
    expect((await get(`/v1/tags/${A}/divide?limit=100`)).objects.map(({ id }: { id: string }) => id)).not.toContain(
      object,
    );
  });

  it('count for tags that the model does not know and an object was given', async () => {
    const object = inData(A).find((one) => !inData(B).includes(one) && !inData(C).includes(one)) as string;
    expect(await suggestionsOf(object)).toEqual(expect.arrayContaining([B, C]));
    await post(service, '/v1/reviews', { object, tag: 'brand new', decision: 'accept' });
    await declare('parent', ['brand new'], [B]);
    await declare('exclude', ['brand new', C]);
    expect(await suggestionsOf(object)).not.toContain(B);
    expect(await suggestionsOf(object)).not.toContain(C);
    const missing = await get(`/v1/tags/${C}/missing?limit=100`);
    expect(missing.objects.map(({ id }: { id: string }) => id)).not.toContain(object);
    expect((await get('/v1/vocabulary?query=brand')).tags).toMatchObject([{ tag: 'brand new', numObjects: 1 }]);
    expect(await carriersOf(B)).toContain(object);
  });

  it('are undone in their order: what stands on another goes first', async () => {
    const { json: one } = await declare('merge', [A], [B]);
    const { json: two } = await declare('merge', [B], [C]);
    const { status, json } = await undo(one.id);
    expect(status).toBe(409);
    expect(json.changes).toEqual([{ id: two.id, summary: `merge ${B} into ${C}`, curator: 'Ada' }]);
    expect((await undo(two.id)).status).toBe(200);
    expect((await undo(one.id)).status).toBe(200);
    const { changes } = await get('/v1/vocabulary/changes');
    expect(changes.map((change: { id: string }) => change.id)).toEqual([two.id, one.id]);
    expect(changes.every((change: { undoneBy: string }) => change.undoneBy === 'Kim')).toBe(true);
  });

  it('are listed newest first, also by a service that starts after an undo', async () => {
    const { store } = MemoryStore.make();
    service = await serviceOf({ reviews: store });
    const { json: one } = await declare('retire', [A]);
    const { json: two } = await declare('retire', [B]);
    await undo(one.id);
    const { changes } = await get('/v1/vocabulary/changes');
    expect(changes.map(({ id }: { id: string }) => id)).toEqual([two.id, one.id]);
    service = await serviceOf({ reviews: store });
    expect((await get('/v1/vocabulary/changes')).changes).toEqual(changes);
  });

  it('are refused where they cannot be: unknown tags, themselves, cycles, exclusions', async () => {
    const unknown = await declare('merge', ['t0011'], [A]);
    expect(unknown).toMatchObject({ status: 404, json: { detail: expect.stringContaining('"t0011"') } });
    expect(unknown.json.cure).toMatch(/^Did you mean "t0/);
    expect((await declare('merge', [A], [A])).status).toBe(400);
    expect((await declare('merge', [], [A])).status).toBe(400);
    await declare('parent', [A], [B]);
    await declare('parent', [B], [C]);
    const cycle = await declare('parent', [C], [A]);
    expect(cycle.status).toBe(409);
    expect(cycle.json.detail).toContain(`${A} → ${B} → ${C} → ${A}`);
    expect(cycle.json.changes).toHaveLength(2);
    expect((await declare('exclude', [A, C])).json.detail).toContain(`"${A}", which implies "${C}"`);
    await declare('exclude', ['t007', A]);
    expect((await declare('merge', ['t007'], [A])).json.detail).toContain('exclude each other');
  });

  it('are previewed: how many objects change and how, and nothing happens', async () => {
    const [a, b] = [new Set(inData(A)), new Set(inData(B))];
    const both = [...a].filter((one) => b.has(one)).length;
    const { status, json } = await preview('merge', [A], [B]);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      ...{ summary: `merge ${A} into ${B}`, isNew: true, numGain: a.size - both, numLose: a.size },
      ...{ numKeep: b.size - both, numConflicts: 0 },
    });
    expect(json.examples).toHaveLength(5);
    for (const { object, gains, loses } of json.examples) {
      expect(loses).toEqual([A]);
      expect(gains).toEqual(b.has(object) ? [] : [B]);
    }
    expect((await preview('exclude', [A, B])).json).toMatchObject({ numGain: 0, numLose: 0, numConflicts: both });
    expect((await get('/v1/vocabulary/changes')).changes).toEqual([]);
  });

  it('are previewed for a tag that the model does not know as well', async () => {
    const objects = graph.objects.names.toArray().filter((one) => !inData(B).includes(one));
    for (const object of objects.slice(0, 3))
      await post(service, '/v1/reviews', { object, tag: 'brand new', decision: 'accept' });
    const { json } = await preview('merge', ['brand new'], [B]);
    expect(json).toMatchObject({ numGain: 3, numLose: 3, numKeep: inData(B).length });
  });
});

describe('any declarations at all', () => {
  it('are made or refused, as their preview said, and are all undone again to what was before', async () => {
    const names = graph.tags.names.toArray().slice(0, 12);
    const before = await get('/v1/tags?limit=100');
    const property = fc.asyncProperty(
      declarationsOf(names, graph.objects.names.toArray().slice(0, 5)),
      async (asked) => {
        for (const one of asked) {
          const said = await post(service, '/v1/vocabulary/preview', one);
          const { status, json } = await post(service, '/v1/vocabulary/changes', one);
          expect([201, 200, 400, 404, 409]).toContain(status);
          if (said.status !== 200) expect([status, json.detail]).toEqual([said.status, said.json.detail]);
          else expect(status).toBe(said.json.isNew ? 201 : 200);
        }
        expect((await ask(service, '/v1/vocabulary?limit=100')).status).toBe(200);
        for (const { id, undoneAt } of (await get('/v1/vocabulary/changes?limit=100')).changes)
          if (undoneAt === undefined) expect((await undo(id)).status).toBe(200);
        expect(await get('/v1/tags?limit=100')).toEqual(before);
      },
    );
    await fc.assert(property, { numRuns: 30 });
  });
});

describe('documents', () => {
  const TEXT = `@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<urn:a> a skos:Concept ; skos:prefLabel "${A}" ; skos:altLabel "first" ; skos:broader <urn:b> ; skos:notation "1" .
<urn:b> a skos:Concept ; skos:prefLabel "${B}", "x"@fr .
<urn:c> a skos:Concept ; skos:prefLabel "something else" .`;

  it('are imported as one change, previewed first, and exported', async () => {
    const dry = (await post(service, '/v1/vocabulary/import', { document: TEXT, dryRun: true })).json;
    expect(dry).toMatchObject({ numConcepts: 3, numDeclarations: 2, numUnknown: 1 });
    expect(dry.preview.numGain).toBeGreaterThan(0);
    expect(dry.warnings).toEqual(['Left alone: 1 × skos:notation.']);
    const { json } = await post(service, '/v1/vocabulary/import', { document: TEXT, curator: 'Ada' });
    expect(json.change).toMatchObject({ kind: 'import', numDeclarations: 2, curator: 'Ada' });
    expect((await get('/v1/tags/first')).tag).toBe(A);
    const { text, headers } = await ask(service, '/v1/vocabulary/export');
    expect(headers['content-type']).toBe('text/turtle; charset=utf-8');
    expect(text).toContain('skos:altLabel "first"');
    expect((await post(service, '/v1/vocabulary/import', { document: text })).json).toMatchObject({
      numDeclarations: 0,
    });
    await undo(json.change.id);
    expect((await ask(service, '/v1/tags/first')).status).toBe(404);
  });

  it('that are broken say where', async () => {
    const { status, json } = await post(service, '/v1/vocabulary/import', { document: `${TEXT}\n<urn:a> oops` });
    expect(status).toBe(400);
    expect(json.detail).toMatch(/line 5/);
  });
});
