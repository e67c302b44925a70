import { describe, expect, it } from 'vitest';
import { normalizedWithoutLoops } from '../../src/graph/weighting.ts';
import { NGCF, NGCF_SETTINGS, recordNgcf } from '../../src/models/ngcf.ts';
import { resolveSettings } from '../../src/settings.ts';
import type { Embeddings } from '../../src/training/trainer.ts';
import { checkerboard } from '../checkerboard.ts';
import { expectClose, itIsANetwork, map, plus, type Rows, runSmallNetwork, withKernels } from './network-contract.ts';

const settings = { width: 16, layers: 2, batchSize: 128, learningRate: 0.02, epochs: 30 };

describe('NGCF', () => {
  itIsANetwork(NGCF.fit, resolveSettings(NGCF_SETTINGS, settings));

  it('leaves all layers side by side, the start first', async () => {
    await withKernels(1, async (kernels) => {
      const context = { kernels, train: checkerboard(), watch: {}, listener: {} };
      const { fitted } = await NGCF.fit({
        ...context,
        settings: resolveSettings(NGCF_SETTINGS, { ...settings, epochs: 1 }),
      });
      const { width, objects, tags } = fitted as Embeddings;
      expect(width).toBe(3 * settings.width);
      expect([objects.length, tags.length]).toEqual([60 * width, 20 * width]);
      for (const side of [objects, tags]) expect(side.filter((x) => x === 0).length).toBe(0);
    });
  });

  it.each([1, 2, 3])('agrees with its messages sent one by one, %i layers', async (numLayers) => {
    await withKernels(1, async (kernels) => {
      const { adjacency, weights, layers } = await runSmallNetwork(kernels, normalizedWithoutLoops, (inputs) =>
        recordNgcf(inputs, { width: 3, layers: numLayers, nodeDropout: 0.5, messageDropout: 0.5 }),
      );
      let nodes = weights.get('E0') ?? [];
      expect(layers.length).toBe(numLayers + 1);
      for (const [i, { objects, tags }] of layers.entries()) {
        if (i > 0) {
          const [w1, w2] = [weights.get(`W1 of layer ${i}`) ?? [], weights.get(`W2 of layer ${i}`) ?? []];
          nodes = nodes.map((own, u) => received(adjacency[u], own, nodes, w1, w2));
        }
        expectClose(objects, nodes.slice(0, 3));
        expectClose(tags, nodes.slice(3, 5));
      }
    });
  });
});

describe('NGCF with message dropout', () => {
  itIsANetwork(NGCF.fit, resolveSettings(NGCF_SETTINGS, { ...settings, messageDropout: 0.1 }));
});

/** Equations 3 to 5: e_u W1 + Σ over neighbours of weight · (e_i W1 + (e_i ⊙ e_u) W2), through the leaky ReLU. */
function received(neighbours: number[], own: number[], nodes: Rows, w1: Rows, w2: Rows): number[] {
  const rowTimes = (row: number[], w: Rows) => w[0].map((_, j) => row.reduce((sum, x, k) => sum + x * w[k][j], 0));
  let total = [rowTimes(own, w1)];
  for (const [i, weight] of neighbours.entries()) {
    const alike = nodes[i].map((x, d) => x * own[d]);
    const message = plus([rowTimes(nodes[i], w1)], [rowTimes(alike, w2)]);
    total = plus(
      total,
      map(message, (x) => weight * x),
    );
  }
  return map(total, (x) => (x < 0 ? 0.2 * x : x))[0];
}
