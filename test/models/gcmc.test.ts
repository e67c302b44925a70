import { describe, it } from 'vitest';
import { normalized } from '../../src/graph/weighting.ts';
import { GCMC, GCMC_SETTINGS, recordGcmc } from '../../src/models/gcmc.ts';
import { resolveSettings } from '../../src/settings.ts';
import { expectClose, itIsANetwork, map, plus, runSmallNetwork, times, withKernels } from './network-contract.ts';

const settings = { width: 16, layers: 2, batchSize: 128, learningRate: 0.02, epochs: 30 };

describe('GCMC', () => {
  itIsANetwork(GCMC.fit, resolveSettings(GCMC_SETTINGS, settings));

  it('is two convolutions, a dense layer over both, and a bilinear form', async () => {
    await withKernels(1, async (kernels) => {
      const { adjacency, weights, layers } = await runSmallNetwork(kernels, normalized, (inputs) =>
        recordGcmc(inputs, { width: 3, layers: 2, nodeDropout: 0.5 }),
      );
      const of = (name: string) => weights.get(name) ?? [];
      const relu = (x: number) => Math.max(0, x);
      const h1 = map(times(adjacency, of('E0')), relu);
      const h2 = map(times(adjacency, times(h1, of('W2'))), relu);
      const z = plus(times(h1, of('V1')), times(h2, of('V2')));
      // z_oᵀ Q z_t, whichever side Q is counted to
      const scores = times(times(z.slice(0, 3), of('Q')), transposed(z.slice(3, 5)));
      expectClose(times(layers[0].objects, transposed(layers[0].tags)), scores);
      expectClose(layers[0].tags, z.slice(3, 5));
    });
  });
});

function transposed(rows: number[][]): number[][] {
  return rows[0].map((_, j) => rows.map((row) => row[j]));
}
