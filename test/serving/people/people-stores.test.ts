import { expect, it } from 'vitest';
import { ReviewStore } from '../../../src/serving/reviews/review-store.ts';
import { emptyStoreFolder } from '../reviews/embedded.ts';

it('works', async () => {
  const store = await ReviewStore.open(await emptyStoreFolder());
  const by = { by: 'x', mayLeaveNone: false };
  const ann = await store.users.add('ann', 'administrate', by);
  console.log(ann, await store.users.all());
  const [d] = await store.decide([{ object: 'o', tag: 't', decision: 'unsure', curator: 'ann', note: 'hm' }]);
  await store.decide([{ object: 'o', tag: 't', decision: 'accept', curator: 'bob' }]);
  console.log(await store.log.list({ limit: 10 }));
  let n = 0;
  const got = await store.claims.take({
    session: 's1',
    who: 'ann',
    limit: 2,
    candidates: () =>
      n++ > 0
        ? undefined
        : [
            { object: 'o', tag: 't' },
            { object: 'p', tag: 't' },
            { object: 'q', tag: 't' },
            { object: 'r', tag: 't' },
          ],
  });
  console.log(got, await store.claims.heldByOthers('s2'), await store.claims.atWork('s2'));
  n = 0;
  console.log(
    await store.claims.take({
      session: 's2',
      who: '',
      limit: 2,
      candidates: () =>
        n++ > 0
          ? undefined
          : [
              { object: 'q', tag: 't' },
              { object: 'r', tag: 't' },
            ],
    }),
  );
  await store.webhooks.begin('http://a');
  console.log(
    await store.webhooks.lease('http://a', 'me', 1000),
    await store.webhooks.lease('http://a', 'you', 1000),
    await store.webhooks.numWaiting('http://a', ['accept']),
  );
  await store.close();
});
