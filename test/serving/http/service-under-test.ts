// A small model with difficult names, trained once for all files of tests, and services on it.

import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InjectOptions } from 'fastify';
import { graphFrom, type KnowledgeGraph } from '../../../src/data/knowledge-graph.ts';
import { split } from '../../../src/data/split.ts';
import type { ModelName } from '../../../src/models/catalogue.ts';
import { saveModel } from '../../../src/models/model-file.ts';
import { train } from '../../../src/pipeline.ts';
import {
  openService,
  type Service,
  type ServiceInternals,
  type ServiceOptions,
} from '../../../src/serving/http/service.ts';
import { checkerboard } from '../../checkerboard.ts';
import { atEndOfFile } from '../../end-of-file.ts';
import { copyOfEmptyStore } from '../reviews/embedded.ts';
import { MemoryStore } from './memory-store.ts';

/** Instead of the first plain names of objects and of tags: what people, and worse, call things. */
export const DIFFICULT = [
  '@babel/core',
  'a b',
  'ä/ö',
  '🦊',
  '..',
  '%',
  '%2F',
  '<script>alert(1)</script>',
  "'; drop table tagloom.reviews; --",
  '"quoted"',
  'a?b#c&d=e',
  '__proto__',
  'constructor',
  '日本語',
  '\\',
  'Ünïcödé',
];

const graph = difficult(split(checkerboard(), { trainFraction: 0.7, seed: 3 }).train);

/** The names of the checkerboard, some of them exchanged for difficult ones; some objects have titles of HTML. */
function difficult({ users, objects, tags, interact, tagged }: KnowledgeGraph): KnowledgeGraph {
  const object = (id: number) => DIFFICULT[id] ?? objects.name(id);
  const tag = (id: number) => (id % 2 === 0 ? (DIFFICULT[id / 2] ?? tags.name(id)) : tags.name(id));
  return graphFrom({
    interact: Array.from(interact.heads, (user, i) => [users.name(user), object(interact.tails[i])] as const),
    tagged: Array.from(tagged.heads, (one, i) => [object(one), tag(tagged.tails[i])] as const),
    objects: [['o020', '<img src=x onerror=alert(1)> Twenty'], ...DIFFICULT.map((name) => [name, `${name}!`] as const)],
  });
}

export { graph };

const trained = new Map<string, Promise<string>>();

/** A file of a model of this kind, the same for all files of tests: not to be changed. */
export function modelFile(model: ModelName = 'loom'): Promise<string> {
  const made = trained.get(model) ?? trainOnce(model);
  trained.set(model, made);
  return made;
}

async function trainOnce(model: ModelName): Promise<string> {
  const path = join(tmpdir(), `tagloom-test-${model}.tagloom`); // test/whole-run.ts clears it away
  if (existsSync(path)) return path;
  const settings = model === 'loom' ? { neighbours: 5, profileWidth: 4, search: 'off' } : {};
  // another worker may be at it, too: each writes a file of its own, and both are the same
  const own = await mkdtemp(join(tmpdir(), 'tagloom-test-'));
  await saveModel(join(own, 'model'), await train(graph, { model, settings, threads: 1 }));
  await rename(join(own, 'model'), path);
  await rm(own, { recursive: true });
  return path;
}

/** A folder that is gone after the file's last test. */
export async function ownFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tagloom-test-'));
  atEndOfFile(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A service, closed after the file's last test; by default its reviews are in memory and it has no page. */
export async function serviceOf(options: Partial<ServiceOptions & ServiceInternals> = {}): Promise<Service> {
  const { page = '', cacheBytes, mapThread, modelThread, loadLimitMs, timeouts, followMs, ...rest } = options;
  const service = await openService(
    { model: await modelFile(), reviews: MemoryStore.make().store, ...rest },
    { page, cacheBytes, mapThread, modelThread, loadLimitMs, timeouts, followMs },
  );
  atEndOfFile(() => service.close());
  return service;
}

/** A folder with an empty store, gone after the file's last test. */
export async function storeFolder(): Promise<string> {
  const folder = await copyOfEmptyStore();
  atEndOfFile(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
  json: any;
}

/** Asks without a socket. */
export async function ask(service: Service, url: string, options: InjectOptions = {}): Promise<Answer> {
  const { statusCode: status, headers, body: text } = await service.fastify.inject({ url, ...options });
  const isJson = /[/+]json/.test(String(headers['content-type']));
  return { status, headers, text, json: isJson && text !== '' ? JSON.parse(text) : undefined };
}

export const post = (service: Service, url: string, payload: object, options: InjectOptions = {}) =>
  ask(service, url, { method: 'POST', payload, ...options });

/** The path of a name. */
export const at = (strings: TemplateStringsArray, ...names: string[]) =>
  String.raw({ raw: strings }, ...names.map(encodeURIComponent));
