// Ranking on the GPU: the largest of each row, those above a limit, and the count of numbers that are not finite.

import { type CsrArrays, checkLength, type Dense, type Ints } from '../matrix.ts';
import type { GpuStorage } from './gpu-storage.ts';
import { WORKGROUP } from './shader.ts';
import { COUNT_LARGE, COUNT_NON_FINITE, MAX_PICKS, RANK_ALL, TAKE_LARGE, TOP_K } from './wgsl-ranking.ts';

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

/** Counted by row, then, once it is known where each row begins, taken. */
export async function readLarge(gpu: GpuStorage, x: Dense, limits: Float32Array): Promise<CsrArrays> {
  checkLength(limits.length, x.rows, String(x.rows));
  const { rows, cols, stride } = x;
  const rowStart = new Int32Array(rows + 1);
  const [least, starts] = [gpu.dense(1, rows), gpu.ints(rows)];
  const made: (Dense | Ints)[] = [least, starts];
  try {
    gpu.write(least, limits);
    gpu.eachPart(x, (part) => {
      const params = { rows: part.rows, cols, stride, firstRow: part.firstRow };
      gpu.queue.run(
        COUNT_LARGE,
        params,
        { x: part.of(x), limits: gpu.block(least), counts: gpu.block(starts) },
        part.rows,
      );
    });
    const counts = await gpu.readInts(starts);
    for (let r = 0; r < rows; r++) rowStart[r + 1] = rowStart[r] + counts[r];
    const [columns, values] = [gpu.ints(rowStart[rows]), gpu.dense(1, rowStart[rows])];
    made.push(columns, values);
    gpu.writeInts(starts, rowStart.slice(0, rows));
    gpu.eachPart(x, (part) => {
      const params = { rows: part.rows, cols, stride, firstRow: part.firstRow };
      const inputs = { x: part.of(x), limits: gpu.block(least), starts: gpu.block(starts) };
      gpu.queue.run(
        TAKE_LARGE,
        params,
        { ...inputs, columns: gpu.block(columns), values: gpu.block(values) },
        part.rows,
      );
    });
    const read = await Promise.all([gpu.readInts(columns), gpu.read(values)]);
    return { rowStart, columns: read[0], values: read[1] };
  } finally {
    gpu.release(...made);
  }
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
