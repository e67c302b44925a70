// Dropout by a counter-based generator: the draw of number i depends on the key and i alone (src/random.ts).

import { shareStart } from './share';

/** Threefry-2x32, 20 rounds: both words of block (counter, 0), the first in the low half. */
function threefry(key0: u32, key1: u32, counter: u32): u64 {
  const key2 = 0x1bd11bda ^ key0 ^ key1;
  let x0 = counter + key0;
  let x1 = key1;
  for (let group: u32 = 0; group < 5; group++) {
    if (group & 1) {
      x0 += x1; x1 = rotl<u32>(x1, 17) ^ x0;
      x0 += x1; x1 = rotl<u32>(x1, 29) ^ x0;
      x0 += x1; x1 = rotl<u32>(x1, 16) ^ x0;
      x0 += x1; x1 = rotl<u32>(x1, 24) ^ x0;
    } else {
      x0 += x1; x1 = rotl<u32>(x1, 13) ^ x0;
      x0 += x1; x1 = rotl<u32>(x1, 15) ^ x0;
      x0 += x1; x1 = rotl<u32>(x1, 26) ^ x0;
      x0 += x1; x1 = rotl<u32>(x1, 6) ^ x0;
    }
    // key words take turns: 1 2, 2 0, 0 1, 1 2, 2 0
    const turn = group % 3;
    x0 += turn === 0 ? key1 : turn === 1 ? key2 : key0;
    x1 += (turn === 0 ? key2 : turn === 1 ? key0 : key1) + group + 1;
  }
  return u64(x0) | (u64(x1) << 32);
}

export function dropout(
  t: i32, T: i32, out: usize, x: usize, rows: i32, cols: i32, stride: i32,
  threshold: u32, scale: f32, key0: u32, key1: u32, accumulate: i32,
): void {
  const end = shareStart(t + 1, T, rows, 1);
  for (let r = shareStart(t, T, rows, 1); r < end; r++) {
    const at = (<usize>r * stride) << 2;
    let block: u64 = 0;
    let blockOf: u32 = u32.MAX_VALUE;
    for (let c = 0; c < cols; c++) {
      const draw = u32(r) * u32(cols) + u32(c);
      if (draw >> 1 !== blockOf) {
        blockOf = draw >> 1;
        block = threefry(key0, key1, blockOf);
      }
      const word = u32(draw & 1 ? block >> 32 : block);
      const i = at + (<usize>c << 2);
      const kept = word >= threshold ? load<f32>(x + i) * scale : 0;
      store<f32>(out + i, accumulate ? load<f32>(out + i) + kept : kept);
    }
  }
}
