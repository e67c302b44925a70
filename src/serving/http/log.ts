// GET /v1/log: who did what, newest first, and all of it as a file.

import { Readable } from 'node:stream';
import { cleanName } from '../../data/name.ts';
import { logLines } from '../people/log-lines.ts';
import type { LogEntry, LogFilter } from '../people/log-store.ts';
import { needs } from './access.ts';
import { type Api, type ApiContext, cursorOf, problems } from './api.ts';
import { LogExportQuery, LogList, LogQuery } from './people-schemas.ts';
import { timeOf } from './reviews.ts';
import { the } from './schemas.ts';
import { Type } from './typebox.ts';

const tags = ['people'];
const logCursor = cursorOf('log', Type.String({ pattern: '^\\d{1,18}$' }));

export function addLog(app: Api, context: ApiContext): void {
  for (const add of [addList, addExport]) add(app, context);
}

function addList(app: Api, { store }: ApiContext): void {
  app.get(
    '/v1/log',
    {
      config: needs('review'),
      schema: {
        operationId: 'listLog',
        summary: 'Who did what, newest first',
        tags,
        querystring: LogQuery,
        response: { 200: the(LogList), ...problems(503) },
      },
    },
    async ({ query: { limit, cursor, ...filter } }) => {
      const found = await store.log.list({ ...filterOf(filter), after: logCursor.decode(cursor), limit: limit + 1 });
      const entries = found.slice(0, limit);
      const last = entries.at(-1);
      const hasNext = found.length > limit && last !== undefined;
      return { entries, ...(hasNext && { next: logCursor.encode(last.id) }) };
    },
  );
}

const TYPES = { jsonl: 'application/x-ndjson', tsv: 'text/tab-separated-values' } as const;

function addExport(app: Api, { store }: ApiContext): void {
  app.get(
    '/v1/log/export',
    {
      config: needs('review'),
      schema: {
        operationId: 'exportLog',
        summary: 'Who did what, the oldest first, as JSON Lines or a table',
        tags,
        querystring: LogExportQuery,
        response: {
          200: {
            description: 'An entry in each line',
            content: {
              [TYPES.jsonl]: { schema: Type.String() },
              [TYPES.tsv]: { schema: Type.String() },
            },
          },
          ...problems(503),
        },
      },
    },
    async ({ query: { format, ...filter } }, reply) => {
      const entries = store.log.all(filterOf(filter));
      const first = await entries.next(); // a store that is away says so before the answer begins
      return reply
        .header('content-disposition', `attachment; filename="log.${format}"`)
        .header('cache-control', 'no-store')
        .type(`${TYPES[format]}; charset=utf-8`)
        .send(Readable.from(logLines(from(first, entries), format)) as never);
    },
  );
}

async function* from(first: IteratorResult<LogEntry>, rest: AsyncIterable<LogEntry>): AsyncGenerator<LogEntry> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

interface Asked {
  readonly who?: string;
  readonly action?: string;
  readonly object?: string;
  readonly tag?: string;
  readonly since?: string;
  readonly until?: string;
}

function filterOf({ who, action, object, tag, since, until }: Asked): LogFilter {
  const clean = (name: string | undefined) => (name === undefined ? undefined : cleanName(name));
  return {
    ...{ who: clean(who), object: clean(object), tag: clean(tag) },
    actions: action === undefined ? undefined : [action],
    ...{ since: timeOf(since), until: timeOf(until, 'until') },
  };
}
