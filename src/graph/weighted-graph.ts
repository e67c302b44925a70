// A sparse graph over one kind of node, row by row (CSR): the neighbours of node i stand at rowStart[i] to
// rowStart[i + 1], in ascending order, with their weights beside them.

export interface WeightedGraph {
  readonly numNodes: number;
  readonly rowStart: Int32Array; // (numNodes + 1)
  readonly columns: Int32Array; // (numEdges)
  readonly weights: Float32Array; // (numEdges)
}

/** Collects rows in order; grows as needed. */
export class GraphRows {
  readonly #rowStart: Int32Array;
  #columns = new Int32Array(1 << 12);
  #weights = new Float32Array(1 << 12);
  #numRows = 0;
  #numEdges = 0;

  constructor(numNodes: number) {
    this.#rowStart = new Int32Array(numNodes + 1);
  }

  add(column: number, weight: number): void {
    if (this.#numEdges === this.#columns.length) this.#grow();
    this.#columns[this.#numEdges] = column;
    this.#weights[this.#numEdges++] = weight;
  }

  endRow(): void {
    this.#rowStart[++this.#numRows] = this.#numEdges;
  }

  finish(): WeightedGraph {
    return {
      numNodes: this.#numRows,
      rowStart: this.#rowStart,
      columns: this.#columns.slice(0, this.#numEdges),
      weights: this.#weights.slice(0, this.#numEdges),
    };
  }

  #grow(): void {
    const columns = new Int32Array(this.#columns.length * 2);
    const weights = new Float32Array(columns.length);
    columns.set(this.#columns);
    weights.set(this.#weights);
    this.#columns = columns;
    this.#weights = weights;
  }
}
