import { describe, expect, it } from 'vitest';
import { normalizedWithoutLoops } from '../../src/graph/weighting.ts';
import { LIGHT_GCN, LIGHT_GCN_SETTINGS, recordLightGcn } from '../../src/models/lightgcn.ts';
import { resolveSettings } from '../../src/settings.ts';
import { expectClose, itIsANetwork, map, plus, runSmallNetwork, times, withKernels } from './network-contract.ts';

describe('LightGCN', () => {
  const settings = resolveSettings(LIGHT_GCN_SETTINGS, {
    width: 16,
    layers: 2,
    batchSize: 128,
    learningRate: 0.02,
    epochs: 30,
  });
  itIsANetwork(LIGHT_GCN.fit, settings);

  it('is the mean of all layers', async () => {
    await withKernels(1, async (kernels) => {
      const { adjacency, weights, layers } = await runSmallNetwork(kernels, normalizedWithoutLoops, (inputs) =>
        recordLightGcn(inputs, { width: 3, layers: 2 }),
      );
      const e0 = weights.get('E0') ?? [];
      const e1 = times(adjacency, e0);
      const e2 = times(adjacency, e1);
      const mean = map(plus(plus(e0, e1), e2), (x) => x / 3);
      expect(layers.length).toBe(1);
      expectClose(layers[0].objects, mean.slice(0, 3));
      expectClose(layers[0].tags, mean.slice(3, 5));
    });
  });
});
