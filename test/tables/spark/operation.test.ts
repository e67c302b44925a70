// Statements on a server whose streams end early, whose connections break and which forgets: every answer comes once, or there is one error.

import { expect, it } from 'vitest';
import { CancelledError, InputError } from '../../../src/errors.ts';
import type { TableEngine } from '../../../src/tables/engine.ts';
import { openSpark } from '../../../src/tables/spark/open-spark.ts';
import { type Asked, type FakeBehaviour, type FakeSpark, type Step, startFakeSpark } from './fake-spark.ts';
import { arrowBytes } from './fixture.ts';

const [UNAVAILABLE, DEADLINE_EXCEEDED, INTERNAL] = [14, 4, 13];
const DELAYS = [1, 1, 1];
const SPARK_TRAILER = Uint8Array.of(8, 13); // any trailer: the error is Spark's own
const done: Step = { answer: { responseId: 'end', resultComplete: {} } };

function rows(responseId: string): Step {
  return { answer: { responseId, arrowBatch: { rowCount: 3, data: arrowBytes('three') } } };
}

async function opened(behaviour: FakeBehaviour): Promise<{ spark: FakeSpark; engine: TableEngine }> {
  const spark = await startFakeSpark(behaviour);
  const engine = await openSpark(`sc://127.0.0.1:${spark.port}`, { retryDelaysMs: DELAYS, openingDelaysMs: DELAYS });
  return { spark, engine };
}

async function numRows(engine: TableEngine, signal?: AbortSignal): Promise<number> {
  let sum = 0;
  for await (const batch of engine.query('SELECT 1', signal && { signal })) sum += batch.numRows;
  return sum;
}

/** One list of steps for each stream that is opened, in order; the last list is repeated. */
function inTurn(...streams: (readonly Step[])[]): FakeBehaviour {
  return {
    stream: (_, asked) => streams[Math.min(numStreams(asked), streams.length) - 1],
  };
}

function numStreams(asked: readonly Asked[]): number {
  return asked.filter(({ method }) => isStream(method)).length;
}

function isStream(method: string): boolean {
  return method === 'ExecutePlan' || method === 'ReattachExecute';
}

function streamsOf(spark: FakeSpark): string[] {
  return spark.asked
    .filter(({ method }) => isStream(method))
    .map(({ method, request }) => `${method} ${request.lastResponseId ?? '-'}`);
}

it('a stream that the server ends early goes on after the last answer', async () => {
  const { spark, engine } = await opened(inTurn([rows('a'), rows('b')], [rows('c')], [], [rows('d'), done]));
  expect(await numRows(engine)).toBe(12);
  expect(streamsOf(spark)).toEqual(['ExecutePlan -', 'ReattachExecute b', 'ReattachExecute c', 'ReattachExecute c']);
  const ids = spark.asked.filter(({ method }) => isStream(method)).map(({ request }) => request.operationId);
  expect(new Set(ids).size).toBe(1);
});

it('asks for an execution that can be reattached, in the session that the server knows', async () => {
  const { spark, engine } = await opened({});
  await engine.run('CREATE VIEW v AS SELECT 1');
  const { request } = spark.asked.find(({ method }) => method === 'ExecutePlan') as Asked;
  expect(request.requestOptions).toEqual([{ reattachOptions: { reattachable: true } }]);
  expect(request.plan.command.sqlCommand.sql).toBe('CREATE VIEW v AS SELECT 1');
  expect(request.observedSessionId).toBe('there');
});

it.each([
  ['breaks', { fail: UNAVAILABLE }],
  ['is reset', { fail: INTERNAL, details: 'Received RST_STREAM with code 2' }],
  [
    'was taken over by another call',
    { fail: INTERNAL, details: '[INVALID_CURSOR.DISCONNECTED]', trailer: SPARK_TRAILER },
  ],
  ['is silent for too long', { fail: DEADLINE_EXCEEDED }],
] as const)('a connection that %s is opened again', async (_, failure) => {
  const { spark, engine } = await opened(inTurn([rows('a'), failure], [failure], [rows('b'), done]));
  expect(await numRows(engine)).toBe(6);
  expect(streamsOf(spark)).toEqual(['ExecutePlan -', 'ReattachExecute a', 'ReattachExecute a']);
});

it('answers that come twice are delivered once', async () => {
  const { engine } = await opened(inTurn([rows('a'), rows('b')], [rows('a'), rows('b'), rows('c'), done]));
  expect(await numRows(engine)).toBe(9);
});

it('a statement that never arrived is sent again', async () => {
  const lost: Step = { fail: INTERNAL, details: '[INVALID_HANDLE.OPERATION_NOT_FOUND]', trailer: SPARK_TRAILER };
  const { spark, engine } = await opened(inTurn([{ fail: UNAVAILABLE }], [lost], [rows('a'), done]));
  expect(await numRows(engine)).toBe(3);
  expect(streamsOf(spark)).toEqual(['ExecutePlan -', 'ReattachExecute -', 'ExecutePlan -']);
});

it('a statement whose answers were half read is never sent again', async () => {
  const lost: Step = { fail: INTERNAL, details: '[INVALID_HANDLE.OPERATION_NOT_FOUND]', trailer: SPARK_TRAILER };
  const { spark, engine } = await opened(inTurn([rows('a'), { fail: UNAVAILABLE }], [lost]));
  await expect(numRows(engine)).rejects.toThrow('got a session that the server no longer has');
  expect(streamsOf(spark)).toEqual(['ExecutePlan -', 'ReattachExecute a']);
});

it('a statement that the server has already is reattached', async () => {
  const there: Step = { fail: INTERNAL, details: '[INVALID_HANDLE.OPERATION_ALREADY_EXISTS]', trailer: SPARK_TRAILER };
  const { spark, engine } = await opened(inTurn([there], [rows('a'), done]));
  expect(await numRows(engine)).toBe(3);
  expect(streamsOf(spark)).toEqual(['ExecutePlan -', 'ReattachExecute -']);
});

it('a server that was restarted is an error with the cure', async () => {
  const changed: Step = { fail: INTERNAL, details: '[INVALID_HANDLE.SESSION_CHANGED] changed', trailer: SPARK_TRAILER };
  const { engine } = await opened(inTurn([changed]));
  await expect(numRows(engine)).rejects.toThrow(
    'The server was restarted or ended the session. Start the command again',
  );
});

it('failures are counted anew after each answer', async () => {
  const broken: Step = { fail: UNAVAILABLE };
  const halting = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => [rows(id), broken]);
  const { engine } = await opened(inTurn(...halting, [done]));
  expect(await numRows(engine)).toBe(18);
});

it('a server that stays away is one clear line after the last retry', async () => {
  const { spark, engine } = await opened(inTurn([rows('a'), { fail: UNAVAILABLE, details: 'gone\nfor\ngood' }]));
  const error = await numRows(engine).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(InputError);
  expect((error as Error).message).toBe(
    `sc://127.0.0.1:${spark.port}: got no answer (gone), expected a Spark Connect server. ` +
      'Start the server again. Start the command again (train: with --resume, which keeps what is done).',
  );
});

it('a server that is killed is one clear line', async () => {
  const { spark, engine } = await opened(inTurn([rows('a'), { hang: true }]));
  const reading = numRows(engine).catch((error: unknown) => (error as Error).message);
  await expect.poll(() => streamsOf(spark).length).toBe(1);
  spark.kill();
  expect(await reading).toMatch(/got no answer \(.+\), expected a Spark Connect server\. Start the server/);
  expect(await reading).not.toContain('\n');
});

it('answers are released as they are read, and the statement at the end', async () => {
  const { spark, engine } = await opened(inTurn([rows('a'), rows('b'), rows('c'), done]));
  await numRows(engine);
  const released = spark.asked.filter(({ method }) => method === 'ReleaseExecute').map(({ request }) => request);
  expect(released[0].releaseUntil).toEqual({ responseId: 'a' });
  expect(released.at(-1).releaseAll).toEqual({});
  expect(new Set(released.map(({ operationId }) => operationId)).size).toBe(1);
});

it('a failed release does not fail the statement', async () => {
  const { engine } = await opened({
    ...inTurn([rows('a'), rows('b'), done]),
    call: (method) => (method === 'ReleaseExecute' ? { fail: INTERNAL } : undefined),
  });
  expect(await numRows(engine)).toBe(6);
});

it('an abort interrupts the statement on the server', async () => {
  const { spark, engine } = await opened(inTurn([rows('a'), { hang: true }]));
  const stop = new AbortController();
  const reading = numRows(engine, stop.signal).catch((error: unknown) => error);
  await expect.poll(() => streamsOf(spark).length).toBe(1);
  stop.abort();
  expect(await reading).toBeInstanceOf(CancelledError);
  const { operationId } = spark.asked.find(({ method }) => method === 'ExecutePlan')?.request ?? {};
  const interrupt = spark.asked.find(({ method }) => method === 'Interrupt');
  expect(interrupt?.request).toMatchObject({ interruptType: 3, operationId });
  expect(spark.asked.at(-1)?.request.releaseAll).toEqual({});
});

it('an abort ends the wait for a server that does not answer', async () => {
  const spark = await startFakeSpark(inTurn([{ fail: UNAVAILABLE }]));
  const engine = await openSpark(`sc://127.0.0.1:${spark.port}`, { retryDelaysMs: [1e9] });
  const stop = new AbortController();
  const reading = numRows(engine, stop.signal).catch((error: unknown) => error);
  await expect.poll(() => streamsOf(spark).length).toBe(1);
  stop.abort();
  expect(await reading).toBeInstanceOf(CancelledError);
});

it('a signal that is aborted before the start asks nothing', async () => {
  const { spark, engine } = await opened({});
  await expect(numRows(engine, AbortSignal.abort())).rejects.toThrow(CancelledError);
  expect(spark.methods()).toEqual(['AnalyzePlan']);
});

it('leaving the loop releases the statement', async () => {
  const { spark, engine } = await opened(inTurn([rows('a'), rows('b'), { hang: true }]));
  for await (const _ of engine.query('SELECT 1')) break;
  expect(spark.asked.at(-1)).toMatchObject({ method: 'ReleaseExecute', request: { releaseAll: {} } });
});
