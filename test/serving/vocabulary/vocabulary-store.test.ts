// One suite over both databases, and what only a shared one can show.

import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { split } from '../../../src/data/split.ts';
import { train } from '../../../src/pipeline.ts';
import { Curation } from '../../../src/serving/curation/curation.ts';
import { Recommender } from '../../../src/serving/recommend/recommender.ts';
import { ReviewStore } from '../../../src/serving/reviews/review-store.ts';
import { ConflictError, type Declaration } from '../../../src/serving/vocabulary/declaration.ts';
import { StandingError } from '../../../src/serving/vocabulary/vocabulary-store.ts';
import { checkerboard } from '../../checkerboard.ts';
import { emptyStoreFolder } from '../reviews/embedded.ts';
import { type PostgresServer, startPostgres, whyNoPostgres } from '../reviews/postgres.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 }); // databases take seconds to start, more on a busy machine

let server: PostgresServer;
let numDatabases = 0;
const BACKENDS = [
  { kind: 'an embedded database', where: emptyStoreFolder },
  ...(whyNoPostgres === undefined
    ? [{ kind: 'a server', where: () => server.database(`vocabulary ${numDatabases++}`) }]
    : []),
];

beforeAll(async () => {
  if (whyNoPostgres === undefined) server = await startPostgres();
});
afterAll(() => server?.remove());

async function opened(where: string): Promise<ReviewStore> {
  const store = await ReviewStore.open(where);
  onTestFinished(() => store.close());
  return store;
}

const declare = (kind: Declaration['kind'], tags: string[], into: string[] = []): Declaration => ({ kind, tags, into });

describe.each(BACKENDS)('the vocabulary in $kind', ({ where }) => {
  it('keeps changes and undoes them, with revisions that grow', async () => {
    const place = await where();
    const store = await opened(place);
    const { vocabulary } = store;
    const { change, isNew } = await vocabulary.declare([declare('merge', ['libs'], ['library'])], {
      curator: 'Ada',
      note: 'the same',
    });
    expect(isNew).toBe(true);
    expect(change).toEqual({
      ...{ id: expect.stringMatching(/^\d+$/), kind: 'merge', curator: 'Ada', note: 'the same' },
      declarations: [declare('merge', ['libs'], ['library'])],
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      revision: expect.stringMatching(/^\d+$/),
    });
    expect(await vocabulary.declare([declare('merge', ['libs'], ['library'])])).toEqual({ change, isNew: false });
    await expect(vocabulary.declare([declare('merge', ['libs'], ['other'])])).rejects.toThrow(ConflictError);
    const undone = await vocabulary.undo(change.id, 'Kim');
    expect(undone).toMatchObject({ ...change, undoneBy: 'Kim', revision: expect.not.stringMatching(change.revision) });
    expect(BigInt(undone?.revision ?? 0)).toBeGreaterThan(BigInt(change.revision));
    expect(await vocabulary.undo(change.id)).toBeUndefined();
    expect(await vocabulary.undo('nonsense')).toBeUndefined();
    expect(await vocabulary.changedSince(change.revision)).toEqual([undone]);
    expect(await vocabulary.changedSince('0')).toEqual(await vocabulary.all());
    await expect(vocabulary.declare([declare('retire', ['x'])], { note: 'n'.repeat(1001) })).rejects.toThrow(
      /got a note of 1001 characters/,
    );
  });

  it('does not undo what decisions stand on', async () => {
    const store = await opened(await where());
    await store.decide([{ object: 'o', tag: 'before', decision: 'accept' }]);
    const { change } = await store.vocabulary.declare([declare('rename', ['a'], ['b'])]);
    await store.decide([{ object: 'o', tag: 'b', decision: 'accept', curator: 'Eve' }]);
    const error = await store.vocabulary.undo(change.id).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(StandingError);
    expect(error.decisions).toEqual([{ object: 'o', tag: 'b', decision: 'accept', curator: 'Eve' }]);
    const [{ id }] = await store.list({ tag: 'b', limit: 1 });
    await store.undo(id);
    expect(await store.vocabulary.undo(change.id)).toMatchObject({ undoneBy: '' });
  });

  it('of two who merge the same tag at once, one wins', async () => {
    const place = await where();
    const one = await opened(place);
    const other = place.includes('://') ? await opened(place) : one;
    const results = await Promise.allSettled([
      one.vocabulary.declare([declare('merge', ['a'], ['b'])], { curator: 'Ada' }),
      other.vocabulary.declare([declare('merge', ['a'], ['c'])], { curator: 'Kim' }),
    ]);
    const [winner] = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.change] : []));
    const [loser] = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(loser).toBeInstanceOf(ConflictError);
    expect(loser.changes).toEqual([winner]);
    expect(await one.vocabulary.all()).toEqual([winner]);
    const same = await Promise.all(
      [one, other].map((store) => store.vocabulary.declare([declare('parent', ['x'], ['y'])])),
    );
    expect(same.map(({ isNew }) => isNew).sort()).toEqual([false, true]);
    expect(same[0].change).toEqual(same[1].change);
  });
});

describe.skipIf(whyNoPostgres !== undefined)('two services on one server', () => {
  it('hear of each other’s changes', async () => {
    const url = await server.database('shared');
    const { train: graph } = split(checkerboard(), { trainFraction: 0.7, seed: 3 });
    const recommender = await Recommender.open(await train(graph, { model: 'popularity', threads: 1 }), { threads: 1 });
    onTestFinished(() => recommender.close());
    const curations: Curation[] = [];
    for (const _ of [0, 1]) {
      const store = await ReviewStore.open(url);
      const curation = await Curation.open(recommender, store, { pollMs: 5 });
      onTestFinished(async () => {
        await curation.close();
        await store.close();
      });
      curations.push(curation);
    }
    const [one, other] = curations;
    const [{ tag }] = await one.suggest(0, { limit: 1 });
    const { change } = await one.declare([declare('retire', [tag])]);
    await expect.poll(() => other.vocabulary.revision).toBe(change.revision);
    for (const curation of curations) {
      expect((await curation.suggest(0, { limit: 9 })).map((found) => found.tag)).not.toContain(tag);
      expect(curation.queue(500).suggestions.map((open) => open.tag)).not.toContain(tag);
    }
    await other.undoDeclared(change.id);
    await expect.poll(async () => (await one.suggest(0, { limit: 1 }))[0].tag).toBe(tag);
  });
});
