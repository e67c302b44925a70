// How the reference sees matrices: plain typed arrays. Everything in this folder is the specification of a kernel,
// written to be read: no blocking, no unrolling, sums in double precision where the loop holds one.

export interface DenseView {
  readonly data: Float32Array; // (rows, stride), row-major
  readonly rows: number;
  readonly cols: number;
  readonly stride: number;
}

export interface CsrView {
  readonly rows: number;
  readonly cols: number;
  readonly rowStart: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float32Array;
}
