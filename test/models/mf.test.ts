import { describe, it } from 'vitest';
import { fitMf, MF_SETTINGS, Mf } from '../../src/models/mf.ts';
import { resolveSettings } from '../../src/settings.ts';
import { describeFactors, expectLoss, intsOf, withKernels } from './factors-contract.ts';
import { mfLoss, OBSERVED, TINY, WEIGHTS } from './mf-written-out.ts';

describeFactors(
  'MF',
  fitMf,
  resolveSettings(MF_SETTINGS, { width: 8, batchSize: 128, epochs: 30, unobservedWeight: 0.3 }),
);

describe("MF's loss", () => {
  it('is the weighted squared error of every pair, observed or not', async () => {
    await withKernels(1, async (kernels) => {
      const mf = new Mf(kernels, TINY, 1);
      const pairs = { heads: intsOf(kernels, OBSERVED.objects), tails: intsOf(kernels, OBSERVED.tags) };
      mf.tape.minimize(mf.loss(pairs, WEIGHTS));
      await expectLoss(kernels, mf, mfLoss);
    });
  });
});
