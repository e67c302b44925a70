// Solves A x = b for a symmetric positive definite A that is known by its products alone (Hestenes and Stiefel, 1952). Where A is the
// identity and a little more, a few products are enough.

import { dot } from './dense.ts';

const TOLERANCE = 1e-6; // of the length of b

/** `times(x)` is A x, a fresh array. At most `maxProducts` products are asked for. */
export function conjugateGradients(
  times: (x: Float64Array) => Float64Array,
  b: Float64Array,
  maxProducts: number,
): Float64Array {
  const x = new Float64Array(b.length);
  const residual = b.slice();
  const direction = b.slice();
  let square = dot(residual, residual);
  const enough = TOLERANCE ** 2 * square;
  for (let i = 0; i < maxProducts && square > enough; i++) {
    const product = times(direction);
    const step = square / dot(direction, product);
    for (let k = 0; k < x.length; k++) {
      x[k] += step * direction[k];
      residual[k] -= step * product[k];
    }
    const next = dot(residual, residual);
    for (let k = 0; k < x.length; k++) direction[k] = residual[k] + (next / square) * direction[k];
    square = next;
  }
  return x;
}
