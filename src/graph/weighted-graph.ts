// A sparse graph over one kind of node, row by row (CSR): the neighbours of node i stand at rowStart[i] to
// rowStart[i + 1], in ascending order, with their weights beside them.

export interface WeightedGraph {
  readonly numNodes: number;
  readonly rowStart: Int32Array; // (numNodes + 1)
  readonly columns: Int32Array; // (numEdges)
  readonly weights: Float32Array; // (numEdges)
}

const BLOCK_BITS = 16;
const BLOCK = 1 << BLOCK_BITS; // edges; blocks, not one doubling array, so that growing never needs a second copy

/** Collects rows in order. */
export class GraphRows {
  readonly #rowStart: Int32Array;
  readonly #columns: Int32Array[] = []; // blocks
  readonly #weights: Float32Array[] = [];
  #lastColumns = new Int32Array(0); // the block being filled
  #lastWeights = new Float32Array(0);
  #numRows = 0;
  #numEdges = 0;

  constructor(numNodes: number) {
    this.#rowStart = new Int32Array(numNodes + 1);
  }

  add(column: number, weight: number): void {
    const at = this.#numEdges++ & (BLOCK - 1);
    if (at === 0) this.#addBlock();
    this.#lastColumns[at] = column;
    this.#lastWeights[at] = weight;
  }

  endRow(): void {
    this.#rowStart[++this.#numRows] = this.#numEdges;
  }

  finish(): WeightedGraph {
    const columns = new Int32Array(this.#numEdges);
    const weights = new Float32Array(this.#numEdges);
    for (let block = 0; block < this.#columns.length; block++) {
      const size = Math.min(BLOCK, this.#numEdges - block * BLOCK);
      columns.set(this.#columns[block].subarray(0, size), block * BLOCK);
      weights.set(this.#weights[block].subarray(0, size), block * BLOCK);
    }
    return { numNodes: this.#numRows, rowStart: this.#rowStart, columns, weights };
  }

  /** With every edge in both directions, where each was added once, from the smaller to the larger node. */
  finishMirrored(): WeightedGraph {
    const numNodes = this.#numRows;
    const next = new Int32Array(numNodes + 1);
    for (let node = 0; node < numNodes; node++) next[node + 1] += this.#rowStart[node + 1] - this.#rowStart[node];
    for (let e = 0; e < this.#numEdges; e++) next[this.#columnAt(e) + 1]++;
    for (let node = 0; node < numNodes; node++) next[node + 1] += next[node];
    const rowStart = next.slice();
    const columns = new Int32Array(2 * this.#numEdges);
    const weights = new Float32Array(2 * this.#numEdges);
    // rows in ascending order fill the part left of the diagonal of later rows first, so that all rows end up sorted
    for (let node = 0; node < numNodes; node++) {
      for (let e = this.#rowStart[node]; e < this.#rowStart[node + 1]; e++) {
        const column = this.#columnAt(e);
        const [mine, theirs] = [next[node]++, next[column]++];
        columns[mine] = column;
        columns[theirs] = node;
        weights[mine] = weights[theirs] = this.#weights[e >>> BLOCK_BITS][e & (BLOCK - 1)];
      }
    }
    return { numNodes, rowStart, columns, weights };
  }

  #columnAt(edge: number): number {
    return this.#columns[edge >>> BLOCK_BITS][edge & (BLOCK - 1)];
  }

  #addBlock(): void {
    this.#lastColumns = new Int32Array(BLOCK);
    this.#lastWeights = new Float32Array(BLOCK);
    this.#columns.push(this.#lastColumns);
    this.#weights.push(this.#lastWeights);
  }
}
