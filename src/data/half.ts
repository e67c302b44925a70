// Numbers of 16 bits (IEEE 754 binary16): half the room of float32 for what needs no more than three digits.

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** Rounded to the closest half; a tie goes to the even one. Beyond ± 65,504 infinite. */
export function toHalf(value: number): number {
  float[0] = value;
  const all = bits[0];
  const sign = (all >>> 16) & 0x8000;
  const exponent = (all >>> 23) & 0xff;
  const fraction = all & 0x7fffff;
  if (exponent === 0xff) return sign | 0x7c00 | (fraction === 0 ? 0 : 0x200);
  if (exponent > 142) return sign | 0x7c00;
  if (exponent < 102) return sign; // less than half of the smallest
  if (exponent > 112) return sign | rounded(((exponent - 112) << 23) | fraction, 13);
  return sign | rounded(fraction | 0x800000, 126 - exponent); // below the smallest with a full fraction
}

/** Without the last bits; a carry goes into the exponent, where it belongs. */
function rounded(value: number, numBits: number): number {
  const kept = value >>> numBits;
  const rest = value & ((1 << numBits) - 1);
  const half = 1 << (numBits - 1);
  return rest > half || (rest === half && (kept & 1) === 1) ? kept + 1 : kept;
}

/** The number that each of the 65,536 bit patterns stands for; computed on first use. */
let meanings: Float32Array | undefined;

function meaningsOfHalves(): Float32Array {
  meanings ??= Float32Array.from({ length: 1 << 16 }, (_, half) => fromHalf(half));
  return meanings;
}

export function fromHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >>> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

export function toHalves(values: Float32Array): Uint16Array {
  const halves = new Uint16Array(values.length);
  for (let i = 0; i < values.length; i++) halves[i] = toHalf(values[i]);
  return halves;
}

export function fromHalves(halves: Uint16Array): Float32Array {
  const all = meaningsOfHalves();
  const values = new Float32Array(halves.length);
  for (let i = 0; i < halves.length; i++) values[i] = all[halves[i]];
  return values;
}

/** The numbers, rounded to what 16 bits can hold. */
export function asHalves(values: Float32Array): Float32Array {
  return fromHalves(toHalves(values));
}
