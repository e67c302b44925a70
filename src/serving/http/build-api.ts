// Puts the API together: one Fastify with its limits, hooks and routes.

import fastifyRateLimit from '@fastify/rate-limit';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyServerOptions, LogController } from 'fastify';
import { Access } from './access.ts';
import { type Api, type ApiContext, tagAnswer } from './api.ts';
import { addClaims } from './claims.ts';
import { addDocs } from './docs-page.ts';
import { addDocument } from './document.ts';
import { addGuard, beginAnswer, type Exposure, type GuardOptions } from './guard.ts';
import { addLive } from './live.ts';
import { addLog } from './log.ts';
import { Metrics } from './metrics.ts';
import { addMap, addModel } from './model.ts';
import { addObjects } from './objects.ts';
import { addOperations } from './operations.ts';
import { addPage } from './page.ts';
import { NAMED_OF_PEOPLE } from './people-schemas.ts';
import { answerProblem } from './problem.ts';
import { addRawAnswers, answerUnreadable } from './raw-answer.ts';
import { NAMED_OF_REVIEWS } from './review-schemas.ts';
import { addReviews } from './reviews.ts';
import { NAMED } from './schemas.ts';
import { addSuggestUnseen } from './suggest-unseen.ts';
import { addSuggestions } from './suggestions.ts';
import { addTags } from './tags.ts';
import { addTraining } from './training.ts';
import { NAMED_OF_TRAINING } from './training-schemas.ts';
import { addUnknownRoutes } from './unknown-routes.ts';
import { addUsers } from './users.ts';
import { validatorCompiler } from './validation.ts';
import { addVocabulary } from './vocabulary.ts';
import { NAMED_OF_VOCABULARY } from './vocabulary-schemas.ts';

export interface ApiOptions extends GuardOptions {
  readonly exposure: Exposure;
  /** The folder of the page. */
  readonly page: string;
  /** Hears of errors, a line of JSON each. */
  readonly log?: ((line: string) => void) | undefined;
  /** And of every request. */
  readonly logsRequests?: boolean | undefined;
  readonly timeouts?: Partial<Timeouts> | undefined;
}

export interface Timeouts {
  /** Until a request has come in as a whole. */
  readonly requestMs: number;
  /** Until its headers have. */
  readonly headersMs: number;
  /** Until something moves on a connection. */
  readonly idleMs: number;
  /** Between two looks at which requests are late. */
  readonly checkMs: number;
  /** Until requests that still run when it closes are cut off. */
  readonly drainMs: number;
}

const TIMEOUTS: Timeouts = { requestMs: 30_000, headersMs: 10_000, idleMs: 60_000, checkMs: 1000, drainMs: 10_000 };
const MAX_BODY = 1 << 20;
const MAX_NAME = 1 << 14; // Node takes no longer lines than this

export async function buildApi(context: ApiContext & { readonly access: Access }, options: ApiOptions): Promise<Api> {
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const app: Api = Fastify(serverOptions(options, timeouts)).withTypeProvider<TypeBoxTypeProvider>();
  app.removeContentTypeParser('text/plain'); // a form of any page could send that
  app.setValidatorCompiler(validatorCompiler);
  // compiled ones would take 0.3 s of every start, and answers that are asked for often are kept as text
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer));
  app.setErrorHandler(answerProblem);
  addUnknownRoutes(app);
  addRawAnswers(app);
  const shapes = [...NAMED, ...NAMED_OF_REVIEWS, ...NAMED_OF_PEOPLE, ...NAMED_OF_TRAINING, ...NAMED_OF_VOCABULARY];
  for (const shape of shapes) app.addSchema(shape);
  await app.register(fastifyRateLimit, { global: false });
  addGuard(app, options, options.exposure, context.access);
  app.addHook('onSend', tagAnswer);
  addAccounts(app, context.metrics);
  await addDocument(app);
  const parts = [addModel, addObjects, addSuggestions, addSuggestUnseen, addTags, addReviews, addMap, addOperations];
  parts.push(addClaims, addLive, addLog, addUsers, addVocabulary, addTraining);
  for (const add of parts) add(app, context);
  addDocs(app, context);
  await addPage(app, options.page);
  addDrain(app, timeouts.drainMs);
  return app;
}

function serverOptions({ log, logsRequests = false }: ApiOptions, timeouts: Timeouts): FastifyServerOptions {
  const { requestMs, headersMs, idleMs, checkMs } = timeouts;
  return {
    logger: log === undefined ? false : { level: logsRequests ? 'info' : 'warn', stream: { write: log }, base: null },
    logController: new LogController({ disableRequestLogging: true }), // one line when it is over is enough
    bodyLimit: MAX_BODY,
    return503OnClosing: false, // who comes in while it closes is answered as well
    requestTimeout: requestMs,
    connectionTimeout: idleMs,
    // a request without a Host is refused by the guard, with a problem
    http: { headersTimeout: headersMs, connectionsCheckingInterval: checkMs, requireHostHeader: false },
    routerOptions: { maxParamLength: MAX_NAME },
    frameworkErrors: (error, request, reply) => {
      beginAnswer(request, reply);
      answerProblem(error, request, reply);
    },
    clientErrorHandler: answerUnreadable,
  } as FastifyServerOptions;
}

/** Counts and logs what was answered. Paths only: a query may hold anything. */
function addAccounts(app: Api, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const [route, status] = [request.routeOptions.url ?? 'none', reply.statusCode];
    metrics.requests.observe({ method, route, status }, reply.elapsedTime / 1000);
    const path = request.url.split('?', 1)[0];
    request.log.info({ method, path, status, ms: Math.round(reply.elapsedTime * 100) / 100 }, 'answered');
    done();
  });
}

const LOOK_MS = 20; // between two looks for connections that have nothing more to do

/**
 * Closes without dropping anyone: connections end as soon as their request is answered, since a client would keep them open
 * for the next one; those that take too long are cut.
 */
function addDrain(app: Api, drainMs: number): void {
  let looking: NodeJS.Timeout | undefined;
  let cutting: NodeJS.Timeout | undefined;
  app.addHook('preClose', (done) => {
    looking = setInterval(() => app.server.closeIdleConnections(), LOOK_MS);
    cutting = setTimeout(() => app.server.closeAllConnections(), drainMs);
    done();
  });
  app.addHook('onClose', (_app, done) => {
    clearInterval(looking);
    clearTimeout(cutting);
    done();
  });
}

/** The OpenAPI document, without a model: for those who make clients from it. */
export async function apiDocument(): Promise<Record<string, unknown>> {
  const nothing = () => {
    throw new Error('There is nothing behind this document.');
  };
  const users = { hasUsers: false, users: [], everyone: [], named: nothing, ofToken: nothing, change: nothing };
  const log = { list: nothing, all: nothing, after: nothing };
  const claims = { take: nothing, release: nothing, heldByOthers: nothing, atWork: nothing };
  const context = {
    models: { use: nothing, decide: nothing, reload: nothing },
    training: { facts: nothing, start: nothing, stopOrForget: nothing, use: nothing, restore: nothing },
    store: {
      list: nothing,
      counts: nothing,
      curators: nothing,
      all: nothing,
      isThere: nothing,
      changedSince: nothing,
      lastRevision: nothing,
      log,
      claims,
    } as unknown as ApiContext['store'],
    metrics: new Metrics(),
    access: new Access(users, {}),
    results: nothing,
  };
  const app = await buildApi(context, {
    exposure: { isLocal: false, host: undefined, perSecond: undefined },
    page: '',
  });
  await app.ready();
  const document = app.swagger();
  await app.close();
  return document as unknown as Record<string, unknown>;
}
