// Adam, on all rows or on a list of rows. `rate` and `epsilon` come with both bias corrections already in them; 1 − β
// comes beside β, since in single precision the difference would lose half its digits.

import { shareStart } from './share';

function update(w: usize, g: usize, m: usize, v: usize, from: usize, to: usize, rate: f32, beta1: f32, rest1: f32, beta2: f32, rest2: f32, epsilon: f32): void {
  const b1 = f32x4.splat(beta1), c1 = f32x4.splat(rest1);
  const b2 = f32x4.splat(beta2), c2 = f32x4.splat(rest2);
  const r = f32x4.splat(rate), e = f32x4.splat(epsilon);
  for (let i = from; i < to; i += 16) {
    const gradient = v128.load(g + i);
    const mean = f32x4.add(f32x4.mul(b1, v128.load(m + i)), f32x4.mul(c1, gradient));
    const variance = f32x4.add(f32x4.mul(b2, v128.load(v + i)), f32x4.mul(c2, f32x4.mul(gradient, gradient)));
    v128.store(m + i, mean);
    v128.store(v + i, variance);
    const change = f32x4.div(f32x4.mul(r, mean), f32x4.add(f32x4.sqrt(variance), e));
    v128.store(w + i, f32x4.sub(v128.load(w + i), change));
  }
}

export function adam(
  t: i32, T: i32, w: usize, g: usize, m: usize, v: usize, rows: i32, stride: i32,
  rate: f32, beta1: f32, rest1: f32, beta2: f32, rest2: f32, epsilon: f32,
): void {
  const from = (<usize>shareStart(t, T, rows, 1) * stride) << 2;
  const to = (<usize>shareStart(t + 1, T, rows, 1) * stride) << 2;
  update(w, g, m, v, from, to, rate, beta1, rest1, beta2, rest2, epsilon);
}

export function adamRows(
  t: i32, T: i32, w: usize, g: usize, m: usize, v: usize, indices: usize, count: i32, stride: i32,
  rate: f32, beta1: f32, rest1: f32, beta2: f32, rest2: f32, epsilon: f32,
): void {
  const end = shareStart(t + 1, T, count, 1);
  for (let i = shareStart(t, T, count, 1); i < end; i++) {
    const from = (<usize>load<u32>(indices + (<usize>i << 2)) * stride) << 2;
    update(w, g, m, v, from, from + (<usize>stride << 2), rate, beta1, rest1, beta2, rest2, epsilon);
  }
}
