// What a kernel must give, and how near: values in double precision with the size of their terms, and the comparison.
// Numbers below the smallest normal float32 may be flushed to zero: no comparison here forbids it.

/** A value, or a value with the size of the terms it was summed from, which rounding is in proportion to. */
export type Expected = number | readonly [value: number, scale: number];
export type ExpectedAt = (i: number, row: number, col: number) => Expected; // i = row · cols + col
export type Tolerance = number | ((row: number) => number);

export const EXACT = 0;
export const ELEMENT = 1e-6; // relative: a few units in the last place of float32
export const PRODUCT = 1e-5; // relative to the terms: sums in float32, in any order
const SMALLEST = 2 ** -126; // normal float32

export function expectNear(actual: Float32Array, cols: number, tolerance: Tolerance, expected: ExpectedAt): void {
  for (let i = 0; i < actual.length; i++) {
    const [row, col] = [Math.floor(i / cols), i % cols];
    const result = expected(i, row, col);
    const [value, scale] = typeof result === 'number' ? [result, Math.abs(result)] : result;
    const [got, want] = [actual[i], Math.fround(value)];
    const allowed = typeof tolerance === 'number' ? tolerance : tolerance(row);
    const slack = allowed === EXACT || !Number.isFinite(want) ? 0 : allowed * scale + SMALLEST;
    if (got === want || Object.is(got, want) || Math.abs(got - value) <= slack) continue;
    const place = `row ${row}, column ${col} of ${actual.length / cols} × ${cols}`;
    throw new Error(`Got ${got} in ${place} when expected ${value}.`);
  }
}

export function total(count: number, term: (i: number) => number): readonly [number, number] {
  let [value, scale] = [0, 0];
  for (let i = 0; i < count; i++) {
    const each = term(i);
    value += each;
    scale += Math.abs(each);
  }
  return [value, scale];
}

export function plus(a: Expected, b: number): readonly [number, number] {
  const [value, scale] = typeof a === 'number' ? [a, Math.abs(a)] : a;
  return [value + b, scale + Math.abs(b)];
}

export function times(factor: number, a: Expected): readonly [number, number] {
  const [value, scale] = typeof a === 'number' ? [a, Math.abs(a)] : a;
  return [factor * value, Math.abs(factor) * scale];
}

export function sameBytes(a: Float32Array | Int32Array, b: Float32Array | Int32Array): boolean {
  const [left, right] = [a, b].map((x) => Buffer.from(x.buffer, x.byteOffset, x.byteLength));
  return left.equals(right);
}
