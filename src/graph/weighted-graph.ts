// A sparse graph over one kind of node, row by row (CSR): the neighbours of node i stand at rowStart[i] to
// rowStart[i + 1], in ascending order, with their weights beside them.

export interface WeightedGraph {
  readonly numNodes: number;
  readonly rowStart: Int32Array; // (numNodes + 1)
  readonly columns: Int32Array; // (numEdges)
  readonly weights: Float32Array; // (numEdges)
}

/** The graph with every edge in both directions, from one that has each edge once, from the smaller to the larger node. */
export function mirrored(upper: WeightedGraph): WeightedGraph {
  const { numNodes, rowStart, columns, weights } = upper;
  const next = new Int32Array(numNodes + 1);
  for (let node = 0; node < numNodes; node++) next[node + 1] += rowStart[node + 1] - rowStart[node];
  for (const column of columns) next[column + 1]++;
  for (let node = 0; node < numNodes; node++) next[node + 1] += next[node];
  const starts = next.slice();
  const both = { columns: new Int32Array(2 * columns.length), weights: new Float32Array(2 * columns.length) };
  // rows in ascending order fill the part left of the diagonal of later rows first, so that all rows end up sorted
  for (let node = 0; node < numNodes; node++) {
    for (let e = rowStart[node]; e < rowStart[node + 1]; e++) {
      const [mine, theirs] = [next[node]++, next[columns[e]]++];
      both.columns[mine] = columns[e];
      both.columns[theirs] = node;
      both.weights[mine] = both.weights[theirs] = weights[e];
    }
  }
  return { numNodes, rowStart: starts, ...both };
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
