// The GPU backend at the sizes of real data sets: kernels against what the device's memory can stream, and whole steps of DGE.
//   node bench/gpu.mjs [--small] [--only TEXT] [--profile] [--huge] [--software] [--json FILE] [--dist FOLDER] [--webgpu FOLDER]
// Needs `npm run build` and the package `webgpu`. Times are medians of rounds; a round submits many calls and waits once.
// --small: tiny sizes, to see that it runs. --profile: what each kernel of a step takes, by the device's own clock.
// --software: an adapter that computes on the processor will do.
// --huge: steps on a graph of 10 M objects and 640 M edges, which takes 40 GB of a GPU's memory.

import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
    dist: { type: 'string', default: fileURLToPath(new URL('../dist', import.meta.url)) },
    webgpu: { type: 'string' },
    profile: { type: 'boolean', default: false },
    huge: { type: 'boolean', default: false },
    software: { type: 'boolean', default: false },
  },
});
const load = (file) => import(pathToFileURL(resolve(options.dist, file)).href);
const { openWebGpu } = await load('engine/webgpu/web-gpu-kernels.js');
const { Tape } = await load('engine/tape/tape.js');
const { Adam } = await load('engine/tape/adam.js');
const { Dge } = await load('models/dge.js');
const { Noise } = await load('training/noise.js');
const { Random } = await load('random.js');

const scale = options.small ? 0.01 : 1;
const sized = (count) => Math.max(64, Math.round(count * scale));
const ROUNDS = options.small ? 3 : 7;
const ROUND_MS = options.small ? 5 : 100;
const SETTINGS = { learningRate: 2e-3, beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };

const loadGpu = async () => {
  const name = options.webgpu === undefined ? 'webgpu' : pathToFileURL(resolve(options.webgpu, 'index.js')).href;
  const { create } = await import(name);
  return create(['disable-dawn-features=timestamp_quantization']);
};
const kernels = await openWebGpu({ load: loadGpu, software: options.software });
if (typeof kernels === 'string') fail(kernels);
const probe = kernels.dense(1, 1);
const wait = () => kernels.read(probe);
const report = [];
let streamed; // GB/s

console.log(
  `${kernels.name}, ${kernels.queue.device.adapterInfo?.driver ?? ''} node ${process.version}, ${cpus()[0].model}`,
);
streamed = await streaming();
for (const measure of options.huge ? [huge] : [sparse, gemms, elementwise, ranking, step, inverses]) {
  if (measure.name.includes(options.only)) await measure();
}
printTable();
if (options.json !== undefined)
  writeFileSync(options.json, JSON.stringify({ device: kernels.name, report }, undefined, 1));
kernels.close();

/** Bytes moved by out = a + b on matrices too large for any cache: what other kernels are compared with. */
async function streaming() {
  const [rows, cols] = [sized(4 << 20), 64];
  const [a, b, out] = [1, 2, 3].map(() => kernels.dense(rows, cols));
  kernels.fill(a, 1);
  kernels.fill(b, 2);
  const bytes = 3 * rows * cols * 4;
  const ms = await time(() => kernels.add(out, a, b));
  kernels.release(a, b, out);
  note({ name: 'streaming (out = a + b)', ms, bytes });
  return bytes / ms / 1e6; // GB/s
}

async function sparse() {
  await sparseCase('Last.fm objects', sized(17_632), sized(4_600_000), 64);
  await sparseCase('Last.fm tags', sized(9_749), sized(900_000), 64);
  await sparseCase('1 M rows', sized(1_000_000), sized(64_000_000), 64);
}

/** `bytes` counts entries, rows and the result once, and of x every row it reads; `least` counts x once, too. */
async function sparseCase(name, size, entries, width) {
  const arrays = randomGraph(size, entries, 1);
  const count = arrays.columns.length;
  const a = kernels.sparse(size, size, arrays);
  const x = randomDense(size, width);
  const out = kernels.dense(size, width);
  const rest = 8 * count + 4 * (size + 1) + 4 * size * width;
  const facts = { bytes: rest + 4 * count * width, least: rest + 4 * size * width, flops: 2 * count * width };
  note({
    name: `CSR × dense, ${name}, ${count} entries, width ${width}`,
    ms: await time(() => kernels.spmm(out, a, x)),
    ...facts,
  });
  if (size < 1e5) {
    const ms = await time(() => kernels.spmmTransposed(out, a, x));
    note({ name: `  its transposed`, ms, ...facts });
  }
  kernels.release(a, x, out);
}

async function gemms() {
  await gemmCase(sized(17_632), 64, 64);
  await gemmCase(64, 64, sized(17_632), { transposeA: true });
  await gemmCase(sized(17_632), 64, 64, { transposeB: true });
  const n = options.small ? 100 : 4096;
  await gemmCase(n, n, n);
  await gemmCase(n, n, n, { transposeA: true });
  await gemmCase(n, n, n, { transposeB: true });
  await gemmCase(options.small ? 100 : 12_500, options.small ? 100 : 12_500, 64, {
    transposeB: true,
    accumulate: true,
  });
}

async function gemmCase(rows, cols, depth, how = {}) {
  const a = how.transposeA ? randomDense(depth, rows) : randomDense(rows, depth);
  const b = how.transposeB ? randomDense(cols, depth) : randomDense(depth, cols);
  const out = kernels.dense(rows, cols);
  const ms = await time(() => kernels.gemm(out, a, b, how));
  const kind = `${how.transposeA ? 'Aᵀ' : 'A'}·${how.transposeB ? 'Bᵀ' : 'B'}`;
  const bytes = 4 * (rows * depth + depth * cols + rows * cols * (how.accumulate ? 2 : 1));
  note({ name: `GEMM ${kind}, ${rows} × ${depth} × ${cols}`, ms, bytes, flops: 2 * rows * cols * depth });
  kernels.release(a, b, out);
}

async function elementwise() {
  const [rows, cols] = [sized(1_000_000), 64];
  const [x, out] = [randomDense(rows, cols), kernels.dense(rows, cols)];
  for (const operation of ['relu', 'exp', 'softplus']) {
    note({
      name: `${operation}, ${rows} × ${cols}`,
      ms: await time(() => kernels.unary(out, operation, x)),
      bytes: 8 * rows * cols,
    });
  }
  const [mean, variance] = [kernels.dense(rows, cols), kernels.dense(rows, cols)];
  const state = { weights: out, gradient: x, mean, variance };
  const ms = await time(() => kernels.adam(state, { ...SETTINGS, step: 3 }));
  note({ name: `adam, ${rows} × ${cols}`, ms, bytes: 28 * rows * cols });
  kernels.release(x, out, mean, variance);
}

async function ranking() {
  const [rows, cols] = [sized(2_000), options.small ? 1000 : 9_749];
  const [x, ids] = [randomDense(rows, cols), kernels.ints(rows * 10)];
  note({
    name: `topK, ${rows} × ${cols}, k = 10`,
    ms: await time(() => kernels.topK(ids, x, 10)),
    bytes: 4 * rows * cols,
  });
  kernels.release(x, ids);
}

async function inverses() {
  for (const size of options.small ? [200] : [2_500, 12_500]) {
    const [a, entries] = [kernels.dense(size, size), new Float32Array(size * size)];
    const random = new Random(3, 'bench symmetric');
    for (let i = 0; i < entries.length; i++) entries[i] = random.float() - 0.5;
    for (let i = 0; i < size; i++) entries[i * size + i] = size; // dominant: positive definite
    const original = kernels.dense(size, size);
    kernels.write(original, entries);
    const times = [];
    for (let round = 0; round < 4; round++) {
      kernels.add(a, original, original, 1, 0);
      await wait();
      const start = performance.now();
      await kernels.invertSymmetric(a);
      await wait();
      times.push(performance.now() - start);
    }
    note({ name: `symmetric inverse, n = ${size}`, ms: median(times.slice(1)), flops: size ** 3 });
    if (options.profile) await profile(() => kernels.invertSymmetric(a), 1);
    kernels.release(a, original);
  }
}

/** Steps as in training: pairs written, noise drawn, forward, loss, backward, Adam. */
async function step() {
  const [numObjects, numTags, pairs, noise] = [sized(17_632), sized(9_749), sized(8192), 15];
  const graph = (size, entries, seed) => {
    const { rowStart, columns, values } = randomGraph(size, entries, seed);
    return { rowStart, columns, values };
  };
  const inputs = { objects: graph(numObjects, sized(4_600_000), 1), tags: graph(numTags, sized(900_000), 2) };
  const model = new Dge(kernels, inputs, { hidden: 64, output: 64, objectGraph: true, tagGraph: true });
  model.initialize(1);
  const lists = { objects: kernels.ints(pairs), tags: kernels.ints(pairs), noise: kernels.ints(pairs * noise) };
  const random = new Random(5, 'bench pairs');
  const draw = (below) => Int32Array.from({ length: pairs }, () => random.below(below));
  const drawn = Array.from({ length: 8 }, () => ({ objects: draw(numObjects), tags: draw(numTags) }));
  const { keep, alias } = new Noise(Float64Array.from({ length: numTags }, (_, tag) => 1000 / (tag + 10))).table;
  const table = { keep: kernels.ints(numTags), alias: kernels.ints(numTags) };
  kernels.writeInts(table.keep, keep);
  kernels.writeInts(table.alias, alias);
  model.minimizeNce(lists, lists.noise, model.tape.constant(1, numTags));
  const adam = new Adam(kernels, model.parameters);
  let count = 0;
  let hostMs = 0;
  const run = () => {
    const start = performance.now();
    const { objects, tags } = drawn[count++ % drawn.length];
    kernels.writeInts(lists.objects, objects);
    kernels.writeInts(lists.tags, tags);
    kernels.drawNoise(lists.noise, { table, objects: lists.objects, key: [1, count] });
    model.tape.run();
    adam.step(SETTINGS);
    hostMs += performance.now() - start;
  };
  const edges = inputs.objects.columns.length + inputs.tags.columns.length;
  const flops = 8 * edges * 64 + 12 * (numObjects + numTags) * 64 * 64 + 6 * pairs * (noise + 1) * 64;
  const ms = await time(run);
  [count, hostMs] = [0, 0];
  for (let i = 0; i < ROUND_MS; i++) run();
  await wait();
  note({ name: `DGE step, ${edges} edges, width 64, ${pairs} pairs × ${noise}`, ms, flops });
  note({ name: '  of that the program’s own time', ms: hostMs / count });
  console.log(`loss ${await model.tape.loss()} after ${count} steps`);
  if (options.profile) await profile(run);
  await parts(kernels, model, lists, { table, adam });
  adam.release();
  model.release();
  kernels.release(...Object.values(lists), ...Object.values(table));
}

/** What a step is made of, each repeated alone. */
async function parts(k, model, lists, { table, adam }) {
  const { objectEmbeddings: z, tagEmbeddings: t } = model;
  const pairs = lists.objects.length;
  const outputs = {
    losses: k.dense(1, pairs),
    coefficients: k.dense(pairs, 16),
    dObjectEmbeddings: z.gradient,
    dTagEmbeddings: t.gradient,
  };
  const offsets = k.dense(1, t.rows);
  const inputs = { objectEmbeddings: z.value, tagEmbeddings: t.value, ...lists, offsets };
  let count = 0;
  const noise = () => k.drawNoise(lists.noise, { table, objects: lists.objects, key: [1, count++] });
  note({ name: '  drawing noise', ms: await time(noise) });
  note({ name: '  NCE with lists as they were', ms: await time(() => k.nce(outputs, inputs, 1e-4)) });
  const both = await time(() => {
    noise();
    k.nce(outputs, inputs, 1e-4);
  });
  note({ name: '  drawing noise, sorting lists, NCE', ms: both });
  note({ name: '  Adam, all parameters', ms: await time(() => adam.step(SETTINGS)) });
  const [x, y] = [k.dense(z.rows, 64), k.dense(z.rows, 64)];
  note({ name: '  relu of the hidden layer', ms: await time(() => k.unary(y, 'relu', x)) });
  const tiny = k.dense(1, 16);
  note({ name: '  the smallest call', ms: await time(() => k.fill(tiny, 1)) });
  k.release(outputs.losses, outputs.coefficients, offsets, x, y, tiny);
}

/** Steps on a graph that does not fit into what a kernel can see at once. */
async function huge() {
  const [numObjects, numTags, pairs, noise] = [sized(10_000_000), sized(100_000), sized(8192), 15];
  const start = performance.now();
  const arrays = randomGraph(numObjects, sized(640_000_000), 1);
  const small = randomGraph(numTags, sized(6_400_000), 2);
  console.log(`graphs of ${arrays.columns.length} and ${small.columns.length} edges in ${seconds(start)}`);
  const tape = new Tape(kernels);
  const encode = (size, { rowStart, columns, values }) => {
    const a = kernels.sparse(size, size, { rowStart, columns, values });
    const [w0, w1] = [tape.parameter(size, 64), tape.parameter(64, 64)];
    for (const { value, rows, cols } of [w0, w1]) kernels.write(value, numbers(rows * cols));
    const h = tape.relu(tape.spmm(a, w0, { symmetric: true }));
    return { z: tape.spmm(a, tape.matmul(h, w1), { symmetric: true }), weights: [w0, w1] };
  };
  const [objects, tags] = [encode(numObjects, arrays), encode(numTags, small)];
  const lists = { objects: kernels.ints(pairs), tags: kernels.ints(pairs), noise: kernels.ints(pairs * noise) };
  const random = new Random(5, 'bench pairs');
  const draw = (out, below) =>
    kernels.writeInts(
      out,
      Int32Array.from({ length: out.length }, () => random.below(below)),
    );
  draw(lists.objects, numObjects);
  draw(lists.tags, numTags);
  draw(lists.noise, numTags);
  const offsets = kernels.dense(1, numTags);
  tape.minimize(tape.nce({ objectEmbeddings: objects.z, tagEmbeddings: tags.z, ...lists, offsets }));
  const adam = new Adam(kernels, [...objects.weights, ...tags.weights]);
  console.log(`loss ${await tape.loss()} before; all on the GPU after ${seconds(start)}`);
  const times = [];
  for (let i = 0; i < (options.small ? 2 : 6); i++) {
    const before = performance.now();
    draw(lists.noise, numTags);
    tape.run();
    adam.step(SETTINGS);
    console.log(`loss ${await tape.loss()}, ${(performance.now() - before).toFixed(0)} ms`);
    times.push(performance.now() - before);
  }
  const edges = arrays.columns.length + small.columns.length;
  const name = `DGE step, ${numObjects} objects, ${edges} edges, ${(kernels.usedBytes / 1e9).toFixed(1)} GB`;
  note({ name, ms: median(times.slice(1)), bytes: 4 * edges * (8 + 256) });
}

function seconds(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}

/** Every kernel of some calls between two timestamps of the device; what is left of the time is the way between them. */
async function profile(work, repeats = 20) {
  const { device } = kernels.queue;
  const [MOST, QUERY_RESOLVE, COPY_SOURCE, COPY_TARGET, MAP_READ] = [4096, 0x200, 0x04, 0x08, 0x01];
  const querySet = device.createQuerySet({ type: 'timestamp', count: MOST });
  const labels = [];
  const make = device.createCommandEncoder;
  kernels.queue.flush();
  device.createCommandEncoder = function (...args) {
    const encoder = make.apply(this, args);
    const begin = encoder.beginComputePass;
    encoder.beginComputePass = () => {
      const state = {};
      return {
        setPipeline: (pipeline) => Object.assign(state, { pipeline }),
        setBindGroup: (...bindings) => Object.assign(state, { bindings }),
        dispatchWorkgroups(...size) {
          const at = 2 * labels.length;
          const timestampWrites = { querySet, beginningOfPassWriteIndex: at, endOfPassWriteIndex: at + 1 };
          const pass = begin.call(encoder, at + 1 < MOST ? { timestampWrites } : {});
          pass.setPipeline(state.pipeline);
          pass.setBindGroup(...state.bindings);
          pass.dispatchWorkgroups(...size);
          pass.end();
          if (at + 1 < MOST) labels.push(state.pipeline.label);
        },
        end() {},
      };
    };
    return encoder;
  };
  for (let i = 0; i < repeats; i++) await work();
  await wait();
  device.createCommandEncoder = make;
  const bytes = 16 * labels.length;
  const resolved = device.createBuffer({ size: bytes, usage: QUERY_RESOLVE | COPY_SOURCE });
  const mapped = device.createBuffer({ size: bytes, usage: MAP_READ | COPY_TARGET });
  const encoder = device.createCommandEncoder();
  encoder.resolveQuerySet(querySet, 0, 2 * labels.length, resolved, 0);
  encoder.copyBufferToBuffer(resolved, 0, mapped, 0, bytes);
  device.queue.submit([encoder.finish()]);
  await mapped.mapAsync(MAP_READ);
  const stamps = new BigUint64Array(mapped.getMappedRange());
  const sums = new Map();
  for (const [i, label] of labels.entries()) {
    const us = Number(stamps[2 * i + 1] - stamps[2 * i]) / 1000;
    const known = sums.get(label) ?? { count: 0, us: 0 };
    sums.set(label, { count: known.count + 1, us: known.us + us });
  }
  const whole = Number(stamps[2 * labels.length - 1] - stamps[0]) / 1e6 / repeats;
  console.log(
    `--- profile: ${(labels.length / repeats).toFixed(1)} kernels a call, ${whole.toFixed(3)} ms from first to last`,
  );
  for (const [label, { count, us }] of [...sums].sort((a, b) => b[1].us - a[1].us)) {
    console.log(
      `${label.padEnd(44)} ${(count / repeats).toFixed(1)} × ${(us / count).toFixed(1)} µs = ${(us / repeats).toFixed(1)} µs`,
    );
  }
}

/** Median over rounds of the time of one call among many that were submitted before waiting. */
async function time(work) {
  for (let i = 0; i < 3; i++) work();
  await wait();
  let repeats = 1;
  const round = async () => {
    const start = performance.now();
    for (let i = 0; i < repeats; i++) work();
    await wait();
    return performance.now() - start;
  };
  const idle = median([await waiting(), await waiting(), await waiting()]);
  for (let ms = await round(); ms - idle < ROUND_MS / 2 && repeats < 1e4; ms = await round()) {
    repeats = Math.ceil(repeats * Math.min(10, Math.max(2, ROUND_MS / Math.max(ms - idle, 0.1))));
  }
  const times = [];
  for (let i = 0; i < ROUNDS; i++) times.push(((await round()) - idle) / repeats);
  return median(times);
}

async function waiting() {
  const start = performance.now();
  await wait();
  return performance.now() - start;
}

function note(line) {
  report.push(line);
  console.log(textOf(line));
}

function textOf({ name, ms, bytes, least, flops }) {
  const rate = (count) => count / ms / 1e6;
  const parts = [`${name.padEnd(66)} ${ms.toFixed(ms < 1 ? 4 : 2).padStart(10)} ms`];
  if (flops !== undefined) parts.push(`${rate(flops).toFixed(0)} GFLOP/s`);
  if (bytes !== undefined) parts.push(`${rate(bytes).toFixed(0)} GB/s${share(rate(bytes))}`);
  if (least !== undefined) parts.push(`each byte once: ${rate(least).toFixed(0)} GB/s${share(rate(least))}`);
  return parts.join('  ');
}

function share(gigabytes) {
  return streamed !== undefined ? ` (${((100 * gigabytes) / streamed).toFixed(0)} % of streaming)` : '';
}

function printTable() {
  console.log('\n--- table ---');
  for (const line of report) console.log(textOf(line));
}

function median(numbers) {
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

function randomDense(rows, cols) {
  const out = kernels.dense(rows, cols);
  kernels.write(out, numbers(rows * cols));
  return out;
}

/** From −0.5 to 0.5. */
function numbers(count) {
  const out = new Float32Array(count);
  let state = 12_345;
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    out[i] = state / 2 ** 32;
  }
  return out;
}

/** A square sparse matrix with about `entries` entries: some rows are ten times as long as others; columns at random. */
function randomGraph(size, entries, seed) {
  const random = new Random(seed, 'bench graph');
  const weights = Float64Array.from({ length: size }, () => 0.2 + 2 * random.float() ** 4);
  const perWeight = entries / weights.reduce((a, b) => a + b, 0);
  const rowStart = new Int32Array(size + 1);
  for (let row = 0; row < size; row++) {
    rowStart[row + 1] = rowStart[row] + Math.max(1, Math.min(size >> 1, Math.round(weights[row] * perWeight)));
  }
  const count = rowStart[size];
  const [columns, values] = [new Int32Array(count), new Float32Array(count)];
  let state = seed;
  for (let row = 0; row < size; row++) {
    // one column in every stretch of its own: ascending and distinct without sorting
    const stretch = size / (rowStart[row + 1] - rowStart[row]);
    for (let e = rowStart[row], i = 0; e < rowStart[row + 1]; e++, i++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
      columns[e] = Math.floor((i + (state >>> 0) / 2 ** 32) * stretch);
      values[e] = 1 / 256;
    }
  }
  return { rowStart, columns, values };
}

function fail(message) {
  throw new Error(message);
}
