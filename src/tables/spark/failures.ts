// What went wrong on a Spark Connect server, in our words: errors of gRPC and of Spark become an InputError of one line with the cure.
// Spark sends a short form with the failed call and keeps the whole text for FetchErrorDetails.

import { CancelledError, InputError, type InputProblem } from '../../errors.ts';
import { CallError, CODE } from './channel.ts';
import { type ErrorDetails, ErrorInfo, Status } from './messages.ts';
import { isTransient } from './retries.ts';
import type { Session } from './session.ts';

/** An error as Spark describes it; the cause of the InputError. */
export class SparkError extends Error {
  override readonly name = 'SparkError';
  /** Spark's name for the kind of error, such as TABLE_OR_VIEW_NOT_FOUND. */
  readonly errorClass: string | undefined;
  readonly sqlState: string | undefined;
  readonly parameters: ReadonlyMap<string, string>;

  constructor(message: string, about: Partial<Pick<SparkError, 'errorClass' | 'sqlState' | 'parameters'>> = {}) {
    super(message);
    this.errorClass = about.errorClass ?? /^\s*\[([A-Z][A-Z0-9_.]+)\]/.exec(message)?.[1]; // Spark 3.5 has it there alone
    this.sqlState = about.sqlState;
    this.parameters = about.parameters ?? new Map();
  }
}

type Problem = Omit<InputProblem, 'file' | 'line'>;

/** What to throw instead of `error`; `server` is its address without secrets. */
export async function explained(error: unknown, server: string, session: Session): Promise<unknown> {
  if (!(error instanceof CallError)) return error;
  if (error.message.includes('OPERATION_CANCELED')) return new CancelledError();
  const found = problemOfCall(error);
  if (found) return new InputError({ file: server, ...found }, { cause: error });
  const cause = await sparkError(error, session);
  return new InputError({ file: server, ...problemOf(cause) }, { cause });
}

/** What a message of Node's networking means, and the cure where it is a special one. */
const UNREACHABLE: readonly (readonly [pattern: RegExp, meaning: string, cure?: string])[] = [
  [/ECONNREFUSED/, 'connection refused'],
  [/ENOTFOUND|Name resolution failed/, 'unknown host', 'Correct the host in the address.'],
  [/ETIMEDOUT|Deadline exceeded/, 'nothing came in time'],
  [
    /certificate|CERT_|altnames/i,
    'a certificate that is not trusted',
    'Pass the certificate of its authority, or correct the host.',
  ],
  [
    /wrong version number|EPROTO/i,
    'the server does not use TLS',
    'Leave out use_ssl=true, or set up TLS on the server.',
  ],
  [/ECONNRESET|EPIPE|RST_STREAM|Connection dropped|Call cancelled|GOAWAY/i, 'the connection broke'],
];

function problemOfCall(error: CallError): Problem | undefined {
  const { code, message } = error;
  const why = firstLine(message);
  if (isTransient(error) || code === CODE.deadlineExceeded) {
    const reason = UNREACHABLE.find(([pattern]) => pattern.test(message));
    return {
      got: `no answer (${reason?.[1] ?? why})`,
      expected: 'a Spark Connect server',
      cure: reason?.[2] ?? 'Start the server, or correct the address. Then start again what was running.',
    };
  }
  if (code === CODE.unauthenticated || code === CODE.permissionDenied) {
    return {
      got: `a refusal (${why})`,
      expected: 'permission',
      cure: 'Put a valid token into the address: sc://HOST:PORT/;token=TOKEN.',
    };
  }
  if (code === CODE.unimplemented) {
    return {
      got: 'a server that does not know the call',
      expected: 'Spark Connect 3.5 or newer',
      cure: 'Correct the address.',
    };
  }
  if (/INVALID_HANDLE\.(SESSION|OPERATION)/.test(message)) {
    return {
      got: `a session that the server no longer has (${why})`,
      expected: 'the session in which the work began',
      cure: 'The server was restarted or ended the session: start again.',
    };
  }
  return undefined;
}

/** The error with all that the server tells about it. */
async function sparkError(error: CallError, session: Session): Promise<SparkError> {
  const metadata = metadataOf(error.statusDetails);
  const errorId = metadata.get('errorId');
  const details = errorId ? await session.errorDetails(errorId).catch(() => undefined) : undefined;
  const short = {
    errorClass: metadata.get('errorClass'),
    sqlState: metadata.get('sqlState'),
    ...parametersOf(metadata),
  };
  return (details && rootOf(details)) ?? new SparkError(error.message, short as Partial<SparkError>);
}

function metadataOf(trailer: Uint8Array | undefined): Map<string, string> {
  if (!trailer) return new Map();
  const any = Status.decode(trailer).details.find(({ typeUrl }) => typeUrl?.endsWith('/google.rpc.ErrorInfo'));
  return pairsOf(any?.value ? ErrorInfo.decode(any.value).metadata : []);
}

/** Spark 4 sends them as JSON, too. */
function parametersOf(metadata: ReadonlyMap<string, string>): Partial<SparkError> {
  try {
    return { parameters: new Map(Object.entries(JSON.parse(metadata.get('messageParameters') ?? '{}'))) };
  } catch {
    return {}; // cut off: the server limits its length
  }
}

/** The first error, from the outside in, that Spark has a name for; otherwise the outermost. */
function rootOf({ rootErrorIndex = 0, errors }: ErrorDetails): SparkError | undefined {
  const seen = new Set<number>();
  for (let index: number | undefined = rootErrorIndex; index !== undefined && !seen.has(index); ) {
    seen.add(index);
    const { message = '', sparkThrowable, causeIndex }: Partial<ErrorDetails['errors'][number]> = errors[index] ?? {};
    if (sparkThrowable?.errorClass) {
      const { errorClass, sqlState, messageParameters = [] } = sparkThrowable;
      return new SparkError(message, { errorClass, sqlState, parameters: pairsOf(messageParameters) });
    }
    index = causeIndex;
  }
  const outermost = errors[rootErrorIndex];
  return outermost && new SparkError(outermost.message ?? '');
}

function pairsOf(pairs: readonly { key?: string | undefined; value?: string | undefined }[]): Map<string, string> {
  return new Map(pairs.map(({ key = '', value = '' }) => [key, value]));
}

function problemOf(error: SparkError): Problem {
  const { errorClass = '', sqlState, parameters } = error;
  const code = sqlState ? `${errorClass}, SQLSTATE ${sqlState}` : errorClass;
  const [kind] = errorClass.split('.');
  if (kind === 'TABLE_OR_VIEW_NOT_FOUND') {
    const name =
      parameters.get('relationName') ?? /The table or view (`\S+`)/.exec(error.message)?.[1] ?? 'of that name';
    const cure = 'Correct the name (SHOW TABLES lists them), or create it first.';
    return { got: `no table or view ${name} (${code})`, expected: 'one that Spark knows', cure };
  }
  if (kind === 'UNRESOLVED_COLUMN') {
    const name = parameters.get('objectName') ?? /with name (`\S+`)/.exec(error.message)?.[1] ?? 'of that name';
    const others = parameters.get('proposal') ?? /\[(`[^\]]+`)\]/.exec(error.message)?.[1];
    const cure = `Correct the name.${others ? ` Similar ones are ${others}.` : ''}`;
    return { got: `no column ${name} (${code})`, expected: 'a column of the tables', cure };
  }
  if (kind === 'PARSE_SYNTAX_ERROR') {
    const [, near, line, column] = /at or near (.+?)[.:].*?\(line (\d+), pos (\d+)\)/s.exec(error.message) ?? [];
    const place = near ? ` at ${near}, line ${line}, position ${column}` : '';
    return { got: `a syntax error${place} (${code})`, expected: 'Spark SQL', cure: 'Correct the statement there.' };
  }
  if (/OutOfMemory|ExecutorLostFailure|SparkOutOfMemory/.test(error.message)) {
    const cure = 'Give the executors more memory (spark.executor.memory), or raise spark.sql.shuffle.partitions.';
    return { got: `a job that ran out of memory (${firstLine(error.message)})`, expected: 'one that fits', cure };
  }
  const said = firstLine(error.message)
    .replace(/^\[[A-Z0-9_.]+\] /, '')
    .replace(/\.? SQLSTATE: \w{5}/, '');
  const got = `an error of Spark: ${said}${code && ` (${code})`}`;
  return { got, expected: 'a statement that runs', cure: 'Correct the statement or the data it reads.' };
}

/** One line, without the full stop that the sentence around it has. */
function firstLine(text: string): string {
  const line = text
    .trim()
    .split('\n', 1)[0]
    .replace(/[.:]?\s*$/, '');
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
