// The service: a model, a store of reviews and the API over both, in one object that listens, reloads and closes.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { InputError } from '../../errors.ts';
import type { Model } from '../../models/model.ts';
import { loadModel } from '../../models/model-file.ts';
import { isLoopback } from '../loopback.ts';
import { ReviewStore } from '../reviews/review-store.ts';
import type { ApiContext } from './api.ts';
import { type ApiOptions, buildApi } from './build-api.ts';
import type { Exposure } from './guard.ts';
import { Metrics } from './metrics.ts';
import { type HolderOptions, ModelHolder } from './model-holder.ts';

export interface ServiceOptions extends Pick<ApiOptions, 'token' | 'cors' | 'log' | 'logsRequests' | 'timeouts'> {
  /** A file that "tagloom train" wrote, or a model already here. */
  readonly model: string | Model;
  /** Where reviews are kept: a folder, a postgres:// URL, or a store already open, which is closed with the service. */
  readonly reviews: string | ReviewStore;
  /** What "tagloom compare --json" printed, as a file. */
  readonly results?: string | undefined;
  /** Requests of one client in a second; unless told, 100 where other machines may connect, else any number. */
  readonly rateLimit?: number | undefined;
  /** The folder of the page, if not that of this package. */
  readonly page?: string | undefined;
  /** What answers that are kept may take, in bytes; 64 MiB unless told. */
  readonly cacheBytes?: number | undefined;
  readonly mapThread?: URL | undefined;
  /** Something is not as it should be, and goes on all the same. */
  readonly warn?: ((message: string) => void) | undefined;
}

export interface Service {
  /** For those who mount it or ask it without a socket. */
  readonly fastify: FastifyInstance;
  /** The URL it answers at. Port 0 picks one. */
  listen(where?: { host?: string; port?: number }): Promise<string>;
  /** Loads the file of the model anew. Where it is damaged, this throws and the model before it goes on. */
  reload(): Promise<void>;
  /** Takes no more requests, finishes those it has, closes the store. */
  close(): Promise<void>;
}

const PAGE = fileURLToPath(new URL('../../web', import.meta.url)); // dist/web, beside dist/serving
const CACHE_BYTES = 1 << 26;
const RATE_LIMIT = 100;
const [HOST, PORT] = ['127.0.0.1', 8080];

export async function createService(options: ServiceOptions): Promise<Service> {
  const { model: source, reviews, results, rateLimit, warn = () => {} } = options;
  const metrics = new Metrics();
  const began = performance.now();
  const onLoad = (seconds: number) => metrics.modelLoad.set(seconds);
  // what can be read comes first: a mistyped path makes no store
  const cells = results === undefined ? undefined : await readCells(results);
  const model = typeof source === 'string' ? await loadModel(source) : source;
  const exposure: Exposure = { isLocal: false, perSecond: rateLimit };
  // the store takes its time to open, most of it waiting: the API is put together meanwhile
  const opening = openModels(source, model, reviews, {
    cacheBytes: options.cacheBytes ?? CACHE_BYTES,
    mapFile: typeof source === 'string' ? `${source}.map.json` : undefined,
    mapThread: options.mapThread,
    warn,
    onLoad,
  });
  opening.catch(() => {}); // told below
  const context = { ...asOpened(opening), metrics, isGuarded: options.token !== undefined, results: () => cells };
  const app = await buildApi(context, { ...options, exposure, page: options.page ?? PAGE });
  app.addHook('onClose', async () => {
    const opened = await opening.catch(() => undefined);
    await opened?.models.close();
    await opened?.store.close();
  });
  await app.ready();
  const { models } = await opening.catch(async (error) => {
    await app.close();
    throw error;
  });
  onLoad((performance.now() - began) / 1000);
  return {
    fastify: app as unknown as FastifyInstance,
    async listen({ host = HOST, port = PORT } = {}) {
      exposure.isLocal = isLoopback(host);
      exposure.perSecond = rateLimit ?? (exposure.isLocal ? undefined : RATE_LIMIT);
      return app.listen({ host, port }).catch((error) => {
        throw unlistenable(error, host, port);
      });
    },
    reload: () => models.reload(),
    close: async () => {
      await app.close();
    },
  };
}

interface Opened {
  readonly models: ModelHolder;
  readonly store: ReviewStore;
}

async function openModels(
  source: string | Model,
  model: Model,
  reviews: string | ReviewStore,
  options: HolderOptions,
): Promise<Opened> {
  const store = typeof reviews === 'string' ? await ReviewStore.open(reviews) : reviews;
  try {
    return { models: await ModelHolder.open(source, model, store, options), store };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** The same for routes, which are there before either is open and are asked only after. */
function asOpened(opening: Promise<Opened>): Pick<ApiContext, 'models' | 'store'> {
  return {
    models: {
      use: async (work) => (await opening).models.use(work),
      decide: async (work) => (await opening).models.decide(work),
      reload: async () => (await opening).models.reload(),
    },
    store: {
      list: async (filter) => (await opening).store.list(filter),
      async *all(decision) {
        yield* (await opening).store.all(decision);
      },
      isThere: async () => (await opening).store.isThere(),
    },
  };
}

function unlistenable(error: NodeJS.ErrnoException, host: string, port: number): unknown {
  const where = `port ${port} of ${host}`;
  if (error.code === 'EADDRINUSE') {
    const cure = 'Choose another with --port, or --port 0 for any that is free.';
    return new InputError(
      { got: `${where}, which another program holds`, expected: 'a free port', cure },
      { cause: error },
    );
  }
  if (error.code === 'EACCES') {
    const cure = 'Choose one above 1023.';
    return new InputError({ got: `${where}, which needs more rights`, expected: 'a port to listen on', cure });
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN') {
    const cure = 'Use 127.0.0.1, or 0.0.0.0 for all of this machine.';
    return new InputError({ got: `the host ${host}`, expected: 'an address of this machine', cure }, { cause: error });
  }
  return error;
}

async function readCells(path: string): Promise<unknown[]> {
  const expected = 'what "tagloom compare --json" prints';
  const cure = 'Write it anew: tagloom compare DATA --json > FILE.';
  const text = await readFile(path, 'utf8').catch((error) => {
    throw new InputError({ file: path, got: `nothing that can be read (${error.code})`, expected, cure });
  });
  try {
    const { models } = JSON.parse(text) as { models?: unknown };
    if (Array.isArray(models)) return models;
  } catch {
    // told below
  }
  throw new InputError({ file: path, got: 'something else', expected, cure });
}
