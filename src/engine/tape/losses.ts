// The losses the tape can record whose kernels give loss and gradient in one pass.

import type { Kernels, NceOutputs } from '../kernels.ts';
import type { Dense, Ints } from '../matrix.ts';
import type { Operation, Tensor } from './recording.ts';

/** As the kernels' NceInputs, with embeddings that can be learnt. B pairs, K noise tags each. */
export interface NceTensors {
  readonly objectEmbeddings: Tensor; // (numObjects, d)
  readonly tagEmbeddings: Tensor; // (numTags, d)
  readonly objects: Ints; // (B)
  readonly tags: Ints; // (B)
  readonly noise: Ints; // (B · K)
  readonly offsets: Dense; // (1, numTags)
}

/** `slopes` (n × m) is scratch: d(loss of row) / d(logits of row), kept from forward to backward. */
export function softmaxCrossEntropy(k: Kernels, logits: Tensor, targets: Ints, slopes: Dense): Operation {
  if (targets.length !== logits.rows) {
    throw new Error(`Got ${targets.length} targets when expected ${logits.rows}, one for each row of the logits.`);
  }
  return {
    name: 'softmaxCrossEntropy',
    shape: [1, logits.rows],
    inputs: [logits],
    forward: (y) => k.softmaxCrossEntropy(y, slopes, logits.value, targets),
    backward: [({ dx, dy, accumulate }) => k.scaleRows(dx, slopes, dy, accumulate)],
  };
}

/** The mean over pairs. `allocate` makes what the kernel writes beside the gradients. */
export function nce(k: Kernels, tensors: NceTensors, allocate: (rows: number, cols: number) => Dense): Operation {
  const { objectEmbeddings, tagEmbeddings, objects, tags, noise } = tensors;
  const numNoise = noise.length / tags.length;
  if (objects.length !== tags.length || !Number.isInteger(numNoise)) {
    throw new Error(`Got ${objects.length} objects, ${tags.length} tags and ${noise.length} noise tags for nce.`);
  }
  const weight = 1 / tags.length;
  const inputs = { ...tensors, objectEmbeddings: objectEmbeddings.value, tagEmbeddings: tagEmbeddings.value };
  const out: NceOutputs = {
    losses: allocate(1, tags.length),
    coefficients: allocate(tags.length, numNoise + 1),
    // the kernel adds to both, so one that nobody asks for needs a place too
    dObjectEmbeddings: objectEmbeddings.gradient ?? allocate(objectEmbeddings.rows, objectEmbeddings.cols),
    dTagEmbeddings: tagEmbeddings.gradient ?? allocate(tagEmbeddings.rows, tagEmbeddings.cols),
  };
  const evaluate = (y: Dense, scale: number) => {
    k.nce(out, inputs, scale);
    k.sum(y, out.losses, weight);
  };
  return {
    name: 'nce',
    shape: [1, 1],
    inputs: [objectEmbeddings, tagEmbeddings],
    forward: (y) => evaluate(y, 0), // adds zeros: gradients stay as the last step left them
    backward: [],
    fused: (y, weightOfLoss, [accumulateObjects, accumulateTags]) => {
      if (!accumulateObjects) k.fill(out.dObjectEmbeddings, 0);
      if (!accumulateTags) k.fill(out.dTagEmbeddings, 0);
      evaluate(y, weight * weightOfLoss);
    },
  };
}
