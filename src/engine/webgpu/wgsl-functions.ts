// Functions in WGSL that several kernels share: the elementary functions, random numbers, padding. The elementary ones built in may be wrong in the last four digits and need not know NaN; these follow
// Cephes' single precision routines (Moshier) as assembly/vector.ts does: reduce the argument, then one short polynomial.

export const FUNCTIONS = `
fn isNan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

// not a constant: WGSL knows none that is not a number
fn notANumber() -> f32 { var bits = 0x7fc00000u; return bitcast<f32>(bits); }
fn minusInfinity() -> f32 { var bits = 0xff800000u; return bitcast<f32>(bits); }

fn powerOfTwo(n: i32) -> f32 { return bitcast<f32>(u32(n + 127) << 23u); }

fn exact_exp(x: f32) -> f32 {
  if (isNan(x)) { return x; }
  // beyond these, the result is 0 or infinite whatever comes behind the point
  let bounded = clamp(x, -104.0, 89.0);
  let n = round(bounded * 1.44269504088896341);
  // x − n · log 2, with log 2 in two parts so that nothing is lost
  let r = fma(n, 2.12194440e-4, fma(n, -0.693359375, bounded));
  var p = 1.9875691500e-4;
  p = fma(p, r, 1.3981999507e-3);
  p = fma(p, r, 8.3334519073e-3);
  p = fma(p, r, 4.1665795894e-2);
  p = fma(p, r, 1.6666665459e-1);
  p = fma(p, r, 5.0000001201e-1);
  p = fma(p * r, r, r) + 1.0;
  // scale in two steps: 2^n alone would leave the range of float32 before the result does
  let whole = i32(n);
  let half = whole >> 1u;
  return (p * powerOfTwo(half)) * powerOfTwo(whole - half);
}

fn exact_log(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  if (isNan(x) || (bits >= 0x80800000u)) { return notANumber(); }
  if (bits == 0x7f800000u) { return x; }
  if ((bits & 0x7fffffffu) < 0x00800000u) { return logOfTiny(bits); }
  return logOfNormal(bits, 0.0);
}

// zeros, and numbers below the smallest normal one, whose bits are a whole number times 2^−149
fn logOfTiny(bits: u32) -> f32 {
  if ((bits & 0x7fffffffu) == 0u) { return minusInfinity(); }
  if (bits >= 0x80000000u) { return notANumber(); }
  return logOfNormal(bitcast<u32>(f32(bits)), -149.0);
}

// log(x · 2^shift) by x = m · 2^e with m from √½ to √2
fn logOfNormal(bits: u32, shift: f32) -> f32 {
  var exponent = f32(i32(bits >> 23u) - 126) + shift;
  var m = bitcast<f32>((bits & 0x007fffffu) | 0x3f000000u);
  if (m < 0.707106781186547524) {
    exponent = exponent - 1.0;
    m = m + m;
  }
  m = m - 1.0;
  let z = m * m;
  var p = 7.0376836292e-2;
  p = fma(p, m, -1.1514610310e-1);
  p = fma(p, m, 1.1676998740e-1);
  p = fma(p, m, -1.2420140846e-1);
  p = fma(p, m, 1.4249322787e-1);
  p = fma(p, m, -1.6668057665e-1);
  p = fma(p, m, 2.0000714765e-1);
  p = fma(p, m, -2.4999993993e-1);
  p = fma(p, m, 3.3333331174e-1);
  p = (p * m) * z;
  p = fma(exponent, -2.12194440e-4, p);
  p = fma(z, -0.5, p);
  return fma(exponent, 0.693359375, m + p);
}

fn sigmoid(x: f32) -> f32 { return 1.0 / (1.0 + exact_exp(-x)); }

// max(x, 0) + log(1 + u), u = e^−|x|, where log(1 + u) = 2 artanh(u / (2 + u))
fn softplus(x: f32) -> f32 {
  if (isNan(x)) { return x; }
  let u = exact_exp(-abs(x));
  let t = u / (1.0 + 0.5 * u); // twice the argument, so that it is never below the smallest normal number before the result is
  let z = 0.25 * t * t;
  var p = 1.0 / 17.0;
  p = fma(p, z, 1.0 / 15.0);
  p = fma(p, z, 1.0 / 13.0);
  p = fma(p, z, 1.0 / 11.0);
  p = fma(p, z, 1.0 / 9.0);
  p = fma(p, z, 1.0 / 7.0);
  p = fma(p, z, 1.0 / 5.0);
  p = fma(p, z, 1.0 / 3.0);
  return max(x, 0.0) + fma(p * z, t, t);
}

fn exact_tanh(x: f32) -> f32 {
  if (isNan(x)) { return x; }
  let size = abs(x);
  if (size >= 0.625) {
    let large = 1.0 - 2.0 / (exact_exp(size + size) + 1.0);
    return select(large, -large, x < 0.0);
  }
  let z = x * x;
  var p = -5.70498872745e-3;
  p = fma(p, z, 2.06390887954e-2);
  p = fma(p, z, -5.37397155531e-2);
  p = fma(p, z, 1.33314422036e-1);
  p = fma(p, z, -3.33332819422e-1);
  return fma(p * z, x, x);
}
`;

/** Threefry-2x32, 20 rounds: both words of block (counter0, counter1), as in src/random.ts. */
export const THREEFRY = `
fn turn(x: u32, by: u32) -> u32 { return (x << by) | (x >> (32u - by)); }

fn threefry(key0: u32, key1: u32, counter0: u32, counter1: u32) -> vec2<u32> {
  let keys = array<u32, 3>(key0, key1, 0x1bd11bdau ^ key0 ^ key1);
  let turns = array<vec4<u32>, 2>(vec4<u32>(13u, 15u, 26u, 6u), vec4<u32>(17u, 29u, 16u, 24u));
  var x0 = counter0 + key0;
  var x1 = counter1 + key1;
  for (var part = 0u; part < 5u; part++) {
    let by = turns[part & 1u];
    x0 += x1; x1 = turn(x1, by.x) ^ x0;
    x0 += x1; x1 = turn(x1, by.y) ^ x0;
    x0 += x1; x1 = turn(x1, by.z) ^ x0;
    x0 += x1; x1 = turn(x1, by.w) ^ x0;
    x0 += keys[(part + 1u) % 3u];
    x1 += keys[(part + 2u) % 3u] + part + 1u;
  }
  return vec2<u32>(x0, x1);
}`;

/** Keeps what lies before column `cols`. */
export const WITHOUT_PADDING = `
fn withoutPadding(value: vec4<f32>, column: u32, cols: u32) -> vec4<f32> {
  let columns = vec4<u32>(column, column + 1u, column + 2u, column + 3u);
  return select(vec4<f32>(), value, columns < vec4<u32>(cols));
}`;
