// Our messages against the bytes of Spark's own Python client.

import { expect, it } from 'vitest';
import * as messages from '../../../src/tables/spark/messages.ts';
import { fixture } from './fixture.ts';

const operationId = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';
const sql = 'SELECT id FROM range(3) -- ä 𝔘';
const name = {
  sessionId: '00112233-4455-4677-8899-aabbccddeeff',
  userContext: { userId: 'ann' },
  clientType: 'tagloom',
};
const who = { ...name, observedSessionId: 'server-side' };
const execution = { ...who, operationId, requestOptions: [{ reattachOptions: { reattachable: true } }] };
const relation = { sql: { query: sql } };

const { ExecutePlanRequest, ReleaseExecuteRequest } = messages;
it.each([
  ['query', ExecutePlanRequest.encode({ ...execution, plan: { root: relation } })],
  ['command', ExecutePlanRequest.encode({ ...execution, plan: { command: { sqlCommand: { sql, input: relation } } } })],
  ['reattach', messages.ReattachExecuteRequest.encode({ ...who, operationId, lastResponseId: 'r7' })],
  ['releaseUntil', ReleaseExecuteRequest.encode({ ...who, operationId, releaseUntil: { responseId: 'r7' } })],
  ['releaseAll', ReleaseExecuteRequest.encode({ ...who, operationId, releaseAll: {} })],
  ['interrupt', messages.InterruptRequest.encode({ ...who, interruptType: messages.INTERRUPT_OPERATION, operationId })],
  ['releaseSession', messages.ReleaseSessionRequest.encode(name)],
  ['version', messages.AnalyzePlanRequest.encode({ ...who, sparkVersion: {} })],
  ['config', messages.ConfigRequest.encode({ ...who, operation: { set: { pairs: [{ key: 'a.b', value: '3' }] } } })],
  ['errorDetails', messages.FetchErrorDetailsRequest.encode({ ...who, errorId: 'e1' })],
] as const)('the request %s has the same bytes', (kind, bytes) => {
  expect(Buffer.from(bytes).toString('hex')).toBe(fixture.messages[kind]);
});

it('answers to a statement are read', () => {
  const read = (kind: 'answerRows' | 'answerProgress' | 'answerComplete') =>
    messages.ExecutePlanResponse.decode(Buffer.from(fixture.messages[kind], 'hex'));
  expect(read('answerRows')).toMatchObject({
    operationId,
    responseId: 'r1',
    serverSideSessionId: 'server-side',
    arrowBatch: { rowCount: 3, data: Buffer.of(1, 2, 255) },
    resultComplete: undefined,
  });
  // zero is not written
  const stages = [{ stageId: undefined, numTasks: 400, numCompletedTasks: 100 }];
  expect(read('answerProgress')).toMatchObject({ responseId: 'r2', executionProgress: { stages } });
  expect(read('answerComplete')).toMatchObject({ responseId: 'r3', resultComplete: {}, arrowBatch: undefined });
});

it('the version and errors are read', () => {
  const bytes = (kind: 'answerVersion' | 'answerError' | 'status') => Buffer.from(fixture.messages[kind], 'hex');
  expect(messages.AnalyzePlanResponse.decode(bytes('answerVersion')).sparkVersion?.version).toBe('4.3.0');
  const { rootErrorIndex, errors } = messages.FetchErrorDetailsResponse.decode(bytes('answerError'));
  expect(rootErrorIndex).toBe(0);
  expect(errors[0]).toMatchObject({ message: 'outer', causeIndex: 1, errorTypeHierarchy: ['A', 'B'] });
  expect(errors[1].sparkThrowable).toEqual({
    errorClass: 'X',
    sqlState: '42P01',
    messageParameters: [{ key: 'relationName', value: '`t`' }],
  });
  const { message, details } = messages.Status.decode(bytes('status'));
  expect([message, details[0].typeUrl]).toEqual(['short', 'type.googleapis.com/google.rpc.ErrorInfo']);
  const { metadata } = messages.ErrorInfo.decode(details[0].value ?? Buffer.of());
  expect(metadata).toEqual([{ key: 'errorId', value: 'e1' }]);
});
