// The losses on the GPU, and sums by row, which their gradients go by.
//
// Softmax cross-entropy goes over rows. For noise-contrastive estimation every pair is taken by
// a team of 16 invocations, which share the columns of its dot products and then, one each, its logits; gradients are
// summed by object and by tag over segments of pairs in their order, so that they are the same bytes every time.

import type { NceInputs, NceOutputs } from '../kernels.ts';
import type { Dense, Ints } from '../matrix.ts';
import type { Block } from './buffers.ts';
import { FILL } from './elementwise.ts';
import type { GpuStorage, Kept } from './gpu-storage.ts';
import { segmentsOf } from './segments.ts';
import { MAIN, shader, WORKGROUP } from './shader.ts';
import { addSegments } from './spmm.ts';
import { FUNCTIONS } from './wgsl-functions.ts';

const TEAM = 16; // invocations that share a pair
const PAIR_LANES = 128; // of a workgroup that takes pairs
const TEAMS = PAIR_LANES / TEAM;

/** The tag of a logit: the first is the observed one. */
const TAG_OF_LOGIT = `
fn tagOfLogit(pair: u32, k: u32) -> u32 {
  if (k == 0u) { return tags[pair]; }
  return noise[pair * (params.numLogits - 1u) + k - 1u];
}`;

const SOFTMAX = shader({
  name: 'softmaxCrossEntropy',
  params: { rows: 'u32', cols: 'u32', stride: 'u32', firstRow: 'u32' },
  buffers: { losses: 'write f32', dLogits: 'write f32', logits: 'read f32', targets: 'read u32' },
  code: `${FUNCTIONS}
var<workgroup> pool: array<f32, ${WORKGROUP}>;
${MAIN()}
  if (group >= params.rows) { return; }
  let first = group * params.stride;
  var largest = logits[first];
  for (var c = lane; c < params.cols; c += ${WORKGROUP}u) { largest = max(largest, logits[first + c]); }
  pool[lane] = largest;
  for (var step = ${WORKGROUP / 2}u; step > 0u; step >>= 1u) {
    workgroupBarrier();
    if (lane < step) { pool[lane] = max(pool[lane], pool[lane + step]); }
  }
  workgroupBarrier();
  largest = pool[0];
  workgroupBarrier();
  var sum = 0.0;
  for (var c = lane; c < params.cols; c += ${WORKGROUP}u) { sum += exact_exp(logits[first + c] - largest); }
  pool[lane] = sum;
  for (var step = ${WORKGROUP / 2}u; step > 0u; step >>= 1u) {
    workgroupBarrier();
    if (lane < step) { pool[lane] += pool[lane + step]; }
  }
  workgroupBarrier();
  let total = pool[0];
  let row = params.firstRow + group;
  let goal = targets[row];
  for (var c = lane; c < params.cols; c += ${WORKGROUP}u) {
    dLogits[first + c] = exact_exp(logits[first + c] - largest) / total - select(0.0, 1.0, c == goal);
  }
  if (lane == 0u) { losses[row] = exact_log(total) - (logits[first + goal] - largest); }
}`,
});

/** Losses and d(loss) / d(logit) of every logit, for the pairs whose object can be seen. */
const NCE_PAIRS = shader({
  name: 'nce pairs',
  params: {
    pairs: 'u32',
    numLogits: 'u32',
    stride4: 'u32',
    strideCoefficients: 'u32',
    firstObject: 'u32',
    numObjects: 'u32',
    scale: 'f32',
  },
  buffers: {
    losses: 'write f32',
    coefficients: 'write f32',
    objectEmbeddings: 'read vec4<f32>',
    tagEmbeddings: 'read vec4<f32>',
    objects: 'read u32',
    tags: 'read u32',
    noise: 'read u32',
    offsets: 'read f32',
  },
  code: `${FUNCTIONS}
var<workgroup> parts: array<f32, ${PAIR_LANES * TEAM}>; // by team, logit and invocation
var<workgroup> sums: array<f32, ${PAIR_LANES}>;
var<workgroup> ids: array<u32, ${PAIR_LANES}>; // by team and logit: its tag
${TAG_OF_LOGIT}
${MAIN(PAIR_LANES)}
  let team = lane / ${TEAM}u;
  let place = lane % ${TEAM}u;
  let pair = min(group * ${TEAMS}u + team, params.pairs - 1u);
  let object = objects[pair] - params.firstObject;
  let isMine = group * ${TEAMS}u + team < params.pairs && object < params.numObjects;
  let source = min(object, params.numObjects - 1u) * params.stride4;
  var loss = 0.0;
  // sixteen logits at a time
  for (var first = 0u; first < params.numLogits; first += ${TEAM}u) {
    let count = min(${TEAM}u, params.numLogits - first);
    // every invocation looks up one tag, so that no dot product waits for it
    let tag = tagOfLogit(pair, first + min(place, count - 1u));
    ids[lane] = tag;
    workgroupBarrier();
    for (var k = 0u; k < count; k++) {
      let to = ids[team * ${TEAM}u + k] * params.stride4;
      var sum = vec4<f32>();
      for (var c = place; c < params.stride4; c += ${TEAM}u) {
        sum = fma(objectEmbeddings[source + c], tagEmbeddings[to + c], sum);
      }
      // turned by k, so that below no two invocations meet on one bank
      parts[(team * ${TEAM}u + k) * ${TEAM}u + (place + k) % ${TEAM}u] = (sum.x + sum.y) + (sum.z + sum.w);
    }
    workgroupBarrier();
    if (place < count) {
      var logit = offsets[tag];
      for (var i = 0u; i < ${TEAM}u; i++) { logit += parts[lane * ${TEAM}u + (i + place) % ${TEAM}u]; }
      let isObserved = first + place == 0u;
      loss += softplus(select(logit, -logit, isObserved));
      let slope = params.scale * select(sigmoid(logit), -sigmoid(-logit), isObserved);
      if (isMine) { coefficients[pair * params.strideCoefficients + first + place] = slope; }
    }
    workgroupBarrier();
  }
  sums[lane] = loss;
  for (var step = ${TEAM / 2}u; step > 0u; step >>= 1u) {
    workgroupBarrier();
    if (place < step) { sums[lane] += sums[lane + step]; }
  }
  if (place == 0u && isMine) { losses[pair] = sums[lane]; }
}`,
});

const LANES = 64; // invocations that sum what belongs to an object: four teams

/**
 * out[object] += Σ slope · z_t over the logits of its pairs. Pairs are few for an object, so that a workgroup takes some
 * objects, and its teams share the logits of their pairs.
 */
const NCE_OBJECTS = shader({
  name: 'nce objects',
  params: {
    numKeys: 'u32',
    keysEach: 'u32',
    firstKey: 'u32',
    stride4: 'u32',
    numLogits: 'u32',
    strideCoefficients: 'u32',
  },
  buffers: {
    out: 'write vec4<f32>',
    tagEmbeddings: 'read vec4<f32>',
    coefficients: 'read f32',
    tags: 'read u32',
    noise: 'read u32',
    starts: 'read u32',
    ends: 'read u32',
    ordered: 'read u32',
  },
  code: `${TAG_OF_LOGIT}
var<workgroup> sums: array<vec4<f32>, ${LANES}>;
${MAIN(LANES)}
  let team = lane / ${TEAM}u;
  let end = min(params.numKeys, (group + 1u) * params.keysEach);
  for (var key = group * params.keysEach; key < end; key++) {
    let first = starts[params.firstKey + key];
    let count = (ends[params.firstKey + key] - first) * params.numLogits;
    if (count == 0u) { continue; }
    for (var column = 0u; column < params.stride4; column += ${TEAM}u) {
      let c = column + lane % ${TEAM}u;
      var sum = vec4<f32>();
      if (c < params.stride4) {
        for (var i = team; i < count; i += ${LANES / TEAM}u) {
          let pair = ordered[first + i / params.numLogits];
          let k = i % params.numLogits;
          let slope = coefficients[pair * params.strideCoefficients + k];
          sum = fma(vec4<f32>(slope), tagEmbeddings[tagOfLogit(pair, k) * params.stride4 + c], sum);
        }
      }
      sums[lane] = sum;
      for (var step = ${LANES / 2}u; step >= ${TEAM}u; step >>= 1u) {
        workgroupBarrier();
        if (lane < step) { sums[lane] += sums[lane + step]; }
      }
      if (lane < ${TEAM}u && c < params.stride4) {
        let at = key * params.stride4 + c;
        out[at] = out[at] + sums[lane];
      }
      workgroupBarrier();
    }
  }
}`,
});

/** What the gradient of tags is summed from, in the order of the tags: for each logit its slope and its object. */
const NCE_ENTRIES = shader({
  name: 'nce entries',
  params: { count: 'u32', pairs: 'u32', numNoise: 'u32', strideCoefficients: 'u32' },
  buffers: {
    rows: 'write u32',
    slopes: 'write f32',
    coefficients: 'read f32',
    objects: 'read u32',
    ordered: 'read u32',
  },
  code: `${MAIN()}
  let i = group * ${WORKGROUP}u + lane;
  if (i >= params.count) { return; }
  // places of pairs come first, then those of observed tags, then noise
  let place = ordered[params.pairs + i];
  var pair = place;
  var k = 0u;
  if (place >= params.pairs) {
    pair = (place - params.pairs) / params.numNoise;
    k = 1u + (place - params.pairs) % params.numNoise;
  }
  rows[i] = objects[pair];
  slopes[i] = coefficients[pair * params.strideCoefficients + k];
}`,
});

const MANY_GROUPS = 1 << 15; // workgroups: with more keys than these, each takes several

export function softmaxCrossEntropy(
  gpu: GpuStorage,
  losses: Dense,
  dLogits: Dense,
  logits: Dense,
  targets: Ints,
): void {
  gpu.eachPart(logits, ({ firstRow, rows, of }) => {
    const params = { rows, cols: logits.cols, stride: logits.stride, firstRow };
    const outputs = { losses: gpu.block(losses), dLogits: of(dLogits) };
    gpu.queue.run(SOFTMAX, params, { ...outputs, logits: of(logits), targets: gpu.block(targets) }, rows);
  });
}

/** out[rows[i]] += x[i] */
export function scatterAdd(gpu: GpuStorage, out: Dense, rows: Ints, x: Dense): void {
  if (rows.length === 0) return;
  const segments = segmentsOf(gpu, { lists: [rows], numKeys: out.rows });
  const ones = gpu.kept(rows, 'ones', () => new Ones(gpu, rows.length));
  addSegments(gpu, segments, out, x, { columns: segments.ordered, values: ones.block });
}

export function nce(gpu: GpuStorage, out: NceOutputs, inputs: NceInputs, scale: number): void {
  const { objectEmbeddings, tagEmbeddings } = inputs;
  const { dObjectEmbeddings, dTagEmbeddings } = out;
  const [pairs, numLogits, stride4] = [inputs.objects.length, out.coefficients.cols, objectEmbeddings.stride / 4];
  if (pairs === 0) return;
  const strideCoefficients = out.coefficients.stride;
  const [losses, coefficients, z] = [out.losses, out.coefficients, tagEmbeddings].map((x) => gpu.block(x));
  const [objects, tags, noise] = [inputs.objects, inputs.tags, inputs.noise].map((list) => gpu.block(list));
  const segments = segmentsOf(gpu, {
    first: { list: inputs.objects, numKeys: objectEmbeddings.rows },
    lists: [inputs.tags, inputs.noise],
    numKeys: tagEmbeddings.rows,
  });
  const { starts, ends, ordered } = segments;

  gpu.eachPart(objectEmbeddings, ({ firstRow, rows, of }) => {
    const params = { pairs, numLogits, stride4, strideCoefficients, firstObject: firstRow, numObjects: rows, scale };
    const from = { objectEmbeddings: of(objectEmbeddings), tagEmbeddings: z, offsets: gpu.block(inputs.offsets) };
    const blocks = { losses, coefficients, ...from, objects, tags, noise };
    gpu.queue.run(NCE_PAIRS, params, blocks, Math.ceil(pairs / TEAMS));
  });
  gpu.eachPart(dObjectEmbeddings, ({ firstRow, rows: numKeys, of }) => {
    const keysEach = Math.max(1, Math.min(64, Math.ceil(numKeys / MANY_GROUPS)));
    const params = { numKeys, keysEach, firstKey: firstRow, stride4, numLogits, strideCoefficients };
    const blocks = { out: of(dObjectEmbeddings), tagEmbeddings: z, coefficients, tags, noise, starts, ends, ordered };
    gpu.queue.run(NCE_OBJECTS, params, blocks, Math.ceil(numKeys / keysEach));
  });
  const count = segments.numPlaces;
  gpu.withScratch([4 * count, 4 * count], (rows, slopes) => {
    const params = { count, pairs, numNoise: Math.max(1, numLogits - 1), strideCoefficients };
    const blocks = { rows, slopes, coefficients, objects, ordered };
    gpu.queue.run(NCE_ENTRIES, params, blocks, Math.ceil(count / WORKGROUP));
    addSegments(gpu, segments, dTagEmbeddings, objectEmbeddings, { columns: rows, values: slopes });
  });
}

/** Ones, as weights of a sum without. */
class Ones implements Kept {
  readonly block: Block;
  readonly #gpu: GpuStorage;

  constructor(gpu: GpuStorage, length: number) {
    this.#gpu = gpu;
    this.block = gpu.scratch(4 * length);
    const count = Math.ceil(length / 4);
    const params = { count, cols: 4, stride: 4, value: 1 };
    gpu.queue.run(FILL, params, { out: this.block }, Math.ceil(count / WORKGROUP));
  }

  release(): void {
    this.#gpu.queue.buffers.release(this.block);
  }
}
