// For those who run the service: is it up, can it answer, what has it done, what can be asked.

import { needs } from './access.ts';
import { type Api, type ApiContext, problems } from './api.ts';
import { refuse } from './problem.ts';
import { wordOf } from './schemas.ts';
import { Type } from './typebox.ts';

const tags = ['operations'];
const Ok = Type.Object({ status: wordOf(['ok']) });

export function addOperations(app: Api, context: ApiContext): void {
  for (const add of [addHealth, addReadiness, addMetrics, addOpenApi]) add(app, context);
}

function addHealth(app: Api): void {
  app.get(
    '/healthz',
    {
      config: needs('open'),
      schema: {
        operationId: 'isUp',
        summary: 'Whether the service runs',
        tags,
        response: { 200: Ok, ...problems() },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store');
      return { status: 'ok' as const };
    },
  );
}

function addReadiness(app: Api, { store, models }: ApiContext): void {
  app.get(
    '/readyz',
    {
      config: needs('open'),
      schema: {
        operationId: 'isReady',
        summary: 'Whether it can answer everything: the store of reviews is there and the queue can be filled',
        tags,
        response: { 200: Ok, ...problems(503) },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store');
      const why = await models.use(async ({ curation }) => {
        if (!(await store.isThere())) return 'The store of reviews does not answer, or cannot be written to.';
        if (!(await curation.isUpToDate())) return 'The decisions of other instances could not be read.';
        const { numUnranked } = curation;
        return numUnranked === 0 ? undefined : `Suggestions of ${numUnranked} objects could not be ranked.`;
      });
      if (why === undefined) return { status: 'ok' as const };
      return refuse(503, why, 'Try again in a few seconds.', { 'retry-after': '2' });
    },
  );
}

function addMetrics(app: Api, { metrics }: ApiContext): void {
  app.get(
    '/metrics',
    {
      config: needs('read'),
      schema: {
        operationId: 'getMetrics',
        summary: 'What it has done, for Prometheus',
        tags,
        response: {
          200: { description: 'Prometheus text', content: { 'text/plain': { schema: Type.String() } } },
          ...problems(),
        },
      },
    },
    async (_request, reply) => {
      reply.type(metrics.contentType).header('cache-control', 'no-store');
      return metrics.text();
    },
  );
}

function addOpenApi(app: Api): void {
  app.get('/openapi.json', { config: needs('open'), schema: { hide: true } as object }, async () => app.swagger());
}
