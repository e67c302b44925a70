// The service: a model, a store of reviews and the API over both, in one object that listens, reloads and closes.

import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { InputError } from '../../errors.ts';
import { readText } from '../../files.ts';
import type { Model } from '../../models/model.ts';
import { loadModel } from '../../models/model-file.ts';
import { optional } from '../../optional.ts';
import { UserDirectory } from '../people/user-directory.ts';
import { ReviewStore } from '../reviews/review-store.ts';
import { BackgroundTraining } from '../training/background-training.ts';
import type { WebhookMetrics, WebhookTimes } from '../webhooks/webhook-sender.ts';
import { checkWebhooks, startWebhooks, type WebhookOptions, type WebhookParts } from '../webhooks/webhooks.ts';
import { Access } from './access.ts';
import type { ApiOptions } from './build-api.ts';
import type { Exposure } from './guard.ts';
import { hostNames, isLoopback } from './hosts.ts';
import type { LoadOptions } from './loaded-model.ts';
import type { Metrics } from './metrics.ts';
import { type HolderOptions, ModelHolder } from './model-holder.ts';
import { ProxyIdentity, type ProxyOptions } from './proxy-identity.ts';

/** What to serve, and how. */
export interface ServiceOptions {
  /** A file that "tagloom train" wrote, or a model already here. */
  readonly model: string | Model;
  /** Where reviews are kept: a folder, a postgres:// URL, or a store already open, which is closed with the service. */
  readonly reviews: string | ReviewStore;
  /** What "tagloom compare --json" printed, as a file. */
  readonly results?: string | undefined;
  /** Requests of one client in a second; default 100 where other machines may connect, otherwise any number. */
  readonly rateLimit?: number | undefined;
  /** Token of an administrator without a name: clients must send it, or that of a user, to change anything. */
  readonly token?: string | undefined;
  /** Whether anyone may read, where there are users or a proxy that names people. */
  readonly isPublic?: boolean | undefined;
  /** A proxy that checked who asks and says so in a header. */
  readonly proxy?: ProxyOptions | undefined;
  /** Where decisions are told as they are made. */
  readonly webhooks?: WebhookOptions | undefined;
  /** The one origin whose pages may ask. */
  readonly cors?: string | undefined;
  /** Host names the service answers to, beside localhost and, where other machines may connect, its addresses. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Hears of errors, a line of JSON each. */
  readonly log?: ((line: string) => void) | undefined;
  /** Whether `log` hears of every request, too. */
  readonly logsRequests?: boolean | undefined;
  /** Hears of what is not as it should be and does not stop the service. */
  readonly warn?: ((message: string) => void) | undefined;
}

/** What only tests and benchmarks set. */
export interface ServiceInternals extends Partial<Pick<ApiOptions, 'page' | 'timeouts'>> {
  /** Memory for answers that are cached, in bytes. */
  readonly cacheBytes?: number | undefined;
  readonly mapThread?: LoadOptions['mapThread'];
  readonly modelThread?: HolderOptions['modelThread'];
  readonly loadLimitMs?: HolderOptions['loadLimitMs'];
  /** The program that trains (retraining/training-process.ts). */
  readonly trainingProgram?: URL | undefined;
  readonly followMs?: number | undefined;
  readonly webhookTimes?: Partial<WebhookTimes> | undefined;
}

/** A service that was created: let it listen, and close it when done. */
export interface Service {
  /** For those who mount it or ask it without a socket. */
  readonly fastify: FastifyInstance;
  /** The URL it answers at. Port 0 picks one. */
  listen(where?: { host?: string; port?: number }): Promise<string>;
  /** Whether anyone who can connect may do all: there is no token, no user and no proxy that names people. */
  readonly isOpen: boolean;
  /** Loads the file of the model again. Where it is damaged, this throws and the model before it stays in service. */
  reload(): Promise<void>;
  /** Takes no more requests, finishes those it has, closes the store. */
  close(): Promise<void>;
}

const PAGE = fileURLToPath(new URL('../../web', import.meta.url)); // dist/web, beside dist/serving
const CACHE_BYTES = 1 << 26;
const RATE_LIMIT = 100;
const [HOST, PORT] = ['127.0.0.1', 8080];
const PACKAGES = ['fastify', '@fastify/rate-limit', '@fastify/static', '@fastify/swagger', 'prom-client'];

/**
 * A model and its reviews behind an HTTP API and a page. Close it when done.
 *
 * @example
 * import { mkdtemp } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { graphFrom, train } from 'tagloom';
 * import { createService } from 'tagloom/service';
 *
 * const graph = graphFrom({ interact: [['ann', 'alien']], tagged: [['alien', 'space'], ['heat', 'crime']] });
 * const model = await train(graph, { model: 'popularity' });
 * const reviews = join(await mkdtemp(join(tmpdir(), 'tagloom-')), 'reviews');
 * const service = await createService({ model, reviews });
 * const url = await service.listen({ port: 0 });
 * const answer = await fetch(`${url}/v1/objects/alien/suggestions`);
 * console.log((await answer.json()).suggestions[0].tag); // crime
 * await service.close();
 */
export function createService(options: ServiceOptions): Promise<Service> {
  return openService(options, {});
}

/** The same with what is not for users to set. */
export async function openService(options: ServiceOptions, internals: ServiceInternals): Promise<Service> {
  const { model: source, reviews, results, rateLimit, warn = () => {} } = options;
  const began = performance.now();
  hostNames(options.allowedHosts); // throws where one is none
  if (options.proxy !== undefined) new ProxyIdentity(options.proxy); // likewise
  if (options.webhooks !== undefined) checkWebhooks(options.webhooks); // likewise
  const [{ buildApi }, { Metrics }] = await optional('the service', PACKAGES, () =>
    Promise.all([import('./build-api.ts'), import('./metrics.ts')]),
  );
  // what can be read comes first: a mistyped path makes no store
  const cells = results === undefined ? undefined : await readCells(results);
  const model = typeof source === 'string' ? await loadModel(source) : source;
  const metrics = new Metrics();
  const onLoad = (seconds: number) => metrics.modelLoad.set(seconds);
  const { models, store, users } = await openModels(source, model, reviews, {
    cacheBytes: internals.cacheBytes ?? CACHE_BYTES,
    mapFile: typeof source === 'string' ? `${source}.map.json` : undefined,
    mapThread: internals.mapThread,
    modelThread: internals.modelThread,
    loadLimitMs: internals.loadLimitMs,
    warn,
    onLoad,
  });
  const exposure: Exposure = { isLocal: false, host: undefined, perSecond: rateLimit };
  const access = new Access(users, options);
  const { trainingProgram: program, followMs } = internals;
  const threads = Math.max(1, availableParallelism() - 1); // one is left to answer requests
  const training = new BackgroundTraining(source, models, store, { program, followMs, threads, warn });
  const context = { models, store, training, metrics, access, results: () => cells };
  const { page = PAGE, timeouts } = internals;
  const app = await buildApi(context, { ...options, timeouts, exposure, page });
  app.addHook('preClose', () => training.close());
  app.addHook('preClose', async () => models.stopLoading()); // nobody waits for a model that will not serve
  const webhooks = webhooksOf(options, { store, metrics, warn, times: internals.webhookTimes });
  app.addHook('onClose', async () => {
    await Promise.all([webhooks?.close(), users.close()]);
    await models.close();
    await store.close();
  });
  await app.ready();
  onLoad((performance.now() - began) / 1000);
  return {
    fastify: app as unknown as FastifyInstance,
    async listen({ host = HOST, port = PORT } = {}) {
      Object.assign(exposure, { isLocal: isLoopback(host), host });
      exposure.perSecond = rateLimit ?? (exposure.isLocal ? undefined : RATE_LIMIT);
      return app.listen({ host, port }).catch((error) => {
        throw unlistenable(error, host, port);
      });
    },
    get isOpen() {
      return access.isOpen;
    },
    reload: () => models.reload(),
    close: async () => {
      await app.close();
    },
  };
}

async function openModels(
  source: string | Model,
  model: Model,
  reviews: string | ReviewStore,
  options: HolderOptions,
): Promise<{ models: ModelHolder; store: ReviewStore; users: UserDirectory }> {
  const store = typeof reviews === 'string' ? await ReviewStore.open(reviews, { warn: options.warn }) : reviews;
  try {
    const users = await UserDirectory.open(store.users, { isShared: store.isShared });
    return { models: await ModelHolder.open(source, model, store, options), store, users };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function webhooksOf(
  { webhooks }: ServiceOptions,
  parts: Omit<WebhookParts, 'metrics'> & { readonly metrics: Metrics },
) {
  const { webhookEvents, webhookWaiting } = parts.metrics;
  const metrics: WebhookMetrics = {
    sent: (outcome, numEvents) => webhookEvents.inc({ outcome }, numEvents),
    waiting: (url, numEvents) => webhookWaiting.set({ url }, numEvents),
  };
  return webhooks && startWebhooks(webhooks, { ...parts, metrics });
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
  const cure = 'Write it with: tagloom compare DATA --json > FILE.';
  const text = await readText(path, expected, cure);
  try {
    const { models } = JSON.parse(text) as { models?: unknown };
    if (Array.isArray(models)) return models;
  } catch {
    // told below
  }
  throw new InputError({ file: path, got: 'something else', expected, cure });
}
