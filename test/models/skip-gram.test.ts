import { describe, expect, it } from 'vitest';
import { fitSkipGram, SKIP_GRAM_SETTINGS, SkipGram } from '../../src/models/skip-gram.ts';
import { resolveSettings } from '../../src/settings.ts';
import { checkerboard } from '../checkerboard.ts';
import { describeFactors, dot, expectLoss, intsOf, row, withKernels } from './factors-contract.ts';

const settings = resolveSettings(SKIP_GRAM_SETTINGS, { width: 8, batchSize: 128, epochs: 30 });

describeFactors('Skip-Gram', fitSkipGram, settings);
describeFactors('Skip-Gram without the prior', fitSkipGram, { ...settings, prior: 'off', epochs: 60 });

describe("Skip-Gram's loss", () => {
  const width = 2;
  const pairs = { objects: [0, 1, 1], tags: [0, 0, 2], noise: [1, 0, 2, 1, 1, 2] };
  const offsets = [0.5, -1, 0.25];
  const weights = { numPairs: 5, regularization: 0.5 };

  it('tells tags from noise by their logits, and keeps vectors short', async () => {
    await withKernels(1, async (kernels) => {
      const model = new SkipGram(kernels, { numObjects: 2, numTags: 3, width }, 1);
      kernels.write(model.offsets.value, offsets);
      const { objects, tags, noise } = pairs;
      const inputs = { heads: intsOf(kernels, objects), tails: intsOf(kernels, tags), noise: intsOf(kernels, noise) };
      model.tape.minimize(model.loss(inputs, weights));
      await expectLoss(kernels, model, ([x, y]) => {
        const logit = (o: number, t: number) => dot(row(x, o, width), row(y, t, width)) + offsets[t];
        const losses = objects.map(
          (o, i) =>
            softplus(-logit(o, tags[i])) +
            noise.slice(2 * i, 2 * i + 2).reduce((total, t) => total + softplus(logit(o, t)), 0),
        );
        const mean = losses.reduce((total, loss) => total + loss) / losses.length;
        return mean + (weights.regularization / weights.numPairs) * (dot(x, x) + dot(y, y));
      });
    });
  });
});

describe('Skip-Gram', () => {
  it.each([
    ['on', Math.log(1 / 20), -Math.log(15)],
    ['off', 0, Math.log(20 / 15)],
  ] as const)('with the prior %s starts at the base %f and at the logit %f', async (prior, base, logit) => {
    const train = checkerboard(); // 20 tags, each as frequent as the others
    const whole = { ...settings, prior, epochs: 1, noisePerPair: 15, batchSize: 1e6 };
    const losses: number[] = [];
    const watch = { onEpoch: ({ loss }: { loss: number }) => losses.push(loss) };
    await withKernels(1, async (kernels) => {
      const { fitted } = await fitSkipGram({ kernels, train, settings: whole, watch, listener: {} });
      const bases = fitted.form === 'embeddings' ? [...fitted.base] : [];
      expect(bases).toHaveLength(20);
      expect(bases.every((got) => Math.abs(got - base) < 1e-6)).toBe(true);
    });
    expect(losses[0]).toBeCloseTo(softplus(-logit) + 15 * softplus(logit), 1); // vectors start short
  });
});

function softplus(x: number): number {
  return Math.log1p(Math.exp(x));
}
