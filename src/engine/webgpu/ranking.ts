// Ranking on the GPU: the largest of each row, and the count of numbers that are not finite.

import type { Dense, Ints } from '../matrix.ts';
import type { GpuStorage } from './gpu-storage.ts';
import { WORKGROUP } from './shader.ts';
import { COUNT_NON_FINITE, MAX_PICKS, RANK_ALL, TOP_K } from './wgsl-ranking.ts';

const FEW_COLUMNS = 512; // so few are sooner ranked than searched

export function topK(gpu: GpuStorage, ids: Ints, x: Dense, k: number): void {
  gpu.touch(ids);
  if (k === 0) return;
  const kernel = k <= MAX_PICKS && x.cols > FEW_COLUMNS ? TOP_K : RANK_ALL;
  gpu.eachPart(x, ({ firstRow, rows, of }) => {
    const params = { rows, cols: x.cols, stride: x.stride, k, firstRow };
    gpu.queue.run(kernel, params, { ids: gpu.block(ids), x: of(x) }, rows);
  });
}

export async function countNonFinite(gpu: GpuStorage, x: Dense): Promise<number> {
  const total = gpu.ints(1);
  try {
    gpu.eachPart(x, ({ rows, of }) => {
      const count = (rows * x.stride) / 4;
      gpu.queue.run(COUNT_NON_FINITE, { count }, { total: gpu.block(total), x: of(x) }, Math.ceil(count / WORKGROUP));
    });
    return (await gpu.readInts(total))[0];
  } finally {
    gpu.release(total);
  }
}
