// Models that were changed on purpose, with a checksum that is right: each is refused or answers as a model does, and a service
// that is asked to load them goes on answering. TAGLOOM_MUTATIONS sets how many.

import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { encodeTensors, type NamedTensor, type TensorFile } from '../../src/data/tensor-bytes.ts';
import { readTensorFile } from '../../src/data/tensor-file.ts';
import { InputError } from '../../src/errors.ts';
import { decodeModel } from '../../src/models/model-file.ts';
import { Random } from '../../src/random.ts';
import { Recommender } from '../../src/serving/recommend/recommender.ts';
import { modelFile, ownFolder } from '../serving/http/service-under-test.ts';
import { served } from '../serving/served-process.ts';

const NUM_MUTATIONS = Number(process.env.TAGLOOM_MUTATIONS ?? 200);
const MODELS = ['loom', 'itemknn', 'ease', 'hetelearn', 'popularity', 'mf'] as const;
const LIMIT_MS = 2000;
const TIMEOUT_MS = 10_000 + 3000 * NUM_MUTATIONS;

type Mutable = { metadata: Record<string, string>; tensors: Map<string, NamedTensor> };
type Mutation = (file: Mutable, random: Random) => void;

const anyOf = <Value>(values: readonly Value[], random: Random): Value => values[random.below(values.length)];

function changeBytes(file: Mutable, random: Random): void {
  const [name, tensor] = anyOf([...file.tensors], random);
  const data = tensor.data.slice();
  const bytes = new Uint8Array(data.buffer);
  if (bytes.length === 0) return;
  const count = anyOf([1, 2, 16, bytes.length], random);
  for (let i = 0; i < count; i++) bytes[random.below(bytes.length)] = random.below(256);
  file.tensors.set(name, { ...tensor, data });
}

function changeNumber(file: Mutable, random: Random): void {
  const [name, tensor] = anyOf([...file.tensors], random);
  const data = tensor.data.slice();
  if (data.length === 0) return;
  data[random.below(data.length)] = anyOf([0, 1, -1, 0.5, 1e30, -1e30, 2 ** 31, Number.NaN, data.length], random);
  file.tensors.set(name, { ...tensor, data });
}

function cut(file: Mutable, random: Random): void {
  const [name, tensor] = anyOf([...file.tensors], random);
  const data = tensor.data.slice(0, random.below(tensor.data.length + 1));
  file.tensors.set(name, { ...tensor, data, shape: [data.length] });
}

function swap(file: Mutable, random: Random): void {
  const [[a, x], [b, y]] = [anyOf([...file.tensors], random), anyOf([...file.tensors], random)];
  file.tensors.set(a, y);
  file.tensors.set(b, x);
}

function drop(file: Mutable, random: Random): void {
  const [name, tensor] = anyOf([...file.tensors], random);
  file.tensors.delete(name);
  if (random.below(2) === 0) file.tensors.set(`${name}x`, tensor);
}

function reshape(file: Mutable, random: Random): void {
  const [name, tensor] = anyOf([...file.tensors], random);
  const { length } = tensor.data;
  file.tensors.set(name, { ...tensor, shape: anyOf([[1, length], [length, 1], [length + 1], [2 ** 33], []], random) });
}

function changeMetadata(file: Mutable, random: Random): void {
  const key = anyOf(['model', 'form', 'settings', 'metrics', 'texts', 'version', 'data'], random);
  const values = ['', '{', '[]', '{}', 'null', '["a"]', '1e999', 'loom', '{"seed":{}}', '\u0000', 'x'.repeat(10_000)];
  file.metadata[key] = anyOf(values, random);
}

const MUTATIONS: readonly Mutation[] = [changeBytes, changeNumber, cut, swap, drop, reshape, changeMetadata];

function mutated(file: TensorFile, random: Random): Uint8Array {
  const { checksum, ...metadata } = file.metadata;
  const changed: Mutable = { metadata, tensors: new Map(file.tensors) };
  for (let i = 0; i <= random.below(3); i++) anyOf(MUTATIONS, random)(changed, random);
  return new Uint8Array(Buffer.concat(encodeTensors(changed)));
}

/** Refused, or it suggests as a model does. */
async function outcomeOf(bytes: Uint8Array): Promise<'refused' | 'answered'> {
  let recommender: Recommender;
  try {
    recommender = await Recommender.open(await decodeModel(bytes), { threads: 1 });
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return 'refused';
  }
  const { objects, tags } = recommender.model.graph;
  const ids = Int32Array.from({ length: Math.min(20, objects.size) }, (_, id) => id);
  for (const found of await recommender.suggestMany(ids, { limit: 5 })) {
    expect(found.length).toBeLessThanOrEqual(5);
    for (const { tag, score, confidence = 0 } of found) {
      expect(tag >= 0 && tag < tags.size && Number.isFinite(score)).toBe(true);
      expect(confidence >= 0 && confidence <= 1).toBe(true);
    }
  }
  recommender.close();
  return 'answered';
}

it(
  `${NUM_MUTATIONS} mutated models are refused or answer as a model does, each within ${LIMIT_MS} ms`,
  async () => {
    const files = await Promise.all(MODELS.map(async (model) => readTensorFile(await modelFile(model))));
    const random = new Random(1, 'mutations of models');
    const counts = { refused: 0, answered: 0 };
    let slowest = 0;
    for (let i = 0; i < NUM_MUTATIONS; i++) {
      const bytes = mutated(files[i % files.length], random);
      const began = process.cpuUsage();
      counts[await outcomeOf(bytes)]++;
      const { user, system } = process.cpuUsage(began);
      slowest = Math.max(slowest, (user + system) / 1000);
    }
    expect(slowest).toBeLessThan(LIMIT_MS); // of processor time: a busy machine makes no model slow
    expect(counts.refused).toBeGreaterThan(counts.answered);
    process.stdout.write(`mutated models: ${JSON.stringify({ ...counts, slowest: Math.round(slowest) })}\n`);
  },
  TIMEOUT_MS,
);

it(
  'a service that is asked to load them goes on answering',
  async () => {
    const path = join(await ownFolder(), 'model.tagloom');
    const files = await Promise.all(MODELS.map(async (model) => readTensorFile(await modelFile(model))));
    const put = async (bytes: Uint8Array) => {
      await writeFile(`${path}.new`, bytes);
      await rename(`${path}.new`, path);
    };
    await put(new Uint8Array(Buffer.concat(encodeTensors(withoutChecksum(files[0])))));
    const service = await served(path);
    const random = new Random(2, 'mutations of models');
    const statuses = new Map<number, number>();
    const waits: number[] = [];
    let isOver = false;
    const asking = (async () => {
      while (!isOver) {
        const began = performance.now();
        expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
        waits.push(performance.now() - began);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    })();
    for (let i = 0; i < NUM_MUTATIONS; i++) {
      await put(mutated(files[i % files.length], random));
      const { status } = await fetch(`${service.url}/v1/model/reload`, { method: 'POST' });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      expect([200, 422]).toContain(status);
      const answer = await fetch(`${service.url}/v1/objects?limit=1`);
      const [first] = (await answer.json()).objects;
      if (first === undefined) continue;
      const found = await fetch(`${service.url}/v1/objects/${encodeURIComponent(first.id)}/suggestions`);
      expect([found.status, first.id]).toEqual([200, first.id]);
      for (const { score } of (await found.json()).suggestions) expect(Number.isFinite(score)).toBe(true);
    }
    isOver = true;
    await asking;
    waits.sort((a, b) => a - b);
    const p99 = Math.round(waits[Math.floor(waits.length * 0.99)]);
    process.stdout.write(`reloads: ${JSON.stringify({ ...Object.fromEntries(statuses), p99, asked: waits.length })}\n`);
    expect(await service.end('SIGTERM')).toBe(0);
  },
  TIMEOUT_MS,
);

function withoutChecksum({ metadata: { checksum, ...metadata }, tensors }: TensorFile): TensorFile {
  return { metadata, tensors };
}
