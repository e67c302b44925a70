// How fast the service answers: GET /v1/objects/{id}/suggestions, all objects in turn, the service in one process on one core,
// autocannon in another: each object once (its suggestions are computed on demand), then all again (cached answers; with --no-cache
// computed each time). Then the model is loaded again while /healthz is asked all the time. Prints text, or with --json one document.
//
// node bench/service.mjs [MODEL] [--requests 100000] [--connections 10] [--no-cache] [--json]
// Without a MODEL, loom is trained on the embedded npm data first.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { loadModel } from '../dist/tagloom.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    requests: { type: 'string', default: '100000' },
    connections: { type: 'string', default: '10' },
    'no-cache': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    serve: { type: 'string' }, // what this program passes to its own other half
  },
});
const SELF = fileURLToPath(import.meta.url);
const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const DATA = fileURLToPath(new URL('../data/npm', import.meta.url));

if (values.serve !== undefined) await serve(JSON.parse(values.serve));
else await measure();

/** The other half: the service, asked for its memory by messages. */
async function serve(options) {
  const { openService } = await import('../dist/serving/http/service.js');
  const service = await openService(options, options);
  const url = await service.listen({ port: 0 });
  process.on('message', () => {
    globalThis.gc?.();
    process.send({ memory: process.memoryUsage(), cpu: process.cpuUsage() });
  });
  process.send({ url });
}

async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'tagloom-bench-'));
  try {
    const model = positionals[0] ?? trained(folder);
    const names = (await loadModel(model)).graph.objects.names.toArray();
    const options = { model, reviews: join(folder, 'reviews'), ...(values['no-cache'] && { cacheBytes: 0 }) };
    const first = await start(options); // makes the store
    await stop(first.child);
    const began = performance.now();
    const { child, url } = await start(options);
    await fetch(`${url}/v1/objects/${encodeURIComponent(names[0])}/suggestions`);
    const startMs = performance.now() - began;
    const rounds = [];
    for (const requests of [names.length, Number(values.requests)]) {
      const before = await stateOf(child);
      rounds.push({ ...(await fire(url, names, requests)), before, after: await stateOf(child) });
    }
    const reload = await reloadOf(url);
    await stop(child);
    report({ model, numObjects: names.length, startMs, first: rounds[0], again: rounds[1], reload });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function trained(folder) {
  const path = join(folder, 'npm.tagloom');
  spawnSync(process.execPath, [CLI, 'train', DATA, '-o', path], { stdio: ['ignore', 'ignore', 'inherit'] });
  return path;
}

async function start(options) {
  const node = [process.execPath, '--expose-gc', SELF, '--serve', JSON.stringify(options)];
  const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', 'true']).status === 0;
  const [command, ...args] = canPin ? ['taskset', '-c', '0', ...node] : node;
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const { url } = await message(child);
  return { child, url };
}

async function stop(child) {
  child.disconnect();
  child.kill();
  await new Promise((resolve) => child.once('exit', resolve));
}

function message(child) {
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', () => reject(new Error('The service ended before its time.')));
  });
}

async function stateOf(child) {
  const answer = message(child);
  child.send('state');
  const { memory, cpu } = await answer;
  const toMiB = (bytes) => Math.round(bytes / 2 ** 20);
  return { rssMiB: toMiB(memory.rss), heapMiB: toMiB(memory.heapUsed), cpuSeconds: (cpu.user + cpu.system) / 1e6 };
}

async function fire(url, names, amount) {
  let i = 0;
  const pathOf = () => `/v1/objects/${encodeURIComponent(names[i++ % names.length])}/suggestions`;
  const setupRequest = (request) => ({ ...request, path: pathOf() });
  const began = performance.now();
  const { latency, non2xx, errors } = await autocannon({
    url,
    amount,
    connections: Number(values.connections),
    requests: [{ setupRequest }],
  });
  const seconds = (performance.now() - began) / 1000;
  return {
    requests: amount,
    perSecond: Math.round(amount / seconds),
    p50: latency.p50,
    p99: latency.p99,
    non2xx,
    errors,
  };
}

/** How long a reload takes, and the longest answer of /healthz meanwhile. */
async function reloadOf(url) {
  let [isOver, longestMs, numAsked] = [false, 0, 0];
  const began = performance.now();
  const reloaded = fetch(`${url}/v1/model/reload`, { method: 'POST' }).finally(() => (isOver = true));
  while (!isOver) {
    const asked = performance.now();
    await (await fetch(`${url}/healthz`)).text();
    longestMs = Math.max(longestMs, performance.now() - asked);
    numAsked++;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const { ok, status } = await reloaded;
  if (!ok) throw new Error(`POST /v1/model/reload: status ${status}`);
  return { seconds: (performance.now() - began) / 1000, numAsked, longestMs };
}

function report(result) {
  if (values.json) return console.log(JSON.stringify(result, null, 2));
  const line = (what, { requests, perSecond, p50, p99, non2xx, errors, before, after }) => {
    // where others use the core as well, the time it had for this says more than the time that went by
    const perCpuSecond = Math.round(requests / (after.cpuSeconds - before.cpuSeconds));
    return (
      `${what}: ${requests} requests, ${perSecond} a second (${perCpuSecond} a second of its processor), ` +
      `p50 ${p50} ms, p99 ${p99} ms, ${non2xx + errors} failed, ` +
      `memory ${before.rssMiB} → ${after.rssMiB} MiB (heap ${before.heapMiB} → ${after.heapMiB})`
    );
  };
  console.log(`${result.numObjects} objects in turn, one core, ${values.connections} connections, ${cpus()[0].model}`);
  console.log(`from start to the first answer, with an existing store: ${Math.round(result.startMs)} ms`);
  console.log(line('suggestions computed on demand, each object once', result.first));
  const again = values['no-cache'] ? 'suggestions computed on demand, again and again' : 'cached suggestions';
  console.log(line(again, result.again));
  const { seconds, numAsked, longestMs } = result.reload;
  console.log(
    `reload: ${seconds.toFixed(1)} s; the longest of ${numAsked} answers of /healthz meanwhile: ${longestMs.toFixed(0)} ms`,
  );
}
