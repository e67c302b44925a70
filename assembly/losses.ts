// Losses with their gradients in one pass over the data.

import { dot } from './rows';
import { shareStart } from './share';
import { exp4, laneSum, log4, madd, sigmoid4, softplus4 } from './vector';

/** losses[r] = log Σ e^logit − logit[target]; dLogits = softmax − one-hot. A thread owns rows. */
export function softmaxCrossEntropy(
  t: i32, T: i32, losses: usize, dLogits: usize, logits: usize, targets: usize, rows: i32, cols: i32, stride: i32,
): void {
  const end = shareStart(t + 1, T, rows, 1);
  const full = <usize>(cols & ~3) << 2; // bytes in whole vectors
  const rest = cols & 3;
  for (let r = shareStart(t, T, rows, 1); r < end; r++) {
    const row = logits + ((<usize>r * stride) << 2);
    const out = dLogits + ((<usize>r * stride) << 2);

    let largest4 = f32x4.splat(-Infinity);
    for (let c: usize = 0; c < full; c += 16) largest4 = f32x4.max(largest4, v128.load(row + c));
    if (rest) largest4 = f32x4.max(largest4, tail(row + full, rest, -Infinity));
    let largest = max(
      max(f32x4.extract_lane(largest4, 0), f32x4.extract_lane(largest4, 1)),
      max(f32x4.extract_lane(largest4, 2), f32x4.extract_lane(largest4, 3)),
    );

    // exponentials are kept where the gradient will stand
    const shift = f32x4.splat(largest);
    let total: f64 = 0;
    for (let c: usize = 0; c < full; c += 16) {
      const e = exp4(f32x4.sub(v128.load(row + c), shift));
      v128.store(out + c, e);
      total += laneSum(e);
    }
    let last = f32x4.splat(0);
    if (rest) {
      last = exp4(f32x4.sub(tail(row + full, rest, -Infinity), shift));
      total += laneSum(last);
    }

    const inverse = f32x4.splat(f32(1 / total));
    for (let c: usize = 0; c < full; c += 16) v128.store(out + c, f32x4.mul(v128.load(out + c), inverse));
    if (rest) v128.store(out + full, f32x4.mul(last, inverse)); // zeros beyond the last column
    const target = <usize>load<u32>(targets + (<usize>r << 2)) << 2;
    store<f32>(out + target, load<f32>(out + target) - 1);
    // not Math.log: it reads a table, and kernels have no static data
    const logTotal = f32x4.extract_lane(log4(f32x4.splat(f32(total))), 0);
    store<f32>(losses + (<usize>r << 2), f32(f64(largest) - f64(load<f32>(row + target)) + logTotal));
  }
}

/** The last `count` (1 to 3) floats of a row, with `padding` behind them. */
function tail(p: usize, count: i32, padding: f32): v128 {
  let x = f32x4.replace_lane(f32x4.splat(padding), 0, load<f32>(p));
  if (count > 1) x = f32x4.replace_lane(x, 1, load<f32>(p, 4));
  if (count > 2) x = f32x4.replace_lane(x, 2, load<f32>(p, 8));
  return x;
}

const FAR: f32 = -1e30; // a logit that adds nothing to loss or gradient

/**
 * For the pairs whose object is thread t's: logits, losses, coefficients (gradients by logit) and the gradient of the
 * object's embedding. With u = −l for the observed tag and u = l for noise, each adds softplus(u) and ±σ(u).
 */
export function nceObjects(
  t: i32, T: i32, losses: usize, dObjects: usize, coefficients: usize, zo: usize, zt: usize,
  objects: usize, tags: usize, noise: usize, offsets: usize,
  numPairs: i32, numNoise: i32, stride: i32, coefficientStride: i32, scale: f32,
): void {
  const bytes = <usize>stride << 2;
  const coefficientBytes = <usize>coefficientStride << 2;
  for (let b = 0; b < numPairs; b++) {
    const object = load<u32>(objects + (<usize>b << 2));
    if (object % T !== t) continue;
    const z = zo + <usize>object * bytes;
    const u = coefficients + <usize>b * coefficientBytes;
    const observed = load<u32>(tags + (<usize>b << 2));
    const drawn = noise + ((<usize>b * numNoise) << 2);

    store<f32>(u, -(dot(z, zt + <usize>observed * bytes, bytes) + load<f32>(offsets + (<usize>observed << 2))));
    for (let k = 0; k < numNoise; k++) {
      const tag = load<u32>(drawn + (<usize>k << 2));
      store<f32>(u + (<usize>k << 2), dot(z, zt + <usize>tag * bytes, bytes) + load<f32>(offsets + (<usize>tag << 2)), 4);
    }
    for (let k = numNoise + 1; k < coefficientStride; k++) store<f32>(u + (<usize>k << 2), FAR);

    let loss = f32x4.splat(0);
    const factor = f32x4.splat(scale);
    for (let c: usize = 0; c < coefficientBytes; c += 16) {
      const x = v128.load(u + c);
      loss = f32x4.add(loss, softplus4(x));
      v128.store(u + c, f32x4.mul(factor, sigmoid4(x)));
    }
    store<f32>(u, -load<f32>(u));
    store<f32>(losses + (<usize>b << 2), laneSum(loss));

    // the gradient of the object, 16 columns at a time, over all its tags
    for (let c: usize = 0; c < bytes; c += 64) addTags(dObjects + <usize>object * bytes + c, u, zt + c, observed, drawn, numNoise, bytes);
  }
}

function addTags(out: usize, u: usize, zt: usize, observed: u32, drawn: usize, numNoise: i32, bytes: usize): void {
  let tag = observed;
  let s0 = v128.load(out), s1 = v128.load(out, 16), s2 = v128.load(out, 32), s3 = v128.load(out, 48);
  for (let k = 0; k <= numNoise; k++) {
    if (k > 0) tag = load<u32>(drawn + (<usize>(k - 1) << 2));
    const coefficient = v128.load32_splat(u + (<usize>k << 2));
    const from = zt + <usize>tag * bytes;
    s0 = madd(coefficient, v128.load(from), s0);
    s1 = madd(coefficient, v128.load(from, 16), s1);
    s2 = madd(coefficient, v128.load(from, 32), s2);
    s3 = madd(coefficient, v128.load(from, 48), s3);
  }
  v128.store(out, s0); v128.store(out, s1, 16); v128.store(out, s2, 32); v128.store(out, s3, 48);
}

/** Gradients of the tags that are thread t's, from the coefficients, in the order of the pairs. */
export function nceTags(
  t: i32, T: i32, dTags: usize, coefficients: usize, zo: usize, objects: usize, tags: usize, noise: usize,
  numPairs: i32, numNoise: i32, stride: i32, coefficientStride: i32,
): void {
  const bytes = <usize>stride << 2;
  for (let b = 0; b < numPairs; b++) {
    const z = zo + <usize>load<u32>(objects + (<usize>b << 2)) * bytes;
    const u = coefficients + ((<usize>b * coefficientStride) << 2);
    for (let k = 0; k <= numNoise; k++) {
      const tag = k === 0 ? load<u32>(tags + (<usize>b << 2)) : load<u32>(noise + (<usize>(b * numNoise + k - 1) << 2));
      if (tag % T !== t) continue;
      const coefficient = v128.load32_splat(u + (<usize>k << 2));
      const at = dTags + <usize>tag * bytes;
      for (let c: usize = 0; c < bytes; c += 16) v128.store(at + c, madd(coefficient, v128.load(z + c), v128.load(at + c)));
    }
  }
}
