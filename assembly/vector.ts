// Four floats at a time: fused multiply-add where the build has it, sums across lanes, and the elementary functions.
// The functions follow Cephes' single precision routines (Moshier): reduce the argument, then one short polynomial.

/** a · b + c. With relaxed SIMD this is one fused instruction; both builds of one kind agree to the last bit. */
// @ts-ignore: decorator
@inline
export function madd(a: v128, b: v128, c: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_madd(a, b, c);
  return f32x4.add(c, f32x4.mul(a, b));
}

/** ((0 + 1) + (2 + 3)): the order is fixed, so the bytes are. */
// @ts-ignore: decorator
@inline
export function laneSum(x: v128): f32 {
  return (
    f32x4.extract_lane(x, 0) + f32x4.extract_lane(x, 1) + (f32x4.extract_lane(x, 2) + f32x4.extract_lane(x, 3))
  );
}

/** 2^n for whole n from −126 to 127. */
// @ts-ignore: decorator
@inline
function powerOfTwo(n: v128): v128 {
  return i32x4.shl(i32x4.add(n, i32x4.splat(127)), 23);
}

export function exp4(x: v128): v128 {
  // beyond these, the result is 0 or infinite whatever comes behind the point
  const bounded = f32x4.min(f32x4.max(x, f32x4.splat(-104)), f32x4.splat(89));
  const n = f32x4.nearest(f32x4.mul(bounded, f32x4.splat(1.44269504088896341)));
  // x − n · log 2, with log 2 in two parts so that nothing is lost
  let r = f32x4.sub(bounded, f32x4.mul(n, f32x4.splat(0.693359375)));
  r = f32x4.sub(r, f32x4.mul(n, f32x4.splat(-2.12194440e-4)));
  let p = f32x4.splat(1.9875691500e-4);
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.3981999507e-3));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(8.3334519073e-3));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(4.1665795894e-2));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.6666665459e-1));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(5.0000001201e-1));
  p = f32x4.add(f32x4.add(f32x4.mul(f32x4.mul(p, r), r), r), f32x4.splat(1));
  // scale in two steps: 2^n alone would leave the range of float32 before the result does
  const whole = i32x4.trunc_sat_f32x4_s(n);
  const half = i32x4.shr_s(whole, 1);
  return f32x4.mul(f32x4.mul(p, powerOfTwo(half)), powerOfTwo(i32x4.sub(whole, half)));
}

export function log4(x: v128): v128 {
  const tiny = f32x4.lt(x, f32x4.splat(1.17549435e-38));
  const scaled = v128.bitselect(f32x4.mul(x, f32x4.splat(8388608)), x, tiny);
  // x = m · 2^e with m in [0.5, 1)
  let e = i32x4.sub(i32x4.shr_u(scaled, 23), i32x4.splat(126));
  e = i32x4.sub(e, v128.and(tiny, i32x4.splat(23)));
  let m = v128.or(v128.and(scaled, i32x4.splat(0x007fffff)), i32x4.splat(0x3f000000));
  const low = f32x4.lt(m, f32x4.splat(0.707106781186547524));
  e = i32x4.add(e, low); // a true lane is −1
  m = f32x4.sub(f32x4.add(m, v128.and(m, low)), f32x4.splat(1));
  const z = f32x4.mul(m, m);
  let p = f32x4.splat(7.0376836292e-2);
  p = f32x4.add(f32x4.mul(p, m), f32x4.splat(-1.1514610310e-1));
  p = f32x4.add(f32x4.mul(p, m), f32x4.splat(1.1676998740e-1));
  p = f32x4.add(f32x4.mul(p, m), f32x4.splat(-1.2420140846e-1));
  p = f32x4.add(f32x4.mul(p, m), f32x4.splat(1.4249322787e-1));
  p = f32x4.add(f32x4.mul(p, m), f32x4.splat(-1.6668057665e-1));
  p = f32x4.add(f32x4.mul(p, m), f32x4.splat(2.0000714765e-1));
  p = f32x4.add(f32x4.mul(p, m), f32x4.splat(-2.4999993993e-1));
  p = f32x4.add(f32x4.mul(p, m), f32x4.splat(3.3333331174e-1));
  p = f32x4.mul(f32x4.mul(p, m), z);
  const exponent = f32x4.convert_i32x4_s(e);
  p = f32x4.add(p, f32x4.mul(exponent, f32x4.splat(-2.12194440e-4)));
  p = f32x4.sub(p, f32x4.mul(z, f32x4.splat(0.5)));
  let y = f32x4.add(f32x4.add(m, p), f32x4.mul(exponent, f32x4.splat(0.693359375)));
  // log ∞ = ∞, log 0 = −∞, log of a negative number or NaN is NaN
  const infinite = f32x4.splat(Infinity);
  y = v128.bitselect(infinite, y, f32x4.eq(x, infinite));
  y = v128.bitselect(f32x4.neg(infinite), y, f32x4.eq(x, f32x4.splat(0)));
  return v128.bitselect(f32x4.splat(NaN), y, v128.not(f32x4.ge(x, f32x4.splat(0))));
}

export function sigmoid4(x: v128): v128 {
  const one = f32x4.splat(1);
  return f32x4.div(one, f32x4.add(one, exp4(f32x4.neg(x))));
}

/** max(x, 0) + log(1 + e^−|x|) */
export function softplus4(x: v128): v128 {
  const u = exp4(f32x4.neg(f32x4.abs(x)));
  // log(1 + u) for small u: what rounding took from 1 + u is given back as a factor
  const w = f32x4.add(u, f32x4.splat(1));
  const lost = f32x4.sub(w, f32x4.splat(1));
  const exact = f32x4.mul(log4(w), f32x4.div(u, lost));
  const log1p = v128.bitselect(u, exact, f32x4.eq(lost, f32x4.splat(0)));
  return f32x4.add(f32x4.max(x, f32x4.splat(0)), log1p);
}

export function tanh4(x: v128): v128 {
  const size = f32x4.abs(x);
  const z = f32x4.mul(x, x);
  let p = f32x4.splat(-5.70498872745e-3);
  p = f32x4.add(f32x4.mul(p, z), f32x4.splat(2.06390887954e-2));
  p = f32x4.add(f32x4.mul(p, z), f32x4.splat(-5.37397155531e-2));
  p = f32x4.add(f32x4.mul(p, z), f32x4.splat(1.33314422036e-1));
  p = f32x4.add(f32x4.mul(p, z), f32x4.splat(-3.33332819422e-1));
  const small = f32x4.add(x, f32x4.mul(f32x4.mul(p, z), x));
  const one = f32x4.splat(1);
  const e = exp4(f32x4.add(size, size));
  const large = f32x4.sub(one, f32x4.div(f32x4.splat(2), f32x4.add(e, one)));
  const signed = v128.or(large, v128.and(x, i32x4.splat(0x80000000)));
  return v128.bitselect(small, signed, f32x4.lt(size, f32x4.splat(0.625)));
}
