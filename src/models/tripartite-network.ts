// What the graph networks over the tripartite graph have in common (lightgcn.ts, ngcf.ts, gcmc.ts). Each is a function
// that records its formula on a tape: from a vector for each node to vectors for objects and tags, which meet in dot
// products. Vectors of several layers stand side by side, and a dot product of such is the sum of those of the layers.

import type { Csr, Ints } from '../engine/matrix.ts';
import type { Tape, Tensor } from '../engine/tape.ts';

/** What a network is recorded on. Nodes are those of graph/tripartite.ts. */
export interface NetworkInputs {
  readonly tape: Tape;
  /** Normalised and symmetric. */
  readonly adjacency: Csr; // (numNodes, numNodes)
  /** Which nodes are the objects, and which the tags. */
  readonly nodes: { readonly objects: Ints; readonly tags: Ints };
  /** Of dropout. */
  readonly seed: number;
}

/** Objects and tags of one layer; their widths are equal. */
export interface Layer {
  readonly objects: Tensor; // (numObjects, d)
  readonly tags: Tensor; // (numTags, d)
}

export interface Network {
  readonly parameters: readonly Tensor[];
  /** score(o, t) = Σ over layers of objects[o] · tags[t] */
  readonly layers: readonly Layer[];
  /** Whose vectors are to be kept short. */
  readonly penalized: readonly Layer[];
}

/** Objects and tags among all nodes. */
export function layerOf({ tape, nodes }: NetworkInputs, x: Tensor): Layer {
  return { objects: tape.gather(x, nodes.objects), tags: tape.gather(x, nodes.tags) };
}

/** Sets all numbers of some nodes to zero, at random and others each step, and scales up the rest. */
export function dropNodes(tape: Tape, x: Tensor, rate: number, key: number): Tensor {
  if (rate === 0) return x;
  const ones = tape.exp(tape.constant(1, x.rows));
  return tape.scaleRows(x, tape.dropout(ones, rate, key));
}

/** Pairs of objects and tags, and to each pair a tag its object lacks. */
export interface Triples {
  readonly objects: Ints; // (B)
  readonly tags: Ints; // (B)
  readonly lacking: Ints; // (B)
}

/** Bayesian personalised ranking (Rendle et al., UAI 2009): the mean of − log σ(score(o, tag) − score(o, lacking)). */
export function bprLoss(tape: Tape, layers: readonly Layer[], { objects, tags, lacking }: Triples): Tensor {
  const margins = layers.map((layer) => {
    const behind = tape.sub(tape.gather(layer.tags, lacking), tape.gather(layer.tags, tags));
    return tape.rowDot(tape.gather(layer.objects, objects), behind);
  });
  return tape.mean(tape.softplus(margins.reduce((sum, margin) => tape.add(sum, margin))));
}

/** The mean of − log σ(score(o, tag)) − log σ(− score(o, lacking)), over one layer. */
export function logisticLoss(tape: Tape, layer: Layer, { objects, tags, lacking }: Triples): Tensor {
  const offsets = tape.constant(1, layer.tags.rows).value; // zeros
  const embeddings = { objectEmbeddings: layer.objects, tagEmbeddings: layer.tags };
  return tape.nce({ ...embeddings, objects, tags, noise: lacking, offsets });
}

/** Half the sum of squared lengths of all vectors in a triple, in the mean. */
export function squaredLengths(tape: Tape, layers: readonly Layer[], { objects, tags, lacking }: Triples): Tensor {
  const taken = layers.flatMap((layer) => [
    tape.gather(layer.objects, objects),
    tape.gather(layer.tags, tags),
    tape.gather(layer.tags, lacking),
  ]);
  const sums = taken.map((x) => tape.sum(tape.mul(x, x)));
  return tape.scale(
    sums.reduce((total, sum) => tape.add(total, sum)),
    0.5 / objects.length,
  );
}
