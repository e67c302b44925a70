// Far more requests than the suite draws, with other seeds.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { documentOf, holds, requestOf } from '../serving/http/arbitrary-requests.ts';
import { serviceOf, storeFolder } from '../serving/http/service-under-test.ts';

const MAP_THREAD = new URL('../../dist/serving/map/map-thread.js', import.meta.url);

it('any request gets an answer the document foretells, on a real store', async () => {
  const service = await serviceOf({ mapThread: MAP_THREAD, reviews: await storeFolder() });
  const document = await documentOf(service);
  let numAsked = 0;
  for (const seed of [1, 2, 3]) {
    const property = fc.asyncProperty(requestOf(document), async (drawn) => {
      numAsked++;
      await holds(service, document, drawn);
    });
    await fc.assert(property, { numRuns: 5000, seed });
  }
  expect(numAsked).toBe(15_000);
});
