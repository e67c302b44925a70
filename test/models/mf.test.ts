import { describe, it } from 'vitest';
import { Mf } from '../../src/models/mf.ts';
import { resolveSettings } from '../../src/training/config.ts';
import { MF } from '../../src/training/config-factors.ts';
import { fitMf } from '../../src/training/train-factors.ts';
import { describeFactors, expectLoss, intsOf, withKernels } from './factors-contract.ts';
import { mfLoss, OBSERVED, TINY, WEIGHTS } from './mf-written-out.ts';

describeFactors('MF', fitMf, resolveSettings(MF, { width: 8, batchSize: 128, epochs: 30, unobservedWeight: 0.3 }));

describe("MF's loss", () => {
  it('is the weighted squared error of every pair, observed or not', async () => {
    await withKernels(1, async (kernels) => {
      const mf = new Mf(kernels, TINY, 1);
      const pairs = { objects: intsOf(kernels, OBSERVED.objects), tags: intsOf(kernels, OBSERVED.tags) };
      mf.tape.minimize(mf.loss(pairs, WEIGHTS));
      await expectLoss(kernels, mf, mfLoss);
    });
  });
});
