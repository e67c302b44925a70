import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Kernels } from '../../../src/engine/kernels.ts';
import { openKernels } from '../../../src/engine/open.ts';
import { EngineProfiles, StoredProfiles } from '../../../src/models/loom/object-profiles.ts';

let kernels: Kernels;
beforeAll(async () => {
  kernels = await openKernels({ threads: 1 });
});
afterAll(() => kernels.close());

it('profiles are the same from the engine as from where the model has them, of all objects or of some', async () => {
  const [numObjects, width] = [37, 5];
  const vectors = Float32Array.from({ length: numObjects * width }, (_, i) => Math.sin(i));
  const matrix = kernels.dense(numObjects, width);
  kernels.write(matrix, vectors);
  const [engine, stored] = [new EngineProfiles(kernels, matrix), new StoredProfiles({ width, vectors })];
  const column = Float32Array.from({ length: width }, (_, k) => k - 1.5);
  const all = Int32Array.from({ length: numObjects }, (_, object) => object);
  for (const objects of [all, all.filter((object) => object % 2 === 0), Int32Array.of(3, 36), new Int32Array(0)]) {
    expect(await stored.rowsOf(objects)).toEqual(await engine.rowsOf(objects));
    const [got, expected] = [await stored.products(objects, column), await engine.products(objects, column)];
    expect(got.length).toBe(objects.length);
    for (const [i, value] of expected.entries()) expect(got[i]).toBeCloseTo(value, 5);
  }
  engine.release();
});
