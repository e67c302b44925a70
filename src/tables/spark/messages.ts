// The messages of Spark Connect that tagloom sends and reads, with the fields it needs. Numbers are those of Spark's published protocol
// (spark.connect, the same in 3.5 and 4); fields are in the order of their numbers, as every writer of Protocol Buffers puts them.

import { bytes, flag, integer, message, nested, repeated, text } from './wire.ts';

const UserContext = message({ userId: text(1), userName: text(2) });
const Empty = message({});
const KeyValue = message({ key: text(1), value: text(2) });

const Sql = message({ query: text(1) });
const Relation = message({ sql: nested(10, Sql) });
/** Spark 3.5 reads `sql`, Spark 4 `input`; each skips the other. */
const SqlCommand = message({ sql: text(1), input: nested(6, Relation) });
const Command = message({ sqlCommand: nested(5, SqlCommand) });
export const Plan = message({ root: nested(1, Relation), command: nested(2, Command) });

const ReattachOptions = message({ reattachable: flag(1) });
const RequestOption = message({ reattachOptions: nested(1, ReattachOptions) });
export const ExecutePlanRequest = message({
  sessionId: text(1),
  userContext: nested(2, UserContext),
  plan: nested(3, Plan),
  clientType: text(4),
  requestOptions: repeated(nested(5, RequestOption)),
  operationId: text(6),
  observedSessionId: text(8),
});

const StageInfo = message({ stageId: integer(1), numTasks: integer(2), numCompletedTasks: integer(3) });
const ExecutionProgress = message({ stages: repeated(nested(1, StageInfo)) });
const ArrowBatch = message({ rowCount: integer(1), data: bytes(2) });
export const ExecutePlanResponse = message({
  sessionId: text(1),
  arrowBatch: nested(2, ArrowBatch),
  operationId: text(12),
  responseId: text(13),
  resultComplete: nested(14, Empty),
  serverSideSessionId: text(15),
  executionProgress: nested(18, ExecutionProgress),
});
export type ExecuteResponse = ReturnType<typeof ExecutePlanResponse.decode>;

export const ReattachExecuteRequest = message({
  sessionId: text(1),
  userContext: nested(2, UserContext),
  operationId: text(3),
  clientType: text(4),
  lastResponseId: text(5),
  observedSessionId: text(6),
});

const ReleaseUntil = message({ responseId: text(1) });
export const ReleaseExecuteRequest = message({
  sessionId: text(1),
  userContext: nested(2, UserContext),
  operationId: text(3),
  clientType: text(4),
  releaseAll: nested(5, Empty),
  releaseUntil: nested(6, ReleaseUntil),
  observedSessionId: text(7),
});

/** Of `interruptType`. */
export const INTERRUPT_OPERATION = 3;
export const InterruptRequest = message({
  sessionId: text(1),
  userContext: nested(2, UserContext),
  clientType: text(3),
  interruptType: integer(4),
  operationId: text(6),
  observedSessionId: text(7),
});

export const ReleaseSessionRequest = message({
  sessionId: text(1),
  userContext: nested(2, UserContext),
  clientType: text(3),
});

export const AnalyzePlanRequest = message({
  sessionId: text(1),
  userContext: nested(2, UserContext),
  clientType: text(3),
  sparkVersion: nested(10, Empty),
  observedSessionId: text(17),
});
const SparkVersion = message({ version: text(1) });
export const AnalyzePlanResponse = message({
  sessionId: text(1),
  sparkVersion: nested(8, SparkVersion),
  serverSideSessionId: text(15),
});

const ConfigSet = message({ pairs: repeated(nested(1, KeyValue)) });
const ConfigOperation = message({ set: nested(1, ConfigSet) });
export const ConfigRequest = message({
  sessionId: text(1),
  userContext: nested(2, UserContext),
  operation: nested(3, ConfigOperation),
  clientType: text(4),
  observedSessionId: text(8),
});

export const FetchErrorDetailsRequest = message({
  sessionId: text(1),
  userContext: nested(2, UserContext),
  errorId: text(3),
  clientType: text(4),
  observedSessionId: text(5),
});
const SparkThrowable = message({
  errorClass: text(1),
  messageParameters: repeated(nested(2, KeyValue)),
  sqlState: text(4),
});
const ErrorDetail = message({
  errorTypeHierarchy: repeated(text(1)),
  message: text(2),
  causeIndex: integer(4),
  sparkThrowable: nested(5, SparkThrowable),
});
export const FetchErrorDetailsResponse = message({
  rootErrorIndex: integer(1),
  errors: repeated(nested(2, ErrorDetail)),
});
export type ErrorDetails = ReturnType<typeof FetchErrorDetailsResponse.decode>;

/** What the trailer grpc-status-details-bin holds (google.rpc.Status), and what Spark puts inside (google.rpc.ErrorInfo). */
const Any = message({ typeUrl: text(1), value: bytes(2) });
export const Status = message({ code: integer(1), message: text(2), details: repeated(nested(3, Any)) });
export const ErrorInfo = message({ reason: text(1), domain: text(2), metadata: repeated(nested(3, KeyValue)) });

/** For answers of which nothing is read. */
export const AnyAnswer = Empty;
