// The contract of Kernels: what every backend is held to, against plain double precision written in contract/ and not
// against the reference, so that a mistake in the reference shows too. Every trial runs at awkward sizes, begins with
// outputs full of NaN, and ends by checking that nothing else in memory has changed and that all bytes came back.

import { afterAll, beforeAll, describe } from 'vitest';
import type { Kernels } from '../../src/engine/kernels.ts';
import type { MakeKernels } from './backends.ts';
import { describeAdam } from './contract/adam.ts';
import { describeElementwise } from './contract/elementwise.ts';
import { describeExtremes } from './contract/extremes.ts';
import { describeLosses } from './contract/losses.ts';
import { describeProducts } from './contract/products.ts';
import { describeRanking } from './contract/ranking.ts';
import { describeRows } from './contract/rows.ts';
import { ALL_SIZES, type Sizes } from './contract/sizes.ts';
import { describeStorage } from './contract/storage.ts';
import { describeSymmetric } from './contract/symmetric.ts';
import { type RunShapes, type RunTrial, Trial } from './contract/trial.ts';

export { describeSameBytes } from './contract/same-bytes.ts';

export function describeKernels(name: string, make: MakeKernels, sizes: Sizes = ALL_SIZES): void {
  describe(`${name} kernels`, () => {
    let kernels: Kernels;
    beforeAll(async () => {
      kernels = await make();
    });
    afterAll(() => kernels.close());

    const trial: RunTrial = async (body) => {
      const t = new Trial(kernels);
      await body(t);
      await t.finish();
    };
    const everyShape: RunShapes = async (body) => {
      for (const [rows, cols] of sizes.shapes) await trial((t) => body(t, rows, cols));
    };

    describeStorage(trial, everyShape);
    describeProducts(trial, sizes);
    describeElementwise(trial, everyShape);
    describeRows(everyShape);
    describeLosses(trial, everyShape);
    describeAdam(trial, everyShape);
    describeSymmetric(trial, sizes);
    describeRanking(trial, everyShape);
    describeExtremes(trial);
  });
}
