// Noise tags drawn on the GPU: the same as reference/losses.ts draws.

import { NOISE_TRIES, type NoiseInputs } from '../kernels.ts';
import type { Ints } from '../matrix.ts';
import type { GpuStorage } from './gpu-storage.ts';
import { MAIN, shader, shaderFamily, WORKGROUP } from './shader.ts';
import { THREEFRY } from './wgsl-functions.ts';

const noiseShader = shaderFamily((sparesOwn: boolean) =>
  shader({
    name: `draw noise ${sparesOwn}`,
    params: { count: 'u32', perPair: 'u32', numTags: 'u32', key0: 'u32', key1: 'u32' },
    buffers: {
      out: 'write u32',
      keep: 'read u32',
      alias_: 'read u32',
      objects: 'read u32',
      rowStart: 'read u32',
      columns: 'read u32',
    },
    code: `${THREEFRY}
fn has(object: u32, tag: u32) -> bool {
  var low = rowStart[object];
  let end = rowStart[object + 1u];
  var high = end;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (columns[middle] < tag) { low = middle + 1u; } else { high = middle; }
  }
  return low < end && columns[low] == tag;
}
${MAIN()}
  let i = group * ${WORKGROUP}u + lane;
  if (i >= params.count) { return; }
  var tag = 0u;
  for (var attempt = 0u; attempt < ${NOISE_TRIES}u; attempt++) {
    let words = threefry(params.key0, params.key1, i, attempt);
    tag = words.x % params.numTags;
    if (words.y > keep[tag]) { tag = alias_[tag]; }
    ${sparesOwn ? 'if (!has(objects[i / params.perPair], tag)) { break; }' : 'break;'}
  }
  out[i] = tag;
}`,
  }),
);

export function drawNoise(gpu: GpuStorage, out: Ints, { table, objects, own, key }: NoiseInputs): void {
  gpu.touch(out);
  const [count, numTags] = [out.length, table.keep.length];
  const params = { count, perPair: count / objects.length, numTags, key0: key[0], key1: key[1] };
  const given = { keep: gpu.block(table.keep), alias_: gpu.block(table.alias), objects: gpu.block(objects) };
  const rows = { rowStart: gpu.block(own?.rowStart ?? objects), columns: gpu.block(own?.columns ?? objects) };
  const groups = Math.ceil(count / WORKGROUP);
  gpu.queue.run(noiseShader(own !== undefined), params, { out: gpu.block(out), ...given, ...rows }, groups);
}
