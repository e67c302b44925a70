import { describe, expect, it } from 'vitest';
import { graphFrom } from '../../src/data/knowledge-graph.ts';
import { countPaths } from '../../src/graph/path-counts.ts';
import { sppmi } from '../../src/graph/weighting.ts';
import { COFACTOR_SETTINGS, CoFactor, fitCoFactor } from '../../src/models/cofactor.ts';
import { fitMf } from '../../src/models/mf.ts';
import { resolveSettings } from '../../src/settings.ts';
import { describeFactors, dot, expectLoss, intsOf, row, withKernels } from './factors-contract.ts';
import { mfLoss, OBSERVED, TINY, WEIGHTS } from './mf-written-out.ts';

const settings = resolveSettings(COFACTOR_SETTINGS, {
  width: 8,
  batchSize: 128,
  epochs: 30,
  unobservedWeight: 0.3,
  tagShift: 1,
});

describeFactors('CoFactor', fitCoFactor, settings);

describe("CoFactor's loss", () => {
  const edges = { from: [0, 0, 2, 1], to: [1, 2, 0, 0], weights: [0.5, 1.5, 1.5, 0.5] };
  const graphWeight = 0.75;

  it('is that of MF and the squared error of every edge', async () => {
    await withKernels(1, async (kernels) => {
      const model = new CoFactor(kernels, TINY, 1);
      const pairs = { heads: intsOf(kernels, OBSERVED.objects), tails: intsOf(kernels, OBSERVED.tags) };
      const weights = model.tape.constant(1, 4);
      kernels.write(weights.value, edges.weights);
      const inputs = { heads: intsOf(kernels, edges.from), tails: intsOf(kernels, edges.to), weights };
      model.tape.minimize(model.loss(pairs, inputs, { ...WEIGHTS, graphWeight }));
      await expectLoss(kernels, model, ([x, y, biases, z, v, c]) => {
        const errors = edges.weights.map((weight, e) => {
          const [i, j] = [edges.from[e], edges.to[e]];
          return weight - dot(row(y, i, TINY.width), row(z, j, TINY.width)) - v[i] - c[j];
        });
        const ofEdges = (graphWeight * dot(errors, errors)) / errors.length;
        return mfLoss([x, y, biases]) + ofEdges + (WEIGHTS.regularization * dot(z, z)) / WEIGHTS.numPairs;
      });
    });
  });
});

describe('CoFactor', () => {
  it('learns every edge with its weight where nothing holds it back', async () => {
    const train = graphFrom({
      interact: [],
      tagged: ['ab', 'abc', 'cd', 'de', 'aef', 'bf'].flatMap((tags) => [...tags].map((tag) => [tags, tag] as const)),
    });
    const graph = sppmi(await countPaths(train.tagged), 1);
    const meanSquare = dot([...graph.values], [...graph.values]) / graph.values.length;
    const free = { ...settings, batchSize: 5, epochs: 150, learningRate: 0.05, unobservedWeight: 0, regularization: 0 };
    const losses: number[] = [];
    const watch = { onEpoch: ({ loss }: { loss: number }) => losses.push(loss) };
    await withKernels(1, async (kernels) => {
      await fitCoFactor({ kernels, train, settings: { ...free, graphWeight: 1 }, watch, listener: {} });
      const whole = { ...free, batchSize: 1000, epochs: 1 };
      await fitCoFactor({ kernels, train, settings: { ...whole, graphWeight: 1 }, watch, listener: {} });
    });
    expect(losses.at(-2)).toBeLessThan(1e-4);
    expect(losses.at(-1)).toBeCloseTo(1 + meanSquare, 1); // all expectations start near zero, and a pair is to be one
  });

  it('is MF where no two tags occur together', async () => {
    const alone = graphFrom({
      interact: [],
      tagged: [
        ['a', 'rock'],
        ['b', 'pop'],
      ],
    });
    await withKernels(1, async (kernels) => {
      const context = { kernels, train: alone, settings, watch: {}, listener: {} };
      expect(await fitCoFactor(context)).toEqual(await fitMf(context));
    });
  });
});
