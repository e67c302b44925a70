// Small symmetric systems in double precision, where a call into the engine would cost more than the work: a = L Lᵀ and the
// solves with it. Matrices are (size, size) by rows; only what is left of the diagonal and on it is read or written.

/** The lower triangle becomes L. */
export function choleskyInPlace(a: Float64Array, size: number): void {
  if (!isFactorized(a, size))
    throw new RangeError('Got a matrix that is not positive definite when expected one that is.');
}

/** The same, but where the matrix is not positive definite it says so, and leaves it half done. */
export function isFactorized(a: Float64Array, size: number): boolean {
  for (let i = 0; i < size; i++) {
    const row = i * size;
    for (let j = 0; j <= i; j++) {
      const other = j * size;
      let sum = a[row + j];
      for (let k = 0; k < j; k++) sum -= a[row + k] * a[other + k];
      if (i > j) a[row + j] = sum / a[other + j];
      else if (sum > 0) a[row + i] = Math.sqrt(sum);
      else return false;
    }
  }
  return true;
}

/** x becomes L⁻¹ x. */
export function solveLower(l: Float64Array, x: Float64Array, size: number): void {
  for (let i = 0; i < size; i++) {
    let sum = x[i];
    for (let k = 0; k < i; k++) sum -= l[i * size + k] * x[k];
    x[i] = sum / l[i * size + i];
  }
}

/** x becomes L⁻ᵀ x. */
export function solveUpper(l: Float64Array, x: Float64Array, size: number): void {
  for (let i = size - 1; i >= 0; i--) {
    x[i] /= l[i * size + i];
    for (let k = 0; k < i; k++) x[k] -= l[i * size + k] * x[i];
  }
}
